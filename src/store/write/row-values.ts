/*
 * Values of rows. The drivers give numbers as numbers, bigints or text, and a damaged SQLite file gives anything.
 */

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : null;
}

/** The value of a column that holds JSON; null where damage has made it something else. */
export function jsonOrNull(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

/** The texts of a column that holds a JSON array of them; empty where damage has made it something else. */
export function textsIn(text: unknown): string[] {
  const value = jsonOrNull(text);
  return Array.isArray(value) ? value.map(String) : [];
}

/** A copy of its own: the drivers give bytes as buffers, which may share their memory with others. */
export function bytesIn(value: unknown): Uint8Array {
  if (value instanceof ArrayBuffer) return new Uint8Array(value.slice(0));
  return value instanceof Uint8Array ? Uint8Array.from(value) : new Uint8Array(0);
}
