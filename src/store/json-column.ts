/** The value of a column that holds JSON; null where damage has made it something else. */
export function jsonIn(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

/** The texts of a column that holds a JSON array of them; empty where damage has made it something else. */
export function textsIn(text: unknown): string[] {
  const value = jsonIn(text);
  return Array.isArray(value) ? value.map(String) : [];
}

/** SQL of a column that holds a JSON object; an empty one where damage has made it something else, as SQLite's functions fail for that. */
export function soundJson(column: string): string {
  return `CASE WHEN typeof(${column}) = 'text' AND json_valid(${column}) THEN ${column} ELSE '{}' END`;
}
