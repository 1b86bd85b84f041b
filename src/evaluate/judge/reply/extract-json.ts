import { isObject, type JsonObject, type JsonValue, parseJson } from "../../../model/json.ts";

/**
 * The JSON object in a model's text: the whole text, or the only object in it (a fenced code block, words around it). Text
 * with several different objects is ambiguous, it may quote one from what it judged, and is returned as it is.
 */
export function extractJson(text: string): JsonValue {
  const whole = parseJson(text.trim());
  if (whole !== undefined) return whole;
  const found = new Map<string, JsonObject>();
  for (const object of objectsIn(text)) found.set(JSON.stringify(object), object);
  const [only] = found.values();
  return found.size === 1 && only !== undefined ? only : text;
}

const MAX_ATTEMPTS = 50;

function* objectsIn(text: string): Generator<JsonObject> {
  let from = text.indexOf("{");
  for (let attempt = 0; from >= 0 && attempt < MAX_ATTEMPTS; attempt++) {
    const end = closingBrace(text, from);
    const value = end < 0 ? undefined : parseJson(text.slice(from, end + 1));
    if (isObject(value)) yield value;
    from = text.indexOf("{", isObject(value) ? end + 1 : from + 1);
  }
}

function closingBrace(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let i = from; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === "\\") i++;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === "{") depth++;
    else if (c === "}" && --depth === 0) return i;
  }
  return -1;
}
