import { append } from "../../support/structures/long-lists.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { ToolDefinition } from "../../model/model-exchange.ts";
import { wordList } from "../../support/structures/word-list.ts";
import { isOpen, unfold } from "../notations/parse-text.ts";

const DEEPEST = 6;

/** Text of instructions, from text, parts, a list of either, or their JSON; null if empty. */
export function textOfInstructions(value: JsonValue): string | null {
  const texts = wordsIn(unfold(value), 0);
  return texts.length === 0 ? null : texts.join("\n\n");
}

function wordsIn(value: JsonValue, depth: number): readonly string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  if (depth > DEEPEST) return [];
  if (isArray(value)) return value.flatMap((item) => wordsIn(item, depth + 1));
  if (!isObject(value)) return [];
  const inner = value["content"] ?? value["text"] ?? value["parts"];
  return inner === undefined ? [] : wordsIn(inner, depth + 1);
}

/** Tool definitions in any notation: OpenAI, Anthropic, Gemini, MCP, or names only; null if the value lists no tools, or is truncated. */
export function toolDefinitionsIn(value: JsonValue): readonly ToolDefinition[] | null {
  const list = unfold(value);
  if (isOpen(list)) return null;
  if (isArray(list)) {
    const found = list.flatMap((item) => definitionsIn(item));
    // If no item of a list can be read, its notation is unknown, and so are the tools.
    return found.length === 0 && list.length > 0 ? null : found;
  }
  if (!isObject(list)) return null;
  const grouped = groupedIn(list, ["function_tools", "output_tools", "tools"]);
  if (grouped !== null) return grouped.flatMap((item) => definitionsIn(item));
  const own = definitionsIn(list);
  return own.length === 0 ? null : own;
}

/**
 * Returns the items of a list of tools, or of request parameters that group tools by kind, without groups of output tools. Null for any
 * other value, and for a truncated one.
 */
export function declaredTools(value: JsonValue): readonly JsonValue[] | null {
  const list = unfold(value);
  if (isOpen(list)) return null;
  if (isArray(list)) return list;
  return isObject(list) ? groupedIn(list, ["function_tools", "tools"]) : null;
}

function groupedIn(object: JsonObject, keys: readonly string[]): readonly JsonValue[] | null {
  const groups = keys.map((key) => object[key]).filter(isArray);
  return groups.length === 0 ? null : groups.flat();
}

const wrappers = ["function", "toolSpec", "custom", "tool", "json_schema", "definition"] as const;

/** Returns the tool definitions in an item of a list. An item is one tool, or a group of tools. */
export function definitionsIn(value: JsonValue, depth = 0): readonly ToolDefinition[] {
  const item = unfold(value);
  if (typeof item === "string")
    return item === "" ? [] : [{ name: item, description: null, parameters: undefined }];
  if (!isObject(item) || depth > DEEPEST) return [];
  const several = item["functionDeclarations"] ?? item["function_declarations"];
  if (isArray(several)) return several.flatMap((one) => definitionsIn(one, depth + 1));
  for (const wrapper of wrappers) {
    const inner = item[wrapper];
    if (inner === undefined || !isObject(unfold(inner))) continue;
    const found = definitionsIn(inner, depth + 1);
    // If a wrapper contains only the schema, the tool's name is next to the wrapper.
    if (found.length > 0 || typeof item["name"] !== "string") return found;
  }
  const name = item["name"] ?? item["agent_name"] ?? item["type"];
  if (typeof name !== "string" || (item["name"] === undefined && name === "object")) return [];
  const { description } = item;
  return [
    {
      name,
      description: typeof description === "string" ? description : null,
      parameters: schemaIn(item),
    },
  ];
}

const schemaNames = wordList(`
  parameters input_schema inputSchema parameters_json_schema parametersJsonSchema args_schema json_schema
`);

function schemaIn(item: JsonObject): JsonValue | undefined {
  for (const name of schemaNames) {
    const given = item[name];
    if (given === undefined || given === null) continue;
    const schema = unfold(given);
    return isObject(schema) && isObject(schema["json"]) ? schema["json"] : schema;
  }
  return undefined;
}

const thoughtTypes: readonly JsonValue[] = ["reasoning", "thinking", "thought", "reasoning_content"];

/** Reasoning text in a model's output; null if there is none. */
export function thoughtsIn(value: JsonValue): string | null {
  const found: string[] = [];
  collectThoughts(value, 0, found);
  return found.length === 0 ? null : found.join("\n");
}

function collectThoughts(value: JsonValue, depth: number, found: string[]): void {
  if (depth > DEEPEST) return;
  if (isArray(value)) {
    for (const item of value) collectThoughts(item, depth + 1, found);
    return;
  }
  if (!isObject(value)) return;
  if (thoughtTypes.includes(value["type"] ?? null) || value["thought"] === true) {
    const inner =
      value["content"] ?? value["thinking"] ?? value["text"] ?? value["summary"] ?? value["reasoning"];
    if (inner !== undefined) append(found, wordsIn(inner, depth + 1));
    return;
  }
  const { reasoning_content: beside } = value;
  if (typeof beside === "string" && beside.trim() !== "") found.push(beside);
  for (const inner of [value["parts"], value["content"], value["message"], value["choices"], value["output"]])
    if (inner !== undefined) collectThoughts(inner, depth + 1, found);
}
