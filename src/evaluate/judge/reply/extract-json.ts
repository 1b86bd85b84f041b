import { isObject, type JsonObject, type JsonValue, parseJsonText } from "../../../model/json.ts";

/**
 * Returns the JSON object in a model's text: the whole text, or the only object in it, such as in a code fence. Returns a text with several
 * different objects unchanged, because an object may be quoted from the judged text.
 */
export function extractJson(text: string): JsonValue {
  const whole = parseJsonText(text.trim());
  if (whole.problem === undefined) return whole.value;
  if (whole.problem !== "syntax") return text;
  const found = new Map<string, JsonObject>();
  for (const object of objectsIn(text)) found.set(JSON.stringify(object), object);
  const [only] = found.values();
  return found.size === 1 && only !== undefined ? only : text;
}

const MAX_ATTEMPTS = 50;
const noJson = { problem: "syntax" } as const;

function* objectsIn(text: string): Generator<JsonObject> {
  let from = text.indexOf("{");
  for (let attempt = 0; from >= 0 && attempt < MAX_ATTEMPTS; attempt++) {
    const end = closingBrace(text, from);
    const parsed = end < 0 ? noJson : parseJsonText(text.slice(from, end + 1));
    if (parsed.problem === undefined && isObject(parsed.value)) yield parsed.value;
    // Skips an object that exceeds the parser's limits, because objects inside it are not the reply.
    from = text.indexOf("{", parsed.problem === "syntax" ? from + 1 : end + 1);
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
