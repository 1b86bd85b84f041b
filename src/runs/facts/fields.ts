import type { JsonValue } from "../../model/json.ts";
import { type Field, fieldNames } from "../../../adapters/field-names.ts";

/** Indexes of the fields, for typed tables: `F.agent`. */
export const F = Object.fromEntries(fieldNames.map((name, index) => [name, index])) as Readonly<
  Record<Field, number>
>;

/** Where a value stands in a set of attributes: a place from 0 on, or -2 - n for the nth prefix of indexed keys. */
export type Source = number;
/** A place that holds a field. */
export interface FieldSource {
  /** Null for what an adapter derives from several attributes. */
  readonly attribute: string | null;
  /** `declared`: by an adapter; `inferred`: by its looks; `added`: an event, a log record or a printed object; `derived`: by an adapter's function. */
  readonly origin: "declared" | "inferred" | "added" | "derived";
  readonly value: JsonValue;
}

/** No attribute holds the field. */
export const NOWHERE: Source = -1;

const names: readonly Field[] = [
  "agent",
  "workflow",
  "requestModel",
  "responseModel",
  "model",
  "provider",
  "tool",
  "handoffFrom",
  "handoffTo",
];
const ids: readonly Field[] = ["agentId", "conversation", "responseId", "callId"];

/** By field: whether its texts are names or ids, which may be written as JSON and may be printed absences such as `None`. */
export const textKinds: readonly ("name" | "id" | undefined)[] = fieldNames.map((field) =>
  names.includes(field) ? "name" : ids.includes(field) ? "id" : undefined,
);
