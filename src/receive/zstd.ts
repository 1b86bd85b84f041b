import { Decompress } from "fzstd";
import type { Inflated } from "./inflated.ts";
import type { Reservation } from "./reservation.ts";
import { readZstdFrames } from "./zstd-frames.ts";

/** What every decoder is asked to support (RFC 8878 §3.1.1.1.2). */
const USUAL_WINDOW = 8 << 20;

/** Undoes zstd in JavaScript, for a Node whose zlib cannot. */
export function unzstd(body: Uint8Array, limit: number, reservation: Reservation): Inflated {
  const frames = readZstdFrames(body);
  if (typeof frames === "string") return { kind: "malformed", message: frames };
  if (frames.declared > limit || frames.window > Math.max(limit, USUAL_WINDOW)) return { kind: "too_large" };
  const refusal = reservation.grow(frames.window + frames.declared);
  if (refusal !== null) return refusal;
  const output = new Output(limit, frames.declared, reservation);
  try {
    new Decompress((piece) => output.add(piece)).push(body, true);
  } catch (error) {
    return output.stopped ?? { kind: "malformed", message: error instanceof Error ? error.message : "zstd" };
  }
  return { kind: "whole", body: output.join() };
}

/** Pieces of output, counted; throws to stop a decoder that has no other way out. */
class Output {
  readonly #limit: number;
  readonly #reservation: Reservation;
  readonly #pieces: Uint8Array[] = [];
  #reserved: number;
  #length = 0;
  stopped: Inflated | null = null;

  constructor(limit: number, reserved: number, reservation: Reservation) {
    this.#limit = limit;
    this.#reserved = reserved;
    this.#reservation = reservation;
  }

  add(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > this.#limit) this.stopped = { kind: "too_large" };
    else this.stopped = this.#reservation.grow(this.#length - this.#reserved);
    if (this.stopped !== null) throw new Error("stopped");
    this.#reserved = Math.max(this.#reserved, this.#length);
    this.#pieces.push(piece);
  }

  join(): Uint8Array {
    const whole = Buffer.allocUnsafeSlow(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }
}
