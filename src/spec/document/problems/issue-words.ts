import type { z } from "zod";
import { nearHint } from "./suggest.ts";

type Issue = z.core.$ZodIssue;

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map of keys",
  record: "a map of keys",
  null: "empty",
};

/** Describes the expected value, in words that follow "must be". */
export function expectation(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return ownWords(issue.message) ?? kinds[issue.expected] ?? issue.expected;
    case "invalid_value":
      return oneOf(issue.values.map(String));
    case "too_small":
      return bound(issue.origin, issue.inclusive === false ? "more than" : "at least", Number(issue.minimum));
    case "too_big":
      return bound(issue.origin, issue.inclusive === false ? "less than" : "at most", Number(issue.maximum));
    case "not_multiple_of":
      return `a multiple of ${issue.divisor}`;
    case "invalid_format":
    case "invalid_key":
    case "invalid_element":
    case "unrecognized_keys":
    case "invalid_union":
    case "custom":
      return ownWords(issue.message) ?? "in the documented form";
  }
}

/**
 * Returns the last part of a problem's code, and a hint (null if there is none).
 * @param written text of a scalar in the file, which can differ from its value: `1.10` is the number 1.1
 */
export function describeIssue(
  issue: Issue,
  value: unknown,
  written?: string,
): [code: string, hint: string | null] {
  if (issue.code === "invalid_type")
    return ["wrong-type", ownWords(issue.message) === null ? typeHint(issue.expected, value, written) : null];
  if (issue.code === "invalid_value") return ["not-one-of", choiceHint(issue.values.map(String), value)];
  if (issue.code === "too_big") return ["out-of-range", shareHint(Number(issue.maximum), value)];
  if (issue.code === "too_small") return ["out-of-range", null];
  return ["bad-value", null];
}

/** Whether the value as a whole has another type, or is none of the allowed values. */
export function isKindMismatch(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === "invalid_type" || issue.code === "invalid_value");
}

/** Returns the name of a path in messages: the last key, and the list position from 1. Null for the path of the whole document. */
export function nameOf(path: readonly PropertyKey[]): string | null {
  const key = path.findLast((step) => typeof step === "string");
  const last = path.at(-1);
  if (key === undefined) return typeof last === "number" ? `item ${last + 1}` : null;
  return typeof last === "number" ? `\`${key}\` item ${last + 1}` : `\`${key}\``;
}

/** Returns a value as text for messages. Long values are truncated. `written`: text of a scalar in the file. */
export function shown(value: unknown, written?: string): string {
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (typeof value === "object") return "a map";
  const text = typeof value === "number" ? (written ?? String(value)) : JSON.stringify(value);
  return text.length > 48 ? `${text.slice(0, 45)}…"` : text;
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? (values[0] ?? "") : `one of ${values.join(", ")}`;
}

function bound(origin: string, words: string, limit: number): string {
  if (origin === "string") return limit === 1 ? "non-empty text" : `text of ${words} ${limit} characters`;
  if (origin === "array" || origin === "set") return `a list of ${words} ${limit}`;
  if (origin === "object" || origin === "map") return `a map of ${words} ${limit} keys`;
  return `${words} ${limit}`;
}

function typeHint(expected: string, value: unknown, written?: string): string | null {
  const scalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  if (expected === "array" && scalar)
    return `write a list: [${typeof value === "string" ? JSON.stringify(value) : (written ?? String(value))}]`;
  if (expected === "array" && typeof value === "object" && value !== null)
    return "write a list with this map as its item: put `- ` before the map's first key, or `[…]` around the map";
  if (expected === "string" && scalar) return `put it in quotes: "${written ?? String(value)}"`;
  const numeric = typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value));
  if ((expected === "number" || expected === "int") && numeric) return `without quotes: ${value}`;
  return null;
}

function choiceHint(choices: readonly string[], value: unknown): string | null {
  return typeof value === "string" ? nearHint(value, choices, null) : null;
}

/**
 * Returns a hint for a percentage above 10 where a share from 0 to 1 is expected. A smaller number may also be a grade, so it gets no hint.
 */
function shareHint(maximum: number, value: unknown): string | null {
  return maximum === 1 && typeof value === "number" && value > 10 && value <= 100
    ? `as a share of 1: ${value / 100}`
    : null;
}

/** Returns the message if a schema of Tracejury defines it; null for zod's own messages. */
function ownWords(message: string): string | null {
  return /^(Invalid|Unrecognized|Too)\b/.test(message) ? null : message;
}
