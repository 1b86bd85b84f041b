/** Number of characters in the rolling hash, and minimum length of the texts to find. */
export const SHORTEST_TEXT = 8;
const BASE = 31;
/** BASE to the power of SHORTEST_TEXT, modulo 2^32: factor of the character that leaves the hashed window. */
const LEAVING = Array.from({ length: SHORTEST_TEXT }).reduce<number>((power) => Math.imul(power, BASE), 1);
const SLOTS = 2 ** 20;

/** Finds many texts in another text (Rabin-Karp). The time does not depend on how many texts there are. */
export class TextFinder {
  readonly #byStart = new Map<string, Set<string>>();
  /** For each hash slot: 1 if the beginning of a text has a hash with this slot. */
  readonly #slots = new Uint8Array(SLOTS);

  /** @param text at least SHORTEST_TEXT characters long */
  add(text: string): void {
    const start = text.slice(0, SHORTEST_TEXT);
    const known = this.#byStart.get(start) ?? new Set();
    this.#byStart.set(start, known.add(text));
    let hash = 0;
    for (let at = 0; at < SHORTEST_TEXT; at++) hash = Math.imul(hash, BASE) + start.charCodeAt(at);
    this.#slots[hash & (SLOTS - 1)] = 1;
  }

  delete(text: string): void {
    const start = text.slice(0, SHORTEST_TEXT);
    const known = this.#byStart.get(start);
    if (known?.delete(text) === true && known.size === 0) this.#byStart.delete(start);
  }

  /** Replaces all occurrences of the texts; at each position, the longest counts. */
  replaceIn(text: string, replacementOf: (found: string) => string): string {
    if (this.#byStart.size === 0) return text;
    let clean = "";
    let done = 0;
    let hash = 0;
    for (let end = 0; end < text.length; end++) {
      hash = Math.imul(hash, BASE) + text.charCodeAt(end);
      const start = end - SHORTEST_TEXT + 1;
      if (start > 0) hash -= Math.imul(LEAVING, text.charCodeAt(start - 1));
      hash |= 0;
      if (start < done || this.#slots[hash & (SLOTS - 1)] === 0) continue;
      const found = this.#longestAt(text, start);
      if (found === null) continue;
      clean += text.slice(done, start) + replacementOf(found);
      done = start + found.length;
    }
    return done === 0 ? text : clean + text.slice(done);
  }

  #longestAt(text: string, start: number): string | null {
    let longest: string | null = null;
    for (const one of this.#byStart.get(text.slice(start, start + SHORTEST_TEXT)) ?? [])
      if (one.length > (longest?.length ?? 0) && text.startsWith(one, start)) longest = one;
    // The letter after a backslash in JSON belongs to the escape, and not to the text.
    return longest !== null && isEscaped(text, start) ? null : longest;
  }
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === 92) slashes++;
  return slashes % 2 === 1;
}
