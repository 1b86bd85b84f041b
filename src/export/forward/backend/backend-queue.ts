import type { Signal } from "../../../otlp/signal.ts";
import type { Refusal } from "../../../receive/ports.ts";
import { backoffMs } from "../../../support/structures/backoff.ts";
import { forwardQueueLimits, retryBackoff } from "../../queue/backend-down.ts";
import { Breaker } from "../../queue/breaker.ts";
import { DeliveryLoop } from "../../queue/delivery-loop.ts";
import type { StoredCopy } from "../../queue/disk-queue.ts";
import type { SendResult } from "../../queue/send-result.ts";
import type { Sender } from "./sender.ts";
import type { Outgoing } from "../outgoing.ts";
import type { RequestStore, Stored } from "../queue/request-store.ts";
import { messageOf } from "../../../support/structures/error-message.ts";

/** Reason why a request was dropped. */
export type DropReason = "refused" | "expired" | "unreadable" | "unfit" | "closed";

/**
 * Counts of requests. Each accepted or recovered request ends in exactly one of the other counts, or is still
 * waiting.
 */
export interface ForwardCounts {
  accepted: number;
  recovered: number;
  delivered: number;
  readonly dropped: Record<DropReason, number>;
  /** Number of failed attempts. */
  failures: number;
  /** Number of spans, log records or data points that the backend rejected in accepted requests. */
  rejectedItems: number;
}

export interface BackendEvents {
  /** Called when the backend starts to refuse requests. */
  failing(error: string): void;
  /** Called when the backend accepts requests again. */
  working(failures: number): void;
  dropped(signal: Signal | null, reason: DropReason, error: string): void;
  /** Called when the backend accepted a request but rejected some of its items. */
  rejected(items: number, message: string): void;
}

export interface BackendQueueOptions {
  readonly sender: Sender;
  readonly store: RequestStore;
  /** Maximum number of concurrent requests. */
  readonly atOnce: number;
  /** A request that fails for this many milliseconds while others succeed is dropped. */
  readonly maxElapsedMs: number;
  readonly now: () => number;
  readonly random: () => number;
  readonly events: BackendEvents;
}

interface Waiting {
  readonly stored: Stored;
  /** Signal of the request; null until the request was read. */
  signal: Signal | null;
  tries: number;
  firstTriedMs: number;
  /** Time before which the request must not be retried. */
  notBeforeMs: number;
}

const limits = forwardQueueLimits;

/** Queue of one backend. Requests are sent unchanged, several in parallel. Rules: `export/queue/backend-down.ts`. */
export class BackendQueue {
  readonly counts: ForwardCounts = {
    accepted: 0,
    recovered: 0,
    delivered: 0,
    dropped: { refused: 0, expired: 0, unreadable: 0, unfit: 0, closed: 0 },
    failures: 0,
    rejectedItems: 0,
  };
  readonly #options: BackendQueueOptions;
  /**
   * Waiting requests in order of arrival. Removed entries become undefined, so that their bodies are not
   * retained.
   */
  readonly #waiting: (Waiting | undefined)[] = [];
  #head = 0;
  /** Failed requests that wait for their next attempt. Failed requests precede new ones. */
  readonly #delayed = new Set<Waiting>();
  #adding = 0;
  readonly #breaker: Breaker;
  readonly #loop: DeliveryLoop<Waiting>;
  #unpacedUntilMs = -Infinity;
  #isClosed = false;

