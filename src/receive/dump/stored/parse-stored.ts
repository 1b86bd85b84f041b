import { documentBounds, type JsonValue, parseJson } from "../../../model/json.ts";

/**
 * Matches a time whose number exceeds the precision of JSON numbers. Quotes inside text are escaped, so the
 * pattern does not match inside text.
 */
const longNanoseconds = /(?<!\\)("(?:[a-z]+_)*unix_nano"\s*:\s*)(\d{16,20})(?=\s*[,}])/g;

/**
 * Parses JSON of a store. Nanoseconds that are numbers become text, so that all digits remain. Returns
 * undefined for invalid JSON.
 */
export function parseStored(text: string): JsonValue | undefined {
  return parseJson(text.replaceAll(longNanoseconds, '$1"$2"'), documentBounds);
}
