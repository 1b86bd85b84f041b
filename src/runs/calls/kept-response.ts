import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { wordList } from "../../support/structures/word-list.ts";
import { unfold } from "../notations/parse-text.ts";

/** Keys under which libraries store the metadata of a response. */
const aboutResponse = new Set(
  wordList(
    "response_metadata responseMetadata llm_output llmOutput generation_info generationInfo meta raw custom",
  ),
);
/** Keys of texts and data. A model name below such a key is content, not the response model. */
const content = new Set(wordList("content text arguments args input parts tool_calls toolCalls"));
const modelNames = ["model_name", "modelName", "model", "model_id", "ls_model_name"] as const;
const MOST_DEPTH = 9;

/** Response model in a response that the producer recorded completely; null if absent. */
export function responseModelIn(value: JsonValue | undefined): string | null {
  return value === undefined ? null : find(unfold(value), "", 0);
}

function find(value: JsonValue, under: string, depth: number): string | null {
  if (depth > MOST_DEPTH) return null;
  if (typeof value === "string") {
    if (!aboutResponse.has(under)) return null;
    const inner = unfold(value);
    return typeof inner === "string" ? null : find(inner, under, depth + 1);
  }
  if (isArray(value)) {
    for (const item of value) {
      const found = find(item, under, depth + 1);
      if (found !== null) return found;
    }
    return null;
  }
  if (!isObject(value)) return null;
  const own = named(value, under);
  if (own !== null) return own;
  for (const key in value) {
    const inner = value[key];
    if (inner === undefined || typeof inner === "number" || content.has(key)) continue;
    const found = find(inner, key, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function named(value: JsonObject, under: string): string | null {
  const version = textAt(value, "modelVersion") ?? textAt(value, "model_version");
  if (version !== null && !/^v\d+$/.test(version)) return version;
  if (aboutResponse.has(under))
    for (const name of modelNames) {
      const model = textAt(value, name);
      if (model !== null) return model;
    }
  const isResponse = "usage" in value || "choices" in value || "stop_reason" in value;
  return isResponse ? (textAt(value, "model") ?? textAt(value, "model_name")) : null;
}

function textAt(value: JsonObject, name: string): string | null {
  const text = value[name];
  return typeof text === "string" && text !== "" ? text : null;
}
