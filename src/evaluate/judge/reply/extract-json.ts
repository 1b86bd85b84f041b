import { isArray, isObject, type JsonObject, type JsonValue, parseJsonText } from "../../../model/json.ts";

/**
 * Returns the JSON object in a model's text: the whole text, or the only object in it, such as in a code fence. Returns a text with several
 * different objects unchanged, because an object may be quoted from the judged text. Also returns a truncated object and an object that
 * repeats a key unchanged.
 */
export function extractJson(text: string): JsonValue {
  const whole = parseJsonText(text.trim());
  if (whole.problem === undefined) return repeatsKey(text, whole.value) ? text : whole.value;
  if (whole.problem !== "syntax") return text;
  const found = new Map<string, JsonObject>();
  for (const object of objectsIn(text)) {
    if (object === null) return text;
    found.set(JSON.stringify(object), object);
  }
  const [only] = found.values();
  return found.size === 1 && only !== undefined ? only : text;
}

const MAX_ATTEMPTS = 50;

/** Yields the objects in a text; null for an object without an end or with a repeated key. */
function* objectsIn(text: string): Generator<JsonObject | null> {
  let from = text.indexOf("{");
  for (let attempt = 0; from >= 0 && attempt < MAX_ATTEMPTS; attempt++) {
    const end = closingBrace(text, from);
    if (end < 0) return yield null;
    const json = text.slice(from, end + 1);
    const parsed = parseJsonText(json);
    if (parsed.problem === undefined && isObject(parsed.value))
      yield repeatsKey(json, parsed.value) ? null : parsed.value;
    // Skips an object that exceeds the parser's limits, because objects inside it are not the reply.
    from = text.indexOf("{", parsed.problem === "syntax" ? from + 1 : end + 1);
  }
}

/** Whether an object of a JSON text has two entries with one key, of which the parser keeps only the last. */
function repeatsKey(json: string, value: JsonValue): boolean {
  const texts = [...json.matchAll(/"[^"\\]*(?:\\[^][^"\\]*)*"(\s*:)?/g)];
  return texts.filter(([, colon]) => colon !== undefined).length !== countKeys(value);
}

function countKeys(value: JsonValue): number {
  if (isArray(value)) return value.reduce<number>((sum, item) => sum + countKeys(item), 0);
  if (!isObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + 1 + countKeys(item), 0);
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
