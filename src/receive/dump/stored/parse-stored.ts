import { documentBounds, type JsonValue, parseJson } from "../../../model/json.ts";

/**
 * Matches a nanosecond time that exceeds the precision of JSON numbers. Quotes inside strings are escaped, so the pattern matches only
 * fields.
 */
const longNanoseconds =
  /(?<!\\)("(?:\w*_?unix_?nano|(?:start|end)_time|timestamp)"\s*:\s*)(\d{17,20})(?=\s*[,}])/gi;

/** Parses a store's JSON. Returns nanosecond times as text, so that no digits are lost. Returns undefined for invalid JSON. */
export function parseStored(text: string): JsonValue | undefined {
  return parseJson(text.replaceAll(longNanoseconds, '$1"$2"'), documentBounds);
}
