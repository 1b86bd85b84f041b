import type { JsonValue } from "../../model/json.ts";
import { wordList } from "../../support/structures/word-list.ts";
import { type Field, fieldNames } from "../../../adapters/field-names.ts";

/** Index of each field by its name, for typed tables: `F.agent`. */
export const F = Object.fromEntries(fieldNames.map((name, index) => [name, index])) as Readonly<
  Record<Field, number>
>;

/**
 * Returns the indexes of the fields in a list of names.
 * @throws Error if a name is not a field
 */
export function indexesOf(names: string): readonly number[] {
  return wordList(names).map((name) => {
    const at = fieldNames.indexOf(name as Field);
    if (at < 0) throw new Error(`unknown field ${name}: adapters/field-names.ts lists the fields`);
    return at;
  });
}

/** Position of a value in a set of attributes: an index from 0, or -2 - n for the nth prefix of indexed keys. */
export type Source = number;
/** A place that contains a field. */
export interface FieldSource {
  /** Name of the attribute; null for a value that an adapter derives from several attributes. */
  readonly attribute: string | null;
  /**
   * `declared` by an adapter; `inferred` from name and value; `added` by an event, log record or printed object; `derived` by an adapter's
   * function.
   */
  readonly origin: "declared" | "inferred" | "added" | "derived";
  readonly value: JsonValue;
}

const names: readonly Field[] = [
  "agent",
  "workflow",
  "graphNode",
  "graphPath",
  "provider",
  "tool",
  "handoffFrom",
  "handoffTo",
];
/** Fields for which `unknown` is a placeholder, too. */
const ids: readonly Field[] = [
  "conversation",
  "responseId",
  "callId",
  "requestModel",
  "responseModel",
  "model",
];

/** Whether a field contains names or ids. Names and ids may be JSON strings, or absent values printed as text, such as `None`. */
export const textKinds: readonly ("name" | "id" | undefined)[] = fieldNames.map((field) =>
  names.includes(field) ? "name" : ids.includes(field) ? "id" : undefined,
);
