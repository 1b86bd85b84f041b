import { isArray, isObject, type JsonValue } from "../model/json.ts";

/** Texts that should not stand in a repository: credentials, or what tells a person. */
export const redactionRules = ["secrets", "pii"] as const;
export type RedactionRule = (typeof redactionRules)[number];

/** What is replaced, and by which word in brackets. Each pattern is linear in the text: no repeat inside a repeat. */
const patterns: Readonly<Record<RedactionRule, readonly (readonly [RegExp, string])[]>> = {
  secrets: [
    [/\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}/g, "api key"],
    [/\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{30,}|\bgithub_pat_[A-Za-z0-9_]{30,}/g, "token"],
    [/\bglpat-[A-Za-z0-9_-]{20,}/g, "token"],
    [/\bxox[abposr]-[A-Za-z0-9-]{10,}/g, "token"],
    [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, "access key"],
    [/\bAIza[A-Za-z0-9_-]{35}/g, "api key"],
    [/\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g, "token"],
    [/\b(?:Bearer|Basic) [A-Za-z0-9+/=._~-]{16,}/g, "credentials"],
    [
      /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,10000}-----END [A-Z ]{0,30}PRIVATE KEY-----/g,
      "private key",
    ],
  ],
  pii: [
    [/\b[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}\b/g, "email"],
    [/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g, "iban"],
    [/\b(?:\d{4}[ -]?){3}\d{4}\b/g, "card number"],
    [/(?:\+\d{1,3}[ .-]?)(?:\(?\d{1,4}\)?[ .-]?){2,5}\d{2,4}\b/g, "phone number"],
  ],
};

/** The text with what the rules name replaced by `[redacted: WHAT]`. The same text gives the same result. */
export function redactText(text: string, rules: readonly RedactionRule[]): string {
  let left = text;
  for (const rule of rules) {
    for (const [pattern, what] of patterns[rule]) left = left.replace(pattern, `[redacted: ${what}]`);
  }
  return left;
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
