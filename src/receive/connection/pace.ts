/** Time limits of a sender, in milliseconds. */
export interface Timeouts {
  /** From the first byte of a request, or from connecting, to the end of its headers. */
  readonly headersMs: number;
  /** From the headers to the end of the body. */
  readonly bodyMs: number;
  /** A body must have grown by `progressBytes` in each interval of this length. */
  readonly progressMs: number;
  readonly progressBytes: number;
  /** Time from a response until the sender has received it. */
  readonly answerMs: number;
  /** A connection without requests. Longer than the minute between exports that SDKs make of metrics. */
  readonly idleMs: number;
  /** How long the rest of a body that is too large is read and dropped, so that its sender sees the answer. */
  readonly lingerMs: number;
  /** Interval of these checks. */
  readonly sweepMs: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  headersMs: 10_000,
  bodyMs: 300_000,
  progressMs: 10_000,
  progressBytes: 10_240,
  answerMs: 30_000,
  idleMs: 120_000,
  lingerMs: 5_000,
  sweepMs: 250,
};

/** A check that is later than this was delayed, and so was reading the body: the excess time does not count. */
const LONGEST_STEP_MS = 500;

/** Whether a body arrives too slowly: not complete in time, or almost nothing in the last interval. */
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
