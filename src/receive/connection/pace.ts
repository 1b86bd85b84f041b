import type { Timeouts } from "./timeouts.ts";

/** A look that comes later than this was kept from coming, and so was what reads the body: no more of the time counts. */
const LONGEST_STEP_MS = 500;

/** Tells whether a body comes too slowly: not finished in time, or hardly anything of it in the last interval. */
export class Pace {
  readonly #start: number;
  #lookedMs: number;
  #stretchMs = 0;
  #bytesBefore = 0;

  constructor(nowMs: number) {
    this.#start = nowMs;
    this.#lookedMs = nowMs;
  }

  tooSlow(nowMs: number, bytes: number, timeouts: Timeouts): boolean {
    if (nowMs - this.#start > timeouts.bodyMs) return true;
    this.#stretchMs += Math.min(nowMs - this.#lookedMs, LONGEST_STEP_MS);
    this.#lookedMs = nowMs;
    if (this.#stretchMs < timeouts.progressMs) return false;
    const progress = bytes - this.#bytesBefore;
    this.#stretchMs = 0;
    this.#bytesBefore = bytes;
    return progress < timeouts.progressBytes;
  }
}
