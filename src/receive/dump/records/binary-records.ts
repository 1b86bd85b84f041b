import type { DocumentResult } from "../../../otlp/read-result.ts";
import { inflateRecord, readBinaryRecord } from "./record.ts";
import type { RecordShare } from "../reading-share.ts";
import type { Found, Splitter } from "./splitter.ts";
import { MAX_RECORD, type Window } from "../files/window.ts";
import { messageOf } from "../../../support/structures/error-message.ts";

const PREFIX = 4;

/** Position of a record in the window, or an error that ends the reading of the file. */
interface Frame {
  readonly start: number;
  readonly end: number;
  readonly problem: string | undefined;
}

/** Finds length-prefixed records. */
export class Frames {
  readonly #window: Window;

  constructor(window: Window) {
    this.#window = window;
  }

  /** Returns the records that are completely in the window. */
  *next(): Generator<Frame> {
    const window = this.#window;
    while (window.start < window.end) {
      const { buffer, start, end, ended } = window;
      const length = end - start < PREFIX ? 0 : buffer.readUInt32BE(start);
      const next = start + PREFIX + length;
      if (length > MAX_RECORD)
        yield this.#last(
          `the record's length prefix is ${length} bytes, which is more than the limit: the file is probably damaged`,
        );
      else if (next > end && !ended) return;
      else if (next > end) yield this.#last("the file ends in the middle of a record");
      else {
        window.start = next;
        yield { start: start + PREFIX, end: next, problem: undefined };
      }
    }
  }

  /** Ends the file with an error. */
  #last(problem: string): Frame {
    const { start, end } = this.#window;
    this.#window.start = end;
    this.#window.ended = true;
    return { start, end, problem };
  }
}

/** Reads length-prefixed records. After a record that cannot be decoded, reading continues at the next record. */
export class FramedRecords implements Splitter {
  readonly #window: Window;
  readonly #frames: Frames;
  readonly #share: RecordShare | undefined;
  #record = 0;

  constructor(window: Window, share?: RecordShare) {
    this.#window = window;
    this.#share = share;
    this.#frames = new Frames(window);
  }

  *records(): Generator<Found> {
    for (const { start, end, problem } of this.#frames.next()) {
      const line = ++this.#record;
      if (problem === undefined && this.#share?.passes(start, end) === true) continue;
      if (problem === undefined)
        yield { result: read(this.#window.buffer.subarray(start, end)), start, end, line };
      else yield { result: { ok: false, message: problem, offset: 0 }, start, end, line };
    }
  }
}

function read(record: Uint8Array): DocumentResult {
  let body: Uint8Array;
  try {
    body = inflateRecord(record);
  } catch (error) {
    const reason = messageOf(error);
    return { ok: false, message: `the record cannot be decompressed: ${reason}`, offset: 0 };
  }
  return readBinaryRecord(body);
}

/** Reads a file that consists of one request. */
export class RawRecord implements Splitter {
  readonly #window: Window;

  constructor(window: Window) {
    this.#window = window;
  }

  *records(): Generator<Found> {
    const window = this.#window;
    const { buffer, start, end } = window;
    if (!window.ended && end - start <= MAX_RECORD) return;
    window.start = end;
    const result: DocumentResult = window.ended
      ? readBinaryRecord(buffer.subarray(start, end))
      : {
          ok: false,
          message: `the file is a single request and larger than ${MAX_RECORD >> 20} MiB: export it as several requests`,
          offset: 0,
        };
    window.ended = true;
    yield { result, start, end, line: 1 };
  }
}
