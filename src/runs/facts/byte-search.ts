import type { TextBytes } from "../../model/telemetry/span-view.ts";

/** Number of leading bytes of a text that are decoded to recognise its form. */
const HEAD = 256;
const BACKSLASH = 92;
/** Length in bytes of the longest escape in a JSON string, for example `\u00e9`. */
const LONGEST_ESCAPE = 6;

/** Finds an ASCII word in encoded texts, without decoding them (Horspool's search). */
export class ByteWord {
  readonly #codes: readonly number[];
  /** Shift distance, by the byte at the word's end. */
  readonly #shifts: Uint8Array;

  constructor(word: string) {
    this.#codes = Array.from(word, (char) => char.charCodeAt(0));
    const last = word.length - 1;
    this.#shifts = new Uint8Array(256).fill(word.length);
    for (let at = 0; at < last; at++) this.#shifts[word.charCodeAt(at)] = last - at;
  }

  /** Returns false if the text cannot contain the word, and true if it may, for example because letters are escaped. */
  mayBeIn(text: TextBytes): boolean {
    return this.#isIn(text) || (this !== escapedAscii && escapedAscii.#isIn(text));
  }

  #isIn({ view, start, end }: TextBytes): boolean {
    const codes = this.#codes;
    const last = codes.length - 1;
    for (let at = start; at + last < end;) {
      const code = view.getUint8(at + last);
      let left = code === codes[last] ? last - 1 : -2;
      while (left >= 0 && view.getUint8(at + left) === codes[left]) left--;
      if (left === -1) return true;
      at += this.#shifts[code] as number;
    }
    return false;
  }
}

const escapedAscii = new ByteWord("\\u00");

/**
 * Returns the first 256 bytes of a text, decoded. The end is moved back to a position that splits no escape and no character; the result
 * may be empty.
 */
export function headOf(text: TextBytes): string {
  let end = Math.min(text.end, text.start + HEAD);
  if (end < text.end) while (end > text.start && !isBetweenCharacters(text, end)) end--;
  return text.slice(text.start, end);
}

function isBetweenCharacters({ view, start }: TextBytes, at: number): boolean {
  if (view.getUint8(at) > 127) return false;
  for (let before = Math.max(start, at - LONGEST_ESCAPE); before < at; before++)
    if (view.getUint8(before) === BACKSLASH) return false;
  return true;
}
