const KEY_LIKE = /\b[spr]k-[A-Za-z0-9*._-]{8,}/g;

/** Takes a key, and whatever looks like one, out of text that a server sent. */
export function redact(text: string, key: string | null): string {
  const without = key === null || key.length < 4 ? text : text.replaceAll(key, "[key]");
  return without.replaceAll(KEY_LIKE, "[key]");
}
