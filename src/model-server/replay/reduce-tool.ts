import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import type { ToolDefinition } from "../../model/model-exchange.ts";
import { canonicalJson } from "../../support/structures/canonical-json.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** The parts of a tool definition that are compared with the recording. A part is null if it is unknown. */
export interface ReducedTool {
  readonly name: string;
  readonly description: { readonly text: string; readonly key: string } | null;
  readonly schema: string | null;
}

export function reduceTool(
  { name, description, parameters }: ToolDefinition,
  plain: (text: string) => string,
): ReducedTool {
  return {
    name,
    description: description === null ? null : { text: description, key: plain(description) },
    schema:
      parameters === undefined || parameters === null ? null : canonicalJson(plainSchema(parameters, plain)),
  };
}

/** JSON Schema keywords that SDKs add or omit when they convert a tool into a request. Differences in these keywords are ignored. */
const besides: ReadonlySet<string> = new Set(
  wordList("$schema $id title additionalProperties strict propertyOrdering"),
);
/** JSON Schema keywords whose value contains one schema for each property name. */
const named: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"]);

function plainSchema(schema: JsonValue, plain: (text: string) => string): JsonValue {
  if (isArray(schema)) return schema.map((item) => plainSchema(item, plain));
  if (typeof schema === "string") return schema;
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).flatMap(([key, value]): [string, JsonValue][] => {
    if (besides.has(key)) return [];
    if (named.has(key) && isObject(value)) {
      const inner = Object.entries(value).map(([name, one]) => [name, plainSchema(one, plain)]);
      return inner.length === 0 ? [] : [[key, Object.fromEntries(inner)]];
    }
    if (key === "required" && isArray(value)) return value.length === 0 ? [] : [[key, sortedNames(value)]];
    if (key === "type" && typeof value === "string") return [[key, value.toLowerCase()]];
    if (key === "description" && typeof value === "string") return [[key, plain(value)]];
    return [[key, plainSchema(value, plain)]];
  });
  return Object.fromEntries(entries);
}

function sortedNames(names: readonly JsonValue[]): readonly JsonValue[] {
  return names.map((name) => (typeof name === "string" ? name : JSON.stringify(name))).sort(inCodeOrder);
}

function inCodeOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
