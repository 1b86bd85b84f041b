import type { Timeouts } from "./timeouts.ts";

/** Tells whether a body comes too slowly: not finished in time, or hardly anything of it in the last stretch. */
export class Pace {
  readonly #start: number;
  #stretchStart: number;
  #bytesBefore = 0;

  constructor(nowMs: number) {
    this.#start = nowMs;
    this.#stretchStart = nowMs;
  }

  tooSlow(nowMs: number, bytes: number, timeouts: Timeouts): boolean {
    if (nowMs - this.#start > timeouts.bodyMs) return true;
    if (nowMs - this.#stretchStart < timeouts.progressMs) return false;
    const progress = bytes - this.#bytesBefore;
    this.#stretchStart = nowMs;
    this.#bytesBefore = bytes;
    return progress < timeouts.progressBytes;
  }
}
