import type { Admission, Refusal } from "../ports.ts";

/** Memory reservation of one request. It is released exactly once, whatever the outcome of the request is. */
export class Reservation {
  readonly #admission: Admission;
  #bytes = 0;
  #released = false;

  constructor(admission: Admission) {
    this.#admission = admission;
  }

  grow(bytes: number): Refusal | null {
    if (bytes <= 0) return null;
    const refusal = this.#admission.admit(bytes);
    if (refusal !== null) return refusal;
    if (this.#released) this.#admission.release(bytes);
    else this.#bytes += bytes;
    return null;
  }

  shrinkTo(bytes: number): void {
    if (this.#bytes <= bytes) return;
    this.#admission.release(this.#bytes - bytes);
    this.#bytes = bytes;
  }

  release(): void {
    this.shrinkTo(0);
    this.#released = true;
  }
}

/** Admission for a receiver without a memory budget: admits every body. */
export const UNLIMITED: Admission = { admit: () => null, release: () => undefined };
