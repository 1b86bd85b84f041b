/** Returns a pattern for `match` that ignores case. */
export function sticky(source: string): RegExp {
  return new RegExp(source, "iuy");
}

/** Returns what a sticky pattern matches at a position of a text. */
export function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns a map of words to values, from rows of words that are separated by spaces. */
export function byWord<Value>(
  rows: readonly (readonly [value: Value, words: string])[],
): ReadonlyMap<string, Value> {
  return new Map(rows.flatMap(([value, words]) => words.split(" ").map((word) => [word, value] as const)));
}
