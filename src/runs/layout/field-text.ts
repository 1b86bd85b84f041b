import { type JsonValue, parseJson } from "../../model/json.ts";
import type { AttributesView } from "../../model/span-view.ts";
import type { FieldSource } from "./field-table.ts";
import { type Field, fieldIndex } from "./fields.ts";
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

/** Some producers write every value as JSON, names included: `"gpt-4o"` with its quotes. `field`: its index. */
export function plainText(field: number, text: string): string {
  if (text.charCodeAt(0) !== QUOTE || text.length < 3 || !names.has(field)) return text;
  const value = parseJson(text);
  return typeof value === "string" && value !== "" ? value : text;
}

const nameFields: readonly Field[] = [
  "agent",
  "workflow",
  "conversation",
  "requestModel",
  "responseModel",
  "model",
  "provider",
  "responseId",
  "tool",
  "callId",
  "handoffFrom",
  "handoffTo",
];
const names: ReadonlySet<number> = new Set(nameFields.map(fieldIndex));
