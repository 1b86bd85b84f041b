import { freeBuffer } from "./free-buffer.ts";
import type { Refusal } from "../ports.ts";
import type { Reservation } from "../intake/reservation.ts";

/** If a body declares at most this many bytes, all of them are allocated at once. For a larger body, the buffer grows as bytes arrive. */
const TRUSTED = 4 << 20;
const FIRST = 64 << 10;
const EMPTY = Buffer.alloc(0);

/**
 * Collects one body in one buffer. Chunks are copied on arrival, because `Buffer.concat` of a large body
 * costs four times as much as receiving it.
 */
export class BodyBuffer {
  readonly #declared: number | undefined;
  readonly #limit: number;
  readonly #reservation: Reservation;
  #buffer: Buffer = EMPTY;
  #reserved = 0;
  /** Number of received bytes. */
  length = 0;

  constructor(declared: number | undefined, limit: number, reservation: Reservation) {
    this.#declared = declared;
    this.#limit = limit;
    this.#reservation = reservation;
  }

  /** Reserves memory for the declared length. The caller calls `reserve` once, before the first chunk. */
  reserve(): Refusal | null {
    return this.#declared === undefined ? null : this.#reserveTo(this.#declared);
  }

  /**
   * Appends a copy of the chunk. Exception: a chunk that is the complete body is stored without a copy. The caller must therefore not use
   * the chunk afterwards.
   */
  append(chunk: Buffer): Refusal | "too_large" | null {
    const end = this.length + chunk.length;
    if (end > this.#limit) return "too_large";
    if (end === this.#declared && this.length === 0 && ownsItsMemory(chunk)) {
      this.#buffer = chunk;
    } else {
      const refusal = end > this.#buffer.length ? this.#growTo(end) : null;
      if (refusal !== null) return refusal;
      chunk.copy(this.#buffer, this.length);
      freeBuffer(chunk);
    }
    this.length = end;
    return null;
  }

  /**
   * Returns the body as an array with its own memory. The unused part of this memory is at most an eighth of the body's size plus 64 bytes.
   */
  take(): Uint8Array {
    const body = trimmed(this.#buffer, this.length);
    this.#buffer = EMPTY;
    this.#reservation.shrinkTo(this.length);
    return body;
  }

  /** Frees the memory of a body that was not taken. */
  drop(): void {
    freeBuffer(this.#buffer);
    this.#buffer = EMPTY;
  }

  #growTo(end: number): Refusal | null {
    const capacity = this.#capacityFor(end);
    const refusal = this.#reserveTo(capacity);
    if (refusal !== null) return refusal;
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.#buffer.copy(larger, 0, 0, this.length);
    freeBuffer(this.#buffer);
    this.#buffer = larger;
    return null;
  }

  #capacityFor(end: number): number {
    if (this.#declared === undefined) return Math.min(this.#limit, Math.max(FIRST, 2 * end));
    return Math.min(Math.max(this.#declared, end), Math.max(TRUSTED, 4 * end));
  }

  #reserveTo(bytes: number): Refusal | null {
    if (bytes <= this.#reserved) return null;
    const refusal = this.#reservation.grow(bytes - this.#reserved);
    if (refusal === null) this.#reserved = bytes;
    return refusal;
  }
}

/** Returns the first `bytes` of a buffer; as a copy if a view would retain too much unused memory. */
export function trimmed(buffer: Buffer, bytes: number): Uint8Array {
  const part = buffer.subarray(0, bytes);
  if (part.buffer.byteLength <= bytes + (bytes >> 3) + 64) return part;
  const exact = Buffer.allocUnsafeSlow(bytes);
  part.copy(exact);
  return exact;
}

/** Whether the chunk fills its complete `ArrayBuffer`. */
function ownsItsMemory(chunk: Buffer): boolean {
  return chunk.byteLength === chunk.buffer.byteLength;
}

/** Returns a header as one text; several values of the header are joined by commas. */
export function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}
