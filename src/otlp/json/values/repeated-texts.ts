import { sameBytes } from "../../bytes/byte-table.ts";

/** Minimum length in bytes of texts that are compared. Reading a shorter text is as fast as comparing it. */
const SHORTEST = 256;
/**
 * Number of bytes at the end of the previous text that are not compared. If a message history has grown, it differs from the previous text
 * only at its end.
 */
const END = 64;
/** Length in bytes of the longest escape in a JSON string, for example `\u00e9`. */
const LONGEST_ESCAPE = 6;
const BACKSLASH = 92;
/** Number of slots for keys. If two keys have the same slot, each replaces the other's text, which only costs time. */
const PLACES = 64;

/**
 * The last long text of each key in a document. A model call repeats the messages of earlier calls, and the repeated part need not be
 * validated again.
 */
export class RepeatedTexts {
  readonly #starts = new Int32Array(PLACES);
  readonly #lengths = new Int32Array(PLACES);
  /** For each slot, 1 if the text contains escapes. */
  readonly #escaped = new Uint8Array(PLACES);

  /** Forgets all texts, before another document is read. */
  reset(): void {
    this.#lengths.fill(0);
  }

  /** Returns how many bytes, from `at` on, repeat the key's last text and can be skipped. The end is never within an escape. */
  repeated(symbol: number, view: DataView, at: number): number {
    const place = symbol & (PLACES - 1);
    const length = (this.#lengths[place] as number) - END;
    if (length < SHORTEST || at + length > view.byteLength) return 0;
    const start = this.#starts[place] as number;
    const cut = cutBefore(view, start, length);
    return cut > 0 && sameBytes(view, start, view, at, cut) ? cut : 0;
  }

  isEscaped(symbol: number): boolean {
    return this.#escaped[symbol & (PLACES - 1)] === 1;
  }

  note(symbol: number, start: number, length: number, isEscaped: boolean): void {
    if (length < SHORTEST) return;
    const place = symbol & (PLACES - 1);
    this.#escaped[place] = isEscaped ? 1 : 0;
    this.#starts[place] = start;
    this.#lengths[place] = length;
  }
}

/** Returns the largest length, at most `length`, that ends between escapes; 0 if there is none within the last 128 bytes. */
function cutBefore(view: DataView, start: number, length: number): number {
  let plain = 0;
  for (let cut = length, at = start + length - 1; at >= start + length - END * 2; at--) {
    if (view.getUint8(at) === BACKSLASH) {
      cut = at - start;
      plain = 0;
    } else if (++plain === LONGEST_ESCAPE) return cut;
  }
  return 0;
}
