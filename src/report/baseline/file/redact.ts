import { isObject, type JsonValue } from "../../../model/json.ts";
import type { Detector } from "../../../support/redact/detectors/detectors.ts";
import { labelOf, Redactor, withheld } from "../../../support/redact/redactor.ts";

/** Texts that should not stand in a repository: credentials, or what identifies a person. */
export const redactionRules = ["secrets", "pii"] as const;
export type RedactionRule = (typeof redactionRules)[number];

const detectors: Readonly<Record<RedactionRule, readonly Detector[]>> = {
  secrets: ["keys"],
  pii: ["emails", "cards", "ibans", "ssns", "phones"],
};

/** Ids of traces, spans and runs: digits in them are no card's. One of digits only could be a card. */
const ID = /^(?=.*[a-f-])[0-9a-f]{16}(?:[0-9a-f]{16}(?:-[0-9a-f]{16})?)?$/;
/** Keys of a run's JSON whose values are ids of digits and letters. */
const ids: ReadonlySet<string> = new Set(["trace_id", "trace_ids", "run_id", "root_span_id", "span_id"]);

/** JSON with what the rules find in texts replaced by its kind, in brackets, and the values of keys that announce credentials. */
export function redactJson(value: JsonValue, rules: readonly RedactionRule[]): JsonValue {
  if (rules.length === 0) return value;
  const found = rules.flatMap((rule) => detectors[rule]);
  return redactValue(value, new Redactor({ keys: [], patterns: [], detectors: found }));
}

/** Ids stay where they are keyed as such; everything else is the redactor's. */
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
