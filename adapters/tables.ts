import type { SpanRole } from "./span-roles.ts";

/** Splits a text at white space. Used for long lists of names. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Converts the values of a role attribute, listed by role, into a table of roles by value. */
export function rolesOf(wordsByRole: Partial<Record<SpanRole, string>>): Record<string, SpanRole> {
  const entries = Object.entries(wordsByRole) as [SpanRole, string][];
  return Object.fromEntries(entries.flatMap(([role, text]) => words(text).map((word) => [word, role])));
}