  constructor(options: BackendQueueOptions) {
    const { store, events } = options;
    this.#options = options;
    this.#breaker = new Breaker({
      ...options,
      atOnce: limits.requestsAtOnce,
      opensAfter: limits.breakerOpensAfter,
    });
    this.#loop = new DeliveryLoop<Waiting>({
      breaker: this.#breaker,
      now: options.now,
      next: (nowMs) => this.#next(nowMs),
      nextAtMs: () => Math.min(...[...this.#delayed].map(({ notBeforeMs }) => notBeforeMs)),
      send: (one) => this.#send(one),
      settle: (one, result) => this.#settle(one, result),
      onFailing: (error) => events.failing(error),
      onWorking: (failures) => events.working(failures),
    });
    for (const stored of store.recovered) this.#waiting.push(fresh(stored));
    this.counts.recovered = store.recovered.length;
    this.#loop.start();
  }

  /** Number of requests that wait or are being sent. */
  get pending(): number {
    return this.#waiting.length - this.#head + this.#delayed.size + this.#loop.inFlight;
  }

  get heldBytes(): number {
    return this.#options.store.heldBytes;
  }

  /** Whether the backend is known to refuse all requests. */
  get isDown(): boolean {
    return this.#breaker.isOpen;
  }

  /** Returns why no request can be accepted now; null if one can. */
  refusal(): Refusal | null {
    if (this.#isClosed) return refused("shutting down: send it again");
    return this.pending + this.#adding >= limits.mostWaiting
      ? refused("a backend's queue is full: send it again")
      : null;
  }

  /** Whether the backend keeps up with its requests. */
  get isWell(): boolean {
    return this.#breaker.failuresInRow === 0 && !this.#isClosed && this.pending < limits.mostWaiting;
  }

  /**
   * Accepts a request that is already stored elsewhere. After the queue has closed, the request waits for the
   * next start.
   */
  async offerStored(outgoing: Outgoing, copy: StoredCopy<Outgoing>): Promise<null> {
    const stored = this.#options.store.addStored(outgoing, copy);
    this.counts.accepted++;
    this.#waiting.push(fresh(stored));
    this.#loop.start();
    await this.#pace();
    return null;
  }

  /** Adds a request of an earlier process that is stored elsewhere. */
  resume(outgoing: Outgoing, copy: StoredCopy<Outgoing>): void {
    this.counts.recovered++;
    this.#waiting.push(fresh(this.#options.store.addStored(outgoing, copy)));
    this.#loop.start();
  }

  /** Accepts a request. Resolves when the request is stored. */
  async offer(outgoing: Outgoing): Promise<Refusal | null> {
    const refusal = this.refusal();
    if (refusal !== null) return refusal;
    this.#adding++;
    try {
      await this.#pace();
      const stored = await this.#options.store.add(outgoing);
      this.counts.accepted++;
      this.#waiting.push(fresh(stored));
      this.#loop.start();
      return null;
    } catch (error) {
      return refused(`a backend's queue cannot accept the telemetry: ${messageOf(error)}`);
    } finally {
      this.#adding--;
    }
  }

  /** Counts a request that cannot be converted into a format that this backend accepts. */
  dropUnfit(signal: Signal, error: string): void {
    this.counts.accepted++;
    this.counts.dropped.unfit++;
    this.#options.events.dropped(signal, "unfit", error);
  }

  /**
   * Stops accepting requests and sends as many as possible before the time-out. The rest stays on disk, or is
   * dropped and counted.
   */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    await this.#loop.wait(() => this.pending === 0 || this.isDown, timeoutMs);
    this.#loop.stop();
    this.#options.sender.close();
    await this.#loop.wait(() => this.#loop.inFlight === 0, Infinity);
    if (!this.#options.store.isDurable) {
      for (const one of [...this.#waiting.slice(this.#head), ...this.#delayed])
        if (one !== undefined) this.#drop(one, "closed", "shutting down");
      this.#waiting.length = this.#head = 0;
      this.#delayed.clear();
    }
    await this.#options.store.close();
  }

  /** Waits for free memory, as long as the backend accepts requests. */
  async #pace(): Promise<void> {
    const { store, now } = this.#options;
    if (now() < this.#unpacedUntilMs) return;
    const deliveredBefore = this.counts.delivered;
    const hasRoom = (): boolean =>
      store.heldBytes <= limits.pacedBytes || this.#breaker.failuresInRow > 0 || this.#isClosed;
    if (await this.#loop.wait(hasRoom, limits.longestPaceMs)) return;
    if (store.isDurable && this.counts.delivered === deliveredBefore)
      this.#unpacedUntilMs = now() + limits.unpacedMs;
  }

  #next(now: number): Waiting | undefined {
    for (const one of this.#delayed) {
      if (one.notBeforeMs > now) continue;
      this.#delayed.delete(one);
      return one;
    }
    if (this.#delayed.size >= limits.mostDelayed) return undefined;
    const next = this.#waiting[this.#head];
    if (next === undefined) return undefined;
    this.#waiting[this.#head++] = undefined;
    if (this.#head > 1024 && this.#head * 2 > this.#waiting.length) {
      this.#waiting.splice(0, this.#head);
      this.#head = 0;
    }
    return next;
  }

  async #send(one: Waiting): Promise<SendResult | null> {
    const { store, sender, now } = this.#options;
    const outgoing = await store.read(one.stored);
    if (outgoing === null) {
      this.#drop(one, "unreadable", "the queue's file cannot be read");
      return null;
    }
    one.signal = outgoing.signal;
    if (one.tries === 0) one.firstTriedMs = now();
    one.tries++;
    return sender.send(outgoing);
  }

  #settle(one: Waiting, result: SendResult): void {
    const { events, store } = this.#options;
    if (result.outcome !== "delivered") {
      this.counts.failures++;
      if (result.outcome === "rejected") this.#drop(one, "refused", result.error);
      else this.#retryLater(one, result.error, result.retryAfterMs);
      return;
    }
    this.counts.delivered++;
    const { rejected = 0, message = "" } = result;
    if (rejected > 0 || message !== "") {
      this.counts.rejectedItems += rejected;
      events.rejected(rejected, message);
    }
    store.done(one.stored);
  }

  #retryLater(one: Waiting, error: string, retryAfterMs: number | null): void {
    const { now, random, maxElapsedMs } = this.#options;
    const at = now();
    // During an outage requests wait. A request is dropped only if it fails while others succeed.
    const isAtFault = this.#breaker.lastSuccessMs > one.firstTriedMs && at - one.firstTriedMs > maxElapsedMs;
    if (isAtFault && !this.#loop.isStopped) return this.#drop(one, "expired", error);
    const waitMs =
      retryAfterMs === null ? backoffMs(one.tries, random(), retryBackoff) : shortWaitMs(one.tries, random());
    one.notBeforeMs = at + Math.max(waitMs, retryAfterMs ?? 0);
    this.#delayed.add(one);
  }

  #drop({ stored, signal }: Waiting, reason: DropReason, error: string): void {
    this.counts.dropped[reason]++;
    this.#options.events.dropped(signal, reason, error);
    this.#options.store.done(stored);
  }
}

/**
 * Returns the minimum wait for a request that the backend refused `tries` times with its own retry delay,
 * which may be 0. The wait is short and grows with `tries`, so that one refused request does not occupy the
 * queue.
 * @param chance random number from 0 to 1
 */
function shortWaitMs(tries: number, chance: number): number {
  return (
    Math.min(limits.shortestWaitMs * 2 ** Math.max(0, tries - 1), limits.longestShortWaitMs) * (0.5 + chance)
  );
}

function fresh(stored: Stored): Waiting {
  return { stored, signal: null, tries: 0, firstTriedMs: 0, notBeforeMs: 0 };
}

function refused(message: string): Refusal {
  return { kind: "unavailable", retryAfterS: 1, message };
}
