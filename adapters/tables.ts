import type { SpanRole } from "./span-roles.ts";

/** The words of a text, which white space separates: a long list of names. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Values of a role attribute: for each role the words that mean it. */
export function rolesOf(wordsByRole: Partial<Record<SpanRole, string>>): Record<string, SpanRole> {
  const entries = Object.entries(wordsByRole) as [SpanRole, string][];
  return Object.fromEntries(entries.flatMap(([role, text]) => words(text).map((word) => [word, role])));
}
