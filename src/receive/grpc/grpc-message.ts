import { BodyBuffer } from "../body/body-buffer.ts";
import type { Refusal } from "../ports.ts";
import type { Reservation } from "../intake/reservation.ts";

const PREFIX = 5;

export type MessageTrouble = Refusal | "too_large" | "bad_flag" | "surplus";

/** Collects the single length-prefixed message of a unary call. */
export class GrpcMessage {
  readonly #limit: number;
  readonly #reservation: Reservation;
  #prefix: Buffer = Buffer.alloc(0);
  #body: BodyBuffer | undefined;
  #declared = 0;
  compressed = false;

  constructor(limit: number, reservation: Reservation) {
    this.#limit = limit;
    this.#reservation = reservation;
  }

  append(chunk: Buffer): MessageTrouble | null {
    if (this.#body !== undefined) return this.#appendToBody(this.#body, chunk);
    const start = this.#prefix.length === 0 ? chunk : Buffer.concat([this.#prefix, chunk]);
    if (start.length < PREFIX) {
      this.#prefix = Buffer.from(start);
      return null;
    }
    return this.#begin(start);
  }

  /** Returns the message as sent, before decompression; null if the call ended before the message was complete. */
  take(): Uint8Array | null {
    return this.#body?.length === this.#declared ? this.#body.take() : null;
  }

  /** Frees the memory of the message, if `take` did not return it. */
  drop(): void {
    this.#body?.drop();
    this.#body = undefined;
  }

  #begin(start: Buffer): MessageTrouble | null {
    const flag = start.readUInt8(0);
    if (flag > 1) return "bad_flag";
    this.compressed = flag === 1;
    this.#declared = start.readUInt32BE(1);
    if (this.#declared > this.#limit) return "too_large";
    this.#body = new BodyBuffer(this.#declared, this.#limit, this.#reservation);
    const refusal = this.#body.reserve();
    if (refusal !== null) return refusal;
    return start.length === PREFIX ? null : this.#appendToBody(this.#body, start.subarray(PREFIX));
  }

  #appendToBody(body: BodyBuffer, chunk: Buffer): MessageTrouble | null {
    if (body.length + chunk.length > this.#declared) return "surplus";
    return body.append(chunk);
  }
}
