/*
 * The functions of this file read values of database rows. Drivers return numbers as numbers, bigints or text, and a damaged SQLite file
 * can return any type.
 */

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : null;
}

/** Parses a JSON column; returns null if the JSON is invalid, because the file is damaged. */
export function jsonOrNull(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

/** Returns the texts of a column with a JSON array; empty if the JSON is invalid, because the file is damaged. */
export function textsIn(text: unknown): string[] {
  const value = jsonOrNull(text);
  return Array.isArray(value) ? value.map(String) : [];
}

/** Returns a copy of the bytes, because the buffers that a driver returns may share memory with each other. */
export function bytesIn(value: unknown): Uint8Array {
  if (value instanceof ArrayBuffer) return new Uint8Array(value.slice(0));
  return value instanceof Uint8Array ? Uint8Array.from(value) : new Uint8Array(0);
}
