import type { Batch } from "./batch.ts";
import { hashBytes, sameBytes } from "./byte-table.ts";

/** Strings up to this many bytes are kept and shared: names, models, tools, roles. */
const SHORT = 64;
const CELLS = 1 << 14;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The last short strings seen, one cell for each hash: a newcomer takes the cell, so the cache needs no bound but its size. */
class TextCache {
  private readonly bytes = new DataView(new ArrayBuffer(CELLS * SHORT));
  private readonly hashes = new Int32Array(CELLS);
  private readonly texts: string[] = Array.from({ length: CELLS }, () => "");
  private readonly lengths = new Uint8Array(CELLS);

  get(view: DataView, offset: number, length: number): string {
    const hash = hashBytes(view, offset, length);
    const cell = hash & (CELLS - 1);
    const at = cell * SHORT;
    if (this.hashes[cell] === hash && this.lengths[cell] === length) {
      if (sameBytes(this.bytes, at, view, offset, length)) return this.texts[cell] ?? "";
    }
    const source = new Uint8Array(view.buffer, view.byteOffset + offset, length);
    const text = decoder.decode(source);
    this.hashes[cell] = hash;
    this.lengths[cell] = length;
    this.texts[cell] = text;
    new Uint8Array(this.bytes.buffer, at, length).set(source);
    return text;
  }
}

const cache = new TextCache();

/** Decodes UTF-8; bytes that are none become replacement characters. */
export function decodeText(view: DataView, offset: number, length: number): string {
  if (length === 0) return "";
  if (length <= SHORT) return cache.get(view, offset, length);
  return decoder.decode(new Uint8Array(view.buffer, view.byteOffset + offset, length));
}

/** Decodes the inside of a JSON string that has escapes. The reader has checked it. */
export function decodeEscaped(view: DataView, offset: number, length: number): string {
  const literal = decoder.decode(new Uint8Array(view.buffer, view.byteOffset + offset - 1, length + 2));
  return JSON.parse(literal) as string;
}

/** The text that the two ints at `at` of a batch's rows point to. */
export function textAt(batch: Batch, at: number): string {
  const offset = batch.rows[at] as number;
  const length = batch.rows[at + 1] as number;
  return length < 0 ? decodeEscaped(batch.view, offset, ~length) : decodeText(batch.view, offset, length);
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Lower-case hex of an id's words. */
export function hexAt(rows: Int32Array, at: number, words: number): string {
  let hex = "";
  for (let i = at; i < at + words; i++) {
    const word = rows[i] as number;
    hex += byteHex(word) + byteHex(word >>> 8) + byteHex(word >>> 16) + byteHex(word >>> 24);
  }
  return hex;
}

const lastWords = new Int32Array(4);
let lastTraceId = "";

/** Lower-case hex of a trace id. Spans are looked at trace by trace, so the last one is mostly the same. */
export function traceHexAt(rows: Int32Array, at: number): string {
  let same = lastTraceId !== "";
  for (let i = 0; i < 4; i++) if (rows[at + i] !== lastWords[i]) same = false;
  if (same) return lastTraceId;
  for (let i = 0; i < 4; i++) lastWords[i] = rows[at + i] as number;
  return (lastTraceId = hexAt(rows, at, 4));
}

function byteHex(byte: number): string {
  return HEX[byte & 255] as string;
}

/** Milliseconds since 1970 from the two words of a time in nanoseconds. */
export function millisecondsAt(rows: Int32Array, at: number): number {
  const low = (rows[at] as number) >>> 0;
  const high = (rows[at + 1] as number) >>> 0;
  return (high * 4_294_967_296 + low) / 1e6;
}
