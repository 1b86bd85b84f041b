import { type JsonValue, parseJson } from "../../model/json.ts";
import type { AttributesView } from "../../model/telemetry/span-view.ts";
import type { FieldSource } from "./field-table.ts";
import { type Field, fieldNames } from "../../../adapters/field-names.ts";
import { isAbsentId, isAbsentName } from "../text/absent-id.ts";
import { isPlaceholder } from "../text/placeholder.ts";

/** The text that a field has there; undefined for none, for an empty one and for what stands in place of a text. */
export function textOf(view: AttributesView, source: FieldSource): string | undefined {
  if (source.tree !== undefined) return undefined;
  const value = source.key === undefined ? valueOf(view, source) : view.text(source.key);
  return typeof value !== "string" || value === "" || isPlaceholder(value) ? undefined : value;
}

/** The value of a source that is no tree. */
export function valueOf(view: AttributesView, { key, place, attribute }: FieldSource): JsonValue | undefined {
  if (key !== undefined) return view.value(key);
  return place === undefined ? view.named(attribute) : view.valueAt(place);
}

const QUOTE = 34;

/**
 * The text of the field with that index. Some producers write every value as JSON, names included: `"gpt-4o"` with its quotes. Undefined
 * where the field is a name or an id and the text prints an absent value, such as `null`.
 */
export function plainText(field: number, text: string): string | undefined {
  const kind = nameKinds[field];
  if (kind === undefined) return text;
  const plain = text.charCodeAt(0) === QUOTE && text.length >= 2 ? unquoted(text) : text;
  return (kind === "id" ? isAbsentId(plain) : isAbsentName(plain)) ? undefined : plain;
}

function unquoted(text: string): string {
  const value = parseJson(text);
  return typeof value === "string" ? value : text;
}

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
const nameKinds: readonly ("name" | "id" | undefined)[] = fieldNames.map((field) => {
  if (names.includes(field)) return "name";
  return ids.includes(field) ? "id" : undefined;
});
