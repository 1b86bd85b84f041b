import { sameBytes } from "../../bytes/byte-table.ts";

/** Shorter texts are read as fast as they are compared. */
const SHORTEST = 256;
/** The end of a text is not compared: a history closes behind its last message. */
const END = 64;
/** Longest escape of a JSON string, `\\u00e9`. */
const LONGEST_ESCAPE = 6;
const BACKSLASH = 92;
/** Places for keys; two keys that share one only cost each other's comparison. */
const PLACES = 64;

/**
 * The last long text of each key in a document. A model call repeats the messages of the call before it: what is equal to text that was read
 * already need not be checked again byte by byte.
 */
export class RepeatedTexts {
  readonly #starts = new Int32Array(PLACES);
  readonly #lengths = new Int32Array(PLACES);
  /** 1 where the text has escapes. */
  readonly #escaped = new Uint8Array(PLACES);

  /** Forgets all: another document begins. */
  reset(): void {
    this.#lengths.fill(0);
  }

  /** How many bytes from `at` on repeat the last text of the key, and may be passed over: no escape is cut. */
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

/** The largest length up to `length` that ends in no escape; 0 where there is none near. */
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
