import type { Breaker } from "./breaker.ts";
import { failedAttempt, type SendResult } from "./send-result.ts";

/** Functions of the queue that its delivery loop calls. */
export interface DeliveryLoopOptions<Request> {
  readonly breaker: Breaker;
  readonly now?: () => number;
  /** Removes and returns the next request; undefined if no request can be sent now. */
  readonly next: (nowMs: number) => Request | undefined;
  /** Returns the earliest time at which `next` may return a further request; Infinity if the time is unknown. */
  readonly nextAtMs: () => number;
  /** Makes one attempt. Resolves to null if nothing could be sent. A rejection counts as a retryable failure. */
  readonly send: (request: Request) => Promise<SendResult | null>;
  /**
   * Handles the result of an attempt, after the breaker has recorded it. If the result is retryable, the callback puts the request back
   * into the queue.
   */
  readonly settle: (request: Request, result: SendResult) => void;
  /** Reports the first failed attempt after a success, or after the start. */
  readonly onFailing?: (error: string) => void;
  /**
   * Reports that the backend accepts requests again.
   * @param failures number of failed attempts since the last success
   */
  readonly onWorking?: (failures: number) => void;
}

/** Interval in milliseconds at which `wait` calls `isOver`, even while nothing is sent. */
const LOOK_EVERY_MS = 50;

/** Sends the requests of a queue. The breaker limits the number of requests in flight, and decides when the next request may start. */
export class DeliveryLoop<Request> {
  readonly #options: DeliveryLoopOptions<Request>;
  readonly #now: () => number;
  readonly #waiting = new Set<() => void>();
  #inFlight = 0;
  #timer: NodeJS.Timeout | undefined;
  #wakesAtMs = Infinity;
  #isStopped = false;

  constructor(options: DeliveryLoopOptions<Request>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Sends the requests that may be sent now. Call `start` whenever a request was added to the queue. */
  start(): void {
    if (this.#isStopped) return;
    const { breaker, next, nextAtMs } = this.#options;
    const now = this.#now();
    const { pausedUntilMs, atOnce } = breaker;
    if (now < pausedUntilMs) return this.#wakeAt(pausedUntilMs, now);
    while (this.#inFlight < atOnce) {
      const request = next(now);
      if (request === undefined) return this.#wakeAt(nextAtMs(), now);
      this.#inFlight++;
      void this.#attempt(request);
    }
    this.#wakeAt(Infinity, now);
  }

  /**
   * Resolves to true when `isOver` returns true, to false after the time-out. Calls `isOver` after each attempt and every `LOOK_EVERY_MS`.
   */
  async wait(isOver: () => boolean, timeoutMs: number): Promise<boolean> {
    const deadline = this.#now() + timeoutMs;
    while (!isOver()) {
      const leftMs = deadline - this.#now();
      if (leftMs <= 0) return false;
      await this.#attemptEnd(Math.min(leftMs, LOOK_EVERY_MS));
    }
    return true;
  }

  /** Starts no further attempts. Attempts in progress continue. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #attempt(request: Request): Promise<void> {
    const { send, settle } = this.#options;
    const result = await send(request).catch(failedAttempt);
    if (result !== null) {
      this.#record(result);
      settle(request, result);
    }
    this.#inFlight--;
    for (const end of this.#waiting) end();
    this.start();
  }

  #record(result: SendResult): void {
    const { breaker, onFailing, onWorking } = this.#options;
    const { failuresInRow } = breaker;
    if (result.outcome !== "retry") {
      if (failuresInRow > 0) onWorking?.(failuresInRow);
      breaker.answered();
    } else if (!this.#isStopped) {
      if (failuresInRow === 0) onFailing?.(result.error);
      breaker.failed(result.retryAfterMs);
    }
  }

  #wakeAt(atMs: number, now: number): void {
    if (atMs === this.#wakesAtMs) return;
    clearTimeout(this.#timer);
    this.#wakesAtMs = atMs;
    if (atMs === Infinity) return;
    const wake = (): void => {
      this.#wakesAtMs = Infinity;
      this.start();
    };
    this.#timer = setTimeout(wake, Math.max(1, Math.ceil(atMs - now))).unref();
  }

  #attemptEnd(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, Math.max(1, timeoutMs));
      this.#waiting.add(end);
    });
  }
}
