import type { SpanRole } from "./span-roles.ts";

/** Splits a text at white space, for long lists of names. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Values of a role attribute, listed by role. */
export function rolesOf(wordsByRole: Partial<Record<SpanRole, string>>): Record<string, SpanRole> {
  const entries = Object.entries(wordsByRole) as [SpanRole, string][];
  return Object.fromEntries(entries.flatMap(([role, text]) => words(text).map((word) => [word, role])));
}
