import type { Batch } from "../rows/batch.ts";
import { hashBytes, sameBytes } from "./byte-table.ts";

/** Maximum size in bytes of strings in the cache. Typical cached strings are names, models, tools and roles. */
const SHORT = 64;
const CELLS = 1 << 12;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const Cell = {
  hash: 0,
  length: 1,
  /** Hash of the last string that was seen once and is not cached yet. */
  once: 2,
} as const;
const CELL_WIDTH = 4;

/**
 * Cache of short strings that were seen at least twice, with one cell for each hash. A new string replaces the string in its cell, so the
 * cache has a fixed size. Ids are rarely repeated, so they do not displace names.
 */
class TextCache {
  private readonly bytes = new DataView(new ArrayBuffer(CELLS * SHORT));
  private readonly texts: string[] = Array.from({ length: CELLS }, () => "");
  /** Fields of all cells (see `Cell`), side by side, so that a look-up loads one cache line. */
  private readonly cells = new Int32Array(CELLS * CELL_WIDTH);

  get(view: DataView, offset: number, length: number): string {
    const hash = hashBytes(view, offset, length);
    const cell = hash & (CELLS - 1);
    const at = cell * CELL_WIDTH;
    const { cells } = this;
    if (cells[at + Cell.hash] === hash && cells[at + Cell.length] === length) {
      if (sameBytes(this.bytes, cell * SHORT, view, offset, length)) return this.texts[cell] ?? "";
    }
    const source = new Uint8Array(view.buffer, view.byteOffset + offset, length);
    const text = decoder.decode(source);
    if (cells[at + Cell.once] === hash) this.keep(cell, hash, source, text);
    else cells[at + Cell.once] = hash;
    return text;
  }

  private keep(cell: number, hash: number, bytes: Uint8Array, text: string): void {
    this.cells[cell * CELL_WIDTH + Cell.hash] = hash;
    this.cells[cell * CELL_WIDTH + Cell.length] = bytes.length;
    this.texts[cell] = text;
    new Uint8Array(this.bytes.buffer, cell * SHORT, bytes.length).set(bytes);
  }
}

const cache = new TextCache();

/** Decodes UTF-8. Invalid bytes become replacement characters. */
export function decodeText(view: DataView, offset: number, length: number): string {
  if (length === 0) return "";
  if (length <= SHORT) return cache.get(view, offset, length);
  return decoder.decode(new Uint8Array(view.buffer, view.byteOffset + offset, length));
}

/** Decodes a JSON string that contains escapes. The reader has already validated the string. */
export function decodeEscaped(view: DataView, offset: number, length: number): string {
  const literal = decoder.decode(new Uint8Array(view.buffer, view.byteOffset + offset - 1, length + 2));
  return JSON.parse(literal) as string;
}

/** Decodes the escapes of a JSON string that is given without its quotes. */
export function unescape(text: string): string {
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
}

/** Returns the text that the two ints at `at` of a batch's rows refer to. */
export function textAt(batch: Batch, at: number): string {
  const offset = batch.rows[at] as number;
  const length = batch.rows[at + 1] as number;
  return length < 0 ? decodeEscaped(batch.view, offset, ~length) : decodeText(batch.view, offset, length);
}

const DIGITS = new Uint8Array(Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0)));

/** Returns an id of two or four 32-bit words as lower-case hex digits. */
export function hexAt(rows: Int32Array, at: number, words: number): string {
  const first = hexOfTwo(rows[at] as number, rows[at + 1] as number);
  return words === 2 ? first : first + hexOfTwo(rows[at + 2] as number, rows[at + 3] as number);
}

/** Returns a trace id's four words as lower-case hex. */
export function hexOf([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string {
  return hexOfTwo(a, b) + hexOfTwo(c, d);
}

/** Converts a trace id from hex digits into four words. */
export function wordsOf(traceId: string): [number, number, number, number] {
  return [wordAt(traceId, 0), wordAt(traceId, 8), wordAt(traceId, 16), wordAt(traceId, 24)];
}

/** Converts eight hex digits into a word, with the first byte as the lowest (little-endian). */
function wordAt(hex: string, at: number): number {
  const word = parseInt(hex.slice(at, at + 8), 16);
  return (word >>> 24) | ((word >>> 8) & 0xff00) | ((word & 0xff00) << 8) | (word << 24);
}

/**
 * Returns the 16 hex digits of two little-endian words. All digits are converted in one step, because ids are map keys, and V8 would
 * flatten a concatenated string at each look-up.
 */
function hexOfTwo(low: number, high: number): string {
  return String.fromCharCode(
    digit(low >>> 4),
    digit(low),
    digit(low >>> 12),
    digit(low >>> 8),
    digit(low >>> 20),
    digit(low >>> 16),
    digit(low >>> 28),
    digit(low >>> 24),
    digit(high >>> 4),
    digit(high),
    digit(high >>> 12),
    digit(high >>> 8),
    digit(high >>> 20),
    digit(high >>> 16),
    digit(high >>> 28),
    digit(high >>> 24),
  );
}

function digit(bits: number): number {
  return DIGITS[bits & 15] as number;
}

/**
 * Returns a time in milliseconds since 1970: the double that is nearest to the exact time. The rows contain the time in nanoseconds as two
 * words; as an integer, it would not fit into a double.
 */
export function millisecondsAt(rows: Int32Array, at: number): number {
  const low = (rows[at] as number) >>> 0;
  const high = (rows[at + 1] as number) >>> 0;
  const whole = Math.floor((high * 4_294_967_296 + low) / 1e6);
  // `whole` is at most one too large or too small, so the remaining nanoseconds are exact in 32 bits.
  const nanoseconds = (low - Math.imul(whole, 1e6)) | 0;
  return whole + nanoseconds / 1e6;
}

/** Returns the exact time in nanoseconds since 1970, which the rows contain as two words. */
export function nanosecondsAt(rows: Int32Array, at: number): bigint {
  const low = BigInt.asUintN(32, BigInt(rows[at] as number));
  const high = BigInt.asUintN(32, BigInt(rows[at + 1] as number));
  return (high << 32n) | low;
}
