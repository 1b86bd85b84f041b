import { JsonScanner } from "../../../otlp/json/json-scanner.ts";
import { type DocumentResult, unreadable } from "../../../otlp/read-result.ts";
import { readJsonRecord } from "./record.ts";
import type { RecordShare } from "../reading-share.ts";
import type { Found, Splitter } from "./splitter.ts";
import { MAX_RECORD, type Window } from "../files/window.ts";

const TAB = 9;
const LINE_FEED = 10;
const RETURN = 13;
const SPACE = 32;
const COMMA = 44;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const NONE = -1;
/** Marks a record that another reader decodes. */
const PASSED = Symbol("passed over");

/**
 * Splits JSON text into documents. Usually each line is one document. If documents span lines, follow each other on a line, or are elements
 * of an array, their brackets show where they end. After a broken document, reading continues at the next line that has the same
 * indentation and begins with a bracket.
 */
export class JsonRecords implements Splitter {
  readonly #window: Window;
  readonly #share: RecordShare | undefined;
  readonly #scanner = new JsonScanner();
  /** Number of the line that contains `window.start`. */
  #line = 1;
  #inArray = false;
  /** Indentation of a broken document while the beginning of the next document is searched; `NONE` otherwise. */
  #lost = NONE;

  constructor(window: Window, share?: RecordShare) {
    this.#window = window;
    this.#share = share;
    const [a, b, c] = window.buffer.subarray(0, window.end);
    if (a === 0xef && b === 0xbb && c === 0xbf) window.start = 3;
  }

  *records(): Generator<Found> {
    while (this.#begin()) {
      const found = this.#record();
      if (found === undefined) return;
      if (found !== PASSED) yield found;
    }
  }

  /** Moves to the next record. Returns false at the end of the window. */
  #begin(): boolean {
    const { buffer, end } = this.#window;
    if (this.#lost !== NONE && !this.#find()) return false;
    let at = this.#window.start;
    for (; at < end; at++) {
      const byte = buffer[at];
      if (byte === LINE_FEED) this.#line++;
      else if (byte === OPEN_ARRAY && !this.#inArray) this.#inArray = true;
      else if (byte === CLOSE_ARRAY && this.#inArray) this.#inArray = false;
      else if (byte !== SPACE && byte !== TAB && byte !== RETURN && byte !== COMMA) break;
    }
    this.#window.start = at;
    return at < end;
  }

  /** Searches for a line with the indentation of the broken record and an opening bracket. */
  #find(): boolean {
    const window = this.#window;
    const { buffer, end, ended } = window;
    for (;;) {
      const feed = indexOfFeed(buffer, window.start, end);
      if (feed < 0) {
        window.start = end;
        return false;
      }
      let visible = feed + 1;
      while (buffer[visible] === SPACE || buffer[visible] === TAB) visible++;
      if (visible >= end && !ended) {
        window.start = feed;
        return false;
      }
      this.#line++;
      window.start = Math.min(visible, end);
      const opens = buffer[visible] === OPEN_OBJECT || buffer[visible] === OPEN_ARRAY;
      if (opens && visible < end && visible - feed - 1 === this.#lost) {
        this.#lost = NONE;
        return true;
      }
      if (visible < end && buffer[visible] !== LINE_FEED) this.#share?.spoiled();
    }
  }

  /** Returns the document at `window.start`; `undefined` if more bytes are needed. */
  #record(): Found | typeof PASSED | undefined {
    const { buffer, start, end, ended } = this.#window;
    if (buffer[start] !== OPEN_OBJECT || this.#inArray) this.#share?.spoiled();
    if (buffer[start] !== OPEN_OBJECT) return this.#unknownRecord();
    if (this.#inArray) return this.#bracketed(undefined);
    const feed = indexOfFeed(buffer, start, end);
    if (feed < 0 && !ended && end - start < MAX_RECORD) return undefined;
    const lineEnd = feed < 0 ? end : feed;
    if (this.#share?.passes(start, lineEnd) === true) {
      this.#window.start = lineEnd;
      return PASSED;
    }
    const result = readJsonRecord(buffer.subarray(start, lineEnd));
    return result.ok ? this.#found(result, lineEnd) : this.#bracketed(result.message);
  }

  /**
   * Returns a document that ends with its closing bracket; `undefined` if more bytes are needed.
   * @param lineProblem why the first line alone is not a complete document
   */
  #bracketed(lineProblem: string | undefined): Found | undefined {
    const { buffer, start, end, ended } = this.#window;
    this.#scanner.view = new DataView(buffer.buffer, buffer.byteOffset, end);
    let next: number;
    try {
      next = this.#scanner.skip(start);
    } catch (error) {
      const { message, offset } = unreadable(error, end);
      if (offset === end && !ended && end - start < MAX_RECORD) return undefined;
      return this.#broken(lineProblem ?? message);
    }
    this.#share?.spoiled();
    return this.#found(readJsonRecord(buffer.subarray(start, next)), next);
  }

  /** Reports a value that is not an object. In an array, reading continues at the next element. */
  #unknownRecord(): Found | undefined {
    const { buffer, start, end, ended } = this.#window;
    const message = "not OTLP: a JSON object was expected here; docs/dumps.md lists the formats";
    if (!this.#inArray) return this.#broken(message);
    this.#scanner.view = new DataView(buffer.buffer, buffer.byteOffset, end);
    let next: number;
    try {
      next = this.#scanner.skip(start);
    } catch (error) {
      if (unreadable(error, end).offset === end && !ended && end - start < MAX_RECORD) return undefined;
      return this.#broken(message);
    }
    if (next === end && !ended) return undefined;
    return this.#found({ ok: false, message, offset: 0 }, next);
  }

  #found(result: DocumentResult, end: number): Found {
    const { start } = this.#window;
    const line = this.#line;
    this.#line += feeds(this.#window.buffer, start, end);
    this.#window.start = end;
    return { result, start, end, line };
  }

  #broken(message: string): Found {
    const { buffer, start, end } = this.#window;
    const line = this.#line;
    this.#lost = indentation(buffer, start);
    if (this.#lost > 0) this.#share?.spoiled();
    this.#window.start = start + 1;
    const feed = indexOfFeed(buffer, start, end);
    return { result: { ok: false, message, offset: 0 }, start, end: feed < 0 ? end : feed, line };
  }
}

function indexOfFeed(buffer: Buffer, start: number, end: number): number {
  const feed = buffer.indexOf(LINE_FEED, start);
  return feed < end ? feed : -1;
}

function feeds(buffer: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = indexOfFeed(buffer, start, end); at >= 0; at = indexOfFeed(buffer, at + 1, end)) count++;
  return count;
}

/** Returns the number of blanks between the beginning of the line and `at`; 0 if the line has other characters before `at`. */
function indentation(buffer: Buffer, at: number): number {
  let from = at;
  while (from > 0 && (buffer[from - 1] === SPACE || buffer[from - 1] === TAB)) from--;
  return from === 0 || buffer[from - 1] === LINE_FEED ? at - from : 0;
}
