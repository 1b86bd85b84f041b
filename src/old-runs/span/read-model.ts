import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { pickText } from "../messages/pick.ts";
import { unfold } from "../messages/unfold.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** Under these keys libraries keep what they know of a response besides its words. */
const aboutResponse = new Set(
  wordList(`
  response_metadata responseMetadata llm_output llmOutput generation_info generationInfo meta raw
  custom
`),
);
/** Words and data: a model's name in there is somebody's text. */
const content = new Set(wordList("content text arguments args input parts tool_calls toolCalls"));
const maxDepth = 9;

/** The model that answered, as the response that a producer kept whole says it. */
export function responseModelIn(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : find(unfold(value), "", 0);
}

function find(value: JsonValue, under: string, depth: number): string | undefined {
  if (depth > maxDepth) return undefined;
  if (typeof value === "string" && aboutResponse.has(under)) {
    const inner = unfold(value);
    return typeof inner === "string" ? undefined : find(inner, under, depth + 1);
  }
  if (isArray(value)) {
    for (const item of value) {
      const found = find(item, under, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return isObject(value) ? (named(value, under) ?? within(value, depth)) : undefined;
}

function within(value: JsonObject, depth: number): string | undefined {
  for (const key in value) {
    const inner = value[key];
    if (inner === undefined || typeof inner === "number" || content.has(key)) continue;
    const found = find(inner, key, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function named(value: JsonObject, under: string): string | undefined {
  const version = pickText(value, "modelVersion", "model_version");
  if (version !== undefined && !/^v\d+$/.test(version)) return version;
  if (aboutResponse.has(under)) {
    const name = pickText(value, "model_name", "modelName", "model", "model_id", "ls_model_name");
    if (name !== undefined) return name;
  }
  const isResponse = "usage" in value || "choices" in value || "stop_reason" in value;
  return isResponse ? pickText(value, "model", "model_name") : undefined;
}
