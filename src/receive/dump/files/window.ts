import type { ByteSource } from "./file-source.ts";

/** Small enough to be garbage before it is old: large buffers pile up until all of memory is collected. */
const CHUNK = 512 << 10;
/** Bytes read at a time when records are large: a record that continues in the next buffer is copied. */
const LARGE_RECORDS = 4;
const LARGEST_CHUNK = 8 << 20;
/** A record larger than this is not read. */
export const MAX_RECORD = 512 << 20;

/**
 * The part of a source that is in memory: [start, end) of `buffer` is not taken yet. Each filling makes a buffer of its own, because the
 * batches made from the last one keep it, unless `reuses` says that nothing does.
 */
export class Window {
  buffer: Buffer;
  start = 0;
  end = 0;
  /** Nothing follows after `end`. */
  ended = false;
  readonly #source: ByteSource;
  readonly #reuses: boolean;
  /** Bytes of the source before `buffer`. */
  #before = 0;
  /** The most that was ever read of a record before it was whole. */
  #longestRest = 0;

  /** `expected`: about how many bytes the source has. */
  constructor(source: ByteSource, expected: number, reuses = false) {
    this.#source = source;
    this.#reuses = reuses;
    this.buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK, expected + 1));
  }

  /** Bytes of the source up to `at` in the buffer. */
  position(at: number): number {
    return this.#before + at;
  }

  /** Reads further and keeps unread bytes. Throws if the source fails; bytes in memory stay. */
  async fill(): Promise<void> {
    const rest = this.end - this.start;
    const stays = this.end === 0 || (this.#reuses && rest * 2 <= this.buffer.length);
    this.#longestRest = Math.max(this.#longestRest, rest);
    const buffer = stays ? this.buffer : Buffer.allocUnsafeSlow(this.#sizeFor(rest));
    this.buffer.copy(buffer, 0, this.start, this.end);
    this.#before += this.start;
    this.buffer = buffer;
    this.start = 0;
    this.end = rest;
    try {
      for (let count = 1; count > 0 && this.end < buffer.length; this.end += count) {
        count = await this.#source.read(buffer, this.end);
        this.ended = count === 0;
      }
    } catch (error) {
      this.ended = true;
      throw error;
    }
  }

  #sizeFor(rest: number): number {
    return Math.max(CHUNK, rest * 2, Math.min(LARGEST_CHUNK, this.#longestRest * LARGE_RECORDS));
  }
}
