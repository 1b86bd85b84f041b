/** A value that differs between two readings of a run. */
export interface Difference {
  /** Path of keys from the run; list positions are `[]`. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Differences of two JSON values: the innermost values, or the lists if their lengths differ. */
export function differencesOf(before: unknown, after: unknown, field = ""): Difference[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((value, at) => differencesOf(value, after[at], `${field}[]`));
  if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    const prefix = field === "" ? "" : `${field}.`;
    return [...keys].flatMap((key) => differencesOf(before[key], after[key], prefix + key));
  }
  return [{ field, before, after }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as one short line. */
export function brief(value: unknown): string {
  const text = value === undefined ? "absent" : JSON.stringify(value);
  return text.length <= 160 ? text : `${text.slice(0, 157)}...`;
}
