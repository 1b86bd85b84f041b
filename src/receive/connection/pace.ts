/** Time limits for senders, in milliseconds. */
export interface Timeouts {
  /** Maximum time from connecting, or from the first byte of a later request, to the end of the request's headers. */
  readonly headersMs: number;
  /** Maximum time from the headers to the end of the body. */
  readonly bodyMs: number;
  /** Interval in which a body must grow by at least `progressBytes`. */
  readonly progressMs: number;
  readonly progressBytes: number;
  /** Maximum time from sending a response until the sender has received it. */
  readonly answerMs: number;
  /** Idle time after which a connection is closed. The default is longer than one minute, the usual export interval of metrics. */
  readonly idleMs: number;
  /**
   * Maximum time for reading and dropping the remaining bytes of a refused body. Without this time, the sender might not get to read the
   * response.
   */
  readonly lingerMs: number;
  /** Interval in which all time limits are checked. */
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

/**
 * Maximum time in milliseconds that one check adds to the elapsed time of a body. If more time has passed between two checks, the process
 * was busy and could not read the body, so the sender is not to blame.
 */
const LONGEST_STEP_MS = 500;

/** Detects a body that arrives too slowly: it is incomplete after `bodyMs`, or grew by less than `progressBytes` in `progressMs`. */
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
