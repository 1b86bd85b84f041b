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
