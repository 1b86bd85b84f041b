import { isObject, type JsonValue } from "../../../model/json.ts";
import type { Detector } from "../../../support/redact/detectors/detectors.ts";
import { labelOf, Redactor, withheld } from "../../../support/redact/redactor.ts";

/** Kinds of texts that should not be in a repository: credentials, and data that identifies a person. */
export const redactionRules = ["secrets", "pii"] as const;
export type RedactionRule = (typeof redactionRules)[number];

const detectors: Readonly<Record<RedactionRule, readonly Detector[]>> = {
  secrets: ["keys"],
  pii: ["emails", "cards", "ibans", "ssns", "phones"],
};

/**
 * Matches ids of traces, spans and runs, whose digits are not a card number. An id with only digits could be
 * a card number.
 */
const ID = /^(?=.*[a-f-])[0-9a-f]{16}(?:[0-9a-f]{16}(?:-[0-9a-f]{16})?)?$/;
/** Keys of a run's JSON whose values are ids with digits and letters. */
const ids: ReadonlySet<string> = new Set(["trace_id", "trace_ids", "run_id", "root_span_id", "span_id"]);

/**
 * Redacts JSON: replaces what the rules find in texts by its kind in brackets, and the values of keys that
 * announce credentials.
 */
export function redactJson(value: JsonValue, rules: readonly RedactionRule[]): JsonValue {
  if (rules.length === 0) return value;
  const found = rules.flatMap((rule) => detectors[rule]);
  return redactValue(value, new Redactor({ keys: [], patterns: [], detectors: found }));
}

/** Keeps ids under id keys; the redactor handles everything else. */
function redactValue(value: JsonValue, redactor: Redactor): JsonValue {
  if (typeof value === "string") return ID.test(value) ? value : redactor.text(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => redactValue(item, redactor));
  if (!isObject(value)) return redactor.json(value);
  const label = labelOf(value);
  const redacted = Object.create(null) as Record<string, JsonValue>;
  for (const [key, inner] of Object.entries(value)) {
    const hidden =
      redactor.hides(key, inner) || (label !== null && key === "value" && redactor.hides(label, inner));
    redacted[key] = ids.has(key) ? inner : hidden ? withheld : redactValue(inner, redactor);
  }
  return redacted;
}
