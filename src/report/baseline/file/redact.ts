import { isObject, type JsonValue } from "../../../model/json.ts";
import type { Detector } from "../../../support/redact/detectors/detectors.ts";
import { labelOf, Redactor, withheld } from "../../../support/redact/redactor.ts";

/** Kinds of texts that redaction removes from a baseline: credentials and personal data. */
export const redactionRules = ["secrets", "pii"] as const;
export type RedactionRule = (typeof redactionRules)[number];

const detectors: Readonly<Record<RedactionRule, readonly Detector[]>> = {
  secrets: ["keys"],
  pii: ["emails", "cards", "ibans", "ssns", "phones"],
};

/**
 * Matches ids of traces, spans and runs, such as `4bf92f3577b34da6`. An id needs a hexadecimal letter or a
 * hyphen, because digits alone could be a card number.
 */
const ID = /^(?=.*[a-f-])[0-9a-f]{16}(?:[0-9a-f]{16}(?:-[0-9a-f]{16})?)?$/;
/** Keys in the JSON of a run whose values are ids. */
const ids: ReadonlySet<string> = new Set(["trace_id", "trace_ids", "run_id", "root_span_id", "span_id"]);

/**
 * Redacts the texts in a JSON value. A found secret is replaced by its kind in brackets, such as `[email]`. If a
 * key names a credential, its whole value is replaced. Without rules, returns the value unchanged.
 */
export function redactJson(value: JsonValue, rules: readonly RedactionRule[]): JsonValue {
  if (rules.length === 0) return value;
  const found = rules.flatMap((rule) => detectors[rule]);
  return redactValue(value, new Redactor({ keys: [], patterns: [], detectors: found }));
}

/** Redacts a JSON value, except for ids of traces, spans and runs. */
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
