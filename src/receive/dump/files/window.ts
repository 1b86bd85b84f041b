import type { ByteSource } from "./file-source.ts";

/** Buffer size in bytes. V8 would allocate larger buffers in the old generation, where only a full collection frees them. */
const CHUNK = 512 << 10;
/**
 * Buffer size as a multiple of the largest record. The part of a record at the end of a buffer is copied to the next buffer, so small
 * buffers would cost many copies of large records.
 */
const LARGE_RECORDS = 4;
const LARGEST_CHUNK = 8 << 20;
/** Records above this size in bytes are rejected. */
export const MAX_RECORD = 512 << 20;

/**
 * The part of a source that is in memory. The bytes from `start` to `end` of `buffer` are unread. Each fill allocates a new buffer, because
 * batches still reference the previous buffer. If `reuses` is true, no batch references the buffer; it is then replaced only if a record
 * needs a larger one.
 */
export class Window {
  buffer: Buffer;
  start = 0;
  end = 0;
  /** Whether the source has been read to its end. */
  ended = false;
  readonly #source: ByteSource;
  readonly #reuses: boolean;
  /** Number of source bytes before `buffer`. */
  #before = 0;
  /** Largest number of unread bytes that were copied to the next buffer; usually they are the beginning of a record. */
  #longestRest = 0;

  /** @param expected estimated size of the source in bytes */
  constructor(source: ByteSource, expected: number, reuses = false) {
    this.#source = source;
    this.#reuses = reuses;
    this.buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK, expected + 1));
  }

  /** Returns the source offset of position `at` in the buffer. */
  position(at: number): number {
    return this.#before + at;
  }

  /** Reads more bytes, and appends them to the unread bytes. Throws if the source fails; the unread bytes stay valid. */
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
