import { isObject, type JsonValue } from "../../model/json.ts";

/** Returns the protocol of a request that counts tokens; null for other requests. */
export function servesTokenCount(method: string, path: string): "anthropic" | "gemini" | null {
  if (method !== "POST") return null;
  if (path.endsWith("/messages/count_tokens")) return "anthropic";
  return /\/(?:models|tunedModels)\/[^/:]+:countTokens$/.test(path) ? "gemini" : null;
}

const CHARACTERS_A_TOKEN = 4;
/** Keys whose texts are not part of the prompt. */
const ignored = new Set(["model", "role", "type"]);

/** Answers with an estimate from the length of all texts, because the model server has no tokeniser. */
export function answerTokenCount(notation: "anthropic" | "gemini", body: JsonValue): JsonValue {
  const tokens = Math.ceil(charactersIn(body) / CHARACTERS_A_TOKEN);
  return notation === "anthropic" ? { input_tokens: tokens } : { totalTokens: tokens };
}

function charactersIn(value: JsonValue): number {
  if (typeof value === "string") return value.length;
  if (!isObject(value)) {
    return Array.isArray(value)
      ? value.reduce((sum: number, one: JsonValue) => sum + charactersIn(one), 0)
      : 0;
  }
  let sum = 0;
  for (const [key, inner] of Object.entries(value)) if (!ignored.has(key)) sum += charactersIn(inner);
  return sum;
}
