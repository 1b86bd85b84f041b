import zlib from "node:zlib";
import { trimmed } from "./body-buffer.ts";
import type { Coding } from "./content-coding.ts";
import { freeBuffer } from "./free-buffer.ts";
import type { Inflated } from "./inflated.ts";
import type { Refusal } from "../ports.ts";
import type { Reservation } from "../intake/reservation.ts";
import { LARGE_BODY_BYTES } from "../connection/turns.ts";
import { unzstd } from "./zstd.ts";

/** Maximum compression ratio of deflate: two bits can represent 258 bytes. */
const MAX_DEFLATE_RATIO = 1032;
const MAX_CHUNK = 2 << 20;
const MIN_CHUNK = 1 << 10;
/** Additional bytes in the first chunk. With them, an output of exactly the expected size needs no second chunk. */
const SLACK = 64;
const EMPTY = Buffer.alloc(0);

/**
 * Waits until a body with this many decompressed bytes may be decompressed. For a small body, resolves at once. Resolves to a refusal if
 * too many bodies wait, or if the sender has disconnected.
 */
export type AwaitTurn = (bytes: number) => Promise<Refusal | null>;

/**
 * Decompresses a body outside the main thread. Memory for an estimated size is reserved first, and further memory as the output grows.
 * Decompression stops when the output exceeds `limit` bytes. Large bodies wait for their turn.
 */
export async function inflate(
  coding: Coding,
  body: Uint8Array,
  limit: number,
  reservation: Reservation,
  awaitTurn: AwaitTurn,
): Promise<Inflated> {
  if (coding === "zstd") return unzstd(body, limit, reservation, awaitTurn);
  const expected = expectedSize(coding, body, limit) + SLACK;
  const refusal = (await awaitTurn(expected)) ?? reservation.grow(expected);
  if (refusal !== null) return refusal;
  return new Promise((resolve) => {
    const stream = decoder(coding, body, Math.min(expected, MAX_CHUNK));
    new Inflation(stream, expected, limit, reservation, awaitTurn, resolve).run(body);
  });
}

type ZlibCoding = Exclude<Coding, "zstd">;
type Decoder = zlib.Gunzip | zlib.Inflate | zlib.InflateRaw;

class Inflation {
  readonly #stream: Decoder;
  readonly #limit: number;
  readonly #reservation: Reservation;
  readonly #awaitTurn: AwaitTurn;
  readonly #resolve: (result: Inflated) => void;
  readonly #pieces: Buffer[] = [];
  #reserved: number;
  #length = 0;
  #hasTurn = false;

  constructor(
    stream: Decoder,
    reserved: number,
    limit: number,
    reservation: Reservation,
    awaitTurn: AwaitTurn,
    resolve: (result: Inflated) => void,
  ) {
    this.#stream = stream;
    this.#reserved = reserved;
    this.#limit = limit;
    this.#reservation = reservation;
    this.#awaitTurn = awaitTurn;
    this.#resolve = resolve;
  }

  run(body: Uint8Array): void {
    this.#stream.on("data", (piece: Buffer) => this.#add(piece));
    this.#stream.on("end", () => this.#resolve({ kind: "whole", body: this.#join() }));
    this.#stream.on("error", (error) => this.#stop({ kind: "malformed", message: error.message }));
    this.#stream.end(body);
  }

  #add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > this.#limit) return this.#stop({ kind: "too_large" });
    const refusal = this.#reservation.grow(this.#length - this.#reserved);
    if (refusal !== null) return this.#stop(refusal);
    this.#reserved = Math.max(this.#reserved, this.#length);
    this.#pieces.push(piece);
    if (this.#length > LARGE_BODY_BYTES && !this.#hasTurn) void this.#pauseForTurn();
  }

  /** If the output exceeds the size of a small body, waits for the body's turn. */
  async #pauseForTurn(): Promise<void> {
    this.#hasTurn = true;
    this.#stream.pause();
    const refusal = await this.#awaitTurn(this.#length);
    if (refusal !== null) return this.#stop(refusal);
    this.#stream.resume();
  }

  #stop(result: Inflated): void {
    // Frees all chunks but the last, because the decoder may still write into the last chunk.
    for (const [index, piece] of this.#pieces.entries()) this.#freeBehind(piece, this.#pieces[index + 1]);
    this.#pieces.length = 0;
    this.#resolve(result);
    this.#stream.destroy();
  }

  /**
   * Frees the chunk that contains the piece, if the chunk has the full size `MAX_CHUNK`. Does nothing if the next piece is in the same
   * chunk, or if `next` is undefined, because the decoder may still write into this chunk.
   */
  #freeBehind({ buffer }: Buffer, next: Buffer | undefined): void {
    const isLast = next === undefined || next.buffer === buffer;
    if (!isLast && buffer.byteLength >= MAX_CHUNK) freeBuffer(new Uint8Array(buffer));
  }

  /**
   * Joins the pieces, and frees each large chunk as soon as it is copied. If all chunks were freed at the end, pieces and body together would
   * need twice the reserved memory.
   */
  #join(): Uint8Array {
    const pieces = this.#pieces;
    const first = pieces[0];
    if (first !== undefined && pieces.length === 1) return trimmed(first, first.length);
    const whole = Buffer.allocUnsafeSlow(this.#length);
    let at = 0;
    for (const [index, piece] of pieces.entries()) {
      at += piece.copy(whole, at);
      this.#freeBehind(piece, pieces[index + 1] ?? EMPTY);
    }
    return whole;
  }
}

function decoder(coding: ZlibCoding, body: Uint8Array, chunkSize: number): Decoder {
  if (coding === "gzip") return zlib.createGunzip({ chunkSize });
  return hasZlibHeader(body) ? zlib.createInflate({ chunkSize }) : zlib.createInflateRaw({ chunkSize });
}

/** Whether the body begins with a zlib header (RFC 1950): method 8, and the first two bytes, as one big-endian number, divisible by 31. */
function hasZlibHeader(body: Uint8Array): boolean {
  const [first = 0, second = 0] = body;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

/**
 * Returns the number of bytes to reserve before the first chunk arrives. For gzip: the size in the trailer, but at most the limit and 1032
 * times the input (deflate's maximum ratio). For other codings: four times the input, a usual ratio for telemetry, but at most 2 MiB and
 * the limit. At least 1 KiB is reserved, or the size of the input up to 2 MiB.
 */
function expectedSize(coding: Coding, body: Uint8Array, limit: number): number {
  const most = Math.min(limit, MAX_CHUNK);
  const least = Math.max(MIN_CHUNK, Math.min(body.length, most));
  if (coding !== "gzip" || body.length < 18) return Math.max(least, Math.min(4 * body.length, most));
  const size = new DataView(body.buffer, body.byteOffset + body.length - 4, 4).getUint32(0, true);
  return Math.max(least, Math.min(size, limit, body.length * MAX_DEFLATE_RATIO));
}
