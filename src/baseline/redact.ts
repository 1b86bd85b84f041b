import { isArray, isObject, type JsonValue } from "../model/json.ts";
import { type Detector, replaceDetected } from "../redact/detectors.ts";

/** Texts that should not stand in a repository: credentials, or what tells a person. */
export const redactionRules = ["secrets", "pii"] as const;
export type RedactionRule = (typeof redactionRules)[number];

const detectors: Readonly<Record<RedactionRule, readonly Detector[]>> = {
  secrets: ["keys"],
  pii: ["emails", "cards", "ibans", "ssns", "phones"],
};

/** Ids of traces, spans and runs: digits in them are nobody's card. */
const ID = /^[0-9a-f]{16}(?:[0-9a-f]{16}(?:-[0-9a-f]{16})?)?$/;

/** The text with what the rules find replaced by what it is, in brackets. The same text gives the same result. */
export function redactText(text: string, rules: readonly RedactionRule[]): string {
  if (ID.test(text)) return text;
  return replaceDetected(
    text,
    rules.flatMap((rule) => detectors[rule]),
  );
}

/** Every text in a JSON value, keys left alone. */
export function redactJson(value: JsonValue, rules: readonly RedactionRule[]): JsonValue {
  if (rules.length === 0) return value;
  if (typeof value === "string") return redactText(value, rules);
  if (isArray(value)) return value.map((item) => redactJson(item, rules));
  if (!isObject(value)) return value;
  const redacted = Object.create(null) as Record<string, JsonValue>;
  for (const [key, inner] of Object.entries(value)) redacted[key] = redactJson(inner, rules);
  return redacted;
}
