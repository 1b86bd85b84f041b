import { readHex } from "../../../otlp/json/values/json-ids.ts";
import { protobufTraceIds } from "../../../otlp/protobuf/protobuf-trace-ids.ts";
import { words } from "../../../otlp/protobuf/protobuf-spans.ts";
import { Frames } from "../records/binary-records.ts";
import { openSource } from "../files/byte-source.ts";
import { formOf } from "../records/form.ts";
import type { LastPositions } from "./last-positions.ts";
import type { DumpPath } from "../files/paths.ts";
import { inflateRecord } from "../records/record.ts";
import { Window } from "../files/window.ts";

const BRACE = 123;
const QUOTE = 34;
const COLON = 58;
/** Length in bytes of the longest field `"traceId": "..."`, including blanks, that the search recognises. */
const REACH = 256;

/**
 * Records the positions of all trace ids in one file, without decoding the file. Returns the file's decompressed length in bytes. Parts
 * that cannot be read are skipped; the second pass, which decodes the file, reports them.
 */
export async function indexDump(dump: DumpPath, base: number, positions: LastPositions): Promise<number> {
  const source = openSource(dump.path);
  const window = new Window(source, dump.size, true);
  try {
    await window.fill();
    const form = formOf(window.buffer.subarray(0, window.end), window.ended);
    const indexer = new Indexer(window, base, positions);
    for (;;) {
      if (form === "json") indexer.json();
      else if (form === "framed") indexer.framed();
      else indexer.raw();
      if (window.ended) break;
      await window.fill();
    }
  } catch {
    // Errors are ignored here; the second pass, which decodes the file, reports them.
  } finally {
    source.close();
  }
  return window.position(window.end);
}

class Indexer {
  readonly #window: Window;
  readonly #base: number;
  readonly #positions: LastPositions;
  readonly #frames: Frames;
  readonly #words = new Int32Array(4);

  constructor(window: Window, base: number, positions: LastPositions) {
    this.#window = window;
    this.#base = base;
    this.#positions = positions;
    this.#frames = new Frames(window);
  }

  /** Searches the window for trace ids. Quotes inside JSON strings are escaped, so each `"traceId"` is a field name. */
  json(): void {
    const window = this.#window;
    const { start, end } = window;
    this.#search(window.buffer.subarray(start, end), (at) => this.#note(start + at));
    if (!window.ended) window.start = Math.max(start, end - REACH);
    else window.start = end;
  }

  framed(): void {
    for (const { start, end, problem } of this.#frames.next()) {
      if (problem === undefined) this.#record(this.#window.buffer.subarray(start, end), end);
    }
  }

  raw(): void {
    const window = this.#window;
    if (!window.ended) return;
    this.#record(window.buffer.subarray(window.start, window.end), window.end);
    window.start = window.end;
  }

  #record(record: Uint8Array, end: number): void {
    const body = inflated(record);
    const view = new DataView(body.buffer, body.byteOffset, body.length);
    if (body[0] === BRACE) this.#search(body, () => this.#note(end));
    else {
      protobufTraceIds(view, (at) => {
        words(view, at, 4, this.#words, 0);
        this.#note(end);
      });
    }
  }

  #note(at: number): void {
    this.#positions.note(this.#words, this.#base + this.#window.position(at));
  }

  /** Calls `found` with the position of each trace id in JSON text. During the call, `#words` contains the id. */
  #search(text: Uint8Array, found: (at: number) => void): void {
    const buffer = Buffer.from(text.buffer, text.byteOffset, text.length);
    const view = new DataView(text.buffer, text.byteOffset, text.length);
    for (let at = nextName(buffer, 0); at >= 0; at = nextName(buffer, at + NAME.length)) {
      const digits = digitsAfter(buffer, at + NAME.length);
      if (digits < 0 || digits + 32 > buffer.length) continue;
      if (readHex(view, digits, 4, this.#words, 0)) found(at);
    }
  }
}

/** Returns the decompressed record. If decompression fails, returns an empty record; the second pass reports the error. */
function inflated(record: Uint8Array): Uint8Array {
  try {
    return inflateRecord(record);
  } catch {
    return record.subarray(0, 0);
  }
}

const NAME = Buffer.from('"trace');
/** The letter after `trace` in `traceId` and `trace_id`. `I` and `_` are rare in text, so the search seldom stops at other texts. */
const NEXT = Buffer.from("I_");
const LAST = NAME.length;
/** For each byte value at the search position: by how many bytes the search can advance without missing a letter of `NEXT`. */
const SKIP = new Uint8Array(256).fill(NAME.length + 1);
for (const [at, byte] of NAME.entries()) SKIP[byte] = LAST - at;
for (const byte of NEXT) SKIP[byte] = 0;

/**
 * Returns the position of the next `"traceI` or `"trace_` at or after `from`; -1 if there is none. `digitsAfter` then checks the complete
 * name. Uses the Boyer-Moore-Horspool algorithm. Node's own search would be slower, because it stops at each quote.
 */
function nextName(text: Uint8Array, from: number): number {
  const { length } = text;
  for (let at = from + LAST; at < length;) {
    const skip = SKIP[text[at] as number] as number;
    if (skip > 0) at += skip;
    else if (isName(text, at - LAST)) return at - LAST;
    else at++;
  }
  return -1;
}

function isName(text: Uint8Array, at: number): boolean {
  for (let i = LAST - 1; i >= 0; i--) if (text[at + i] !== NAME[i]) return false;
  return true;
}

/** Returns the position of the id's digits if the field at `p` is `traceId` or `trace_id`; otherwise -1. */
function digitsAfter(buffer: Buffer, p: number): number {
  let at = buffer[p] === 95 ? p + 1 : p;
  if (((buffer[at] ?? 0) | 32) !== 105 || buffer[at + 1] !== 100 || buffer[at + 2] !== QUOTE) return -1;
  at = visible(buffer, at + 3);
  if (buffer[at] !== COLON) return -1;
  at = visible(buffer, at + 1);
  return buffer[at] === QUOTE ? at + 1 : -1;
}

function visible(buffer: Buffer, p: number): number {
  let at = p;
  while (at - p < REACH / 4 && (buffer[at] ?? 255) <= 32) at++;
  return at;
}
