import { documentBounds, type JsonValue, parseJson } from "../../../model/json.ts";

/** A time that JSON's numbers cannot hold. A quote within a text has a backslash before it, so that no text matches. */
const longNanoseconds = /(?<!\\)("(?:[a-z]+_)*unix_nano"\s*:\s*)(\d{16,20})(?=\s*[,}])/g;

/** Parses JSON of a store; nanoseconds that are numbers become texts, and keep all their digits. Undefined when it is no JSON. */
export function parseStored(text: string): JsonValue | undefined {
  return parseJson(text.replaceAll(longNanoseconds, '$1"$2"'), documentBounds);
}
