import { JournalFull } from "../../../journal/disk/errors.ts";
import type { Signal } from "../../../otlp/signal.ts";
import type { Refusal } from "../../../receive/ports.ts";
import { backoffMs } from "../../../support/structures/backoff.ts";
import { forwardQueueLimits, retryBackoff } from "../../queue/backend-down.ts";
import { Breaker } from "../../queue/breaker.ts";
import { DeliveryLoop } from "../../queue/delivery-loop.ts";
import type { StoredCopy } from "../../queue/disk-queue.ts";
import { FailedAttempts } from "../../queue/failed-attempts.ts";
import type { SendResult } from "../../queue/send-result.ts";
import type { Sender } from "./sender.ts";
import type { Outgoing } from "../outgoing.ts";
import type { RequestStore, Stored } from "../queue/request-store.ts";
import { messageOf } from "../../../support/structures/error-message.ts";

/**
 * Reason for dropping a request. `unfit`: the request cannot be converted to a format that the backend accepts. `closed`: the process ended
 * before the request was sent.
 */
export type DropReason = "refused" | "expired" | "unreadable" | "unfit" | "closed";

/**
 * Counts of requests. Each accepted or recovered request is later counted once, as delivered or as dropped, except if it stays on disk for
 * the next process.
 */
export interface ForwardCounts {
  accepted: number;
  recovered: number;
  delivered: number;
  readonly dropped: Record<DropReason, number>;
  /** Number of failed attempts. */
  failures: number;
  /** Number of spans, log records or data points that the backend rejected within requests that it accepted. */
  rejectedItems: number;
}

export interface BackendEvents {
  /** Reports the first failed attempt after a success, or after the start. */
  failing(error: string): void;
  /**
   * Reports that the backend accepts requests again.
   * @param failures number of failed attempts since `failing` was called
   */
  working(failures: number): void;
  dropped(signal: Signal | null, reason: DropReason, error: string): void;
  /** Reports the items that the backend rejected within a request that it accepted. */
  rejected(items: number, message: string): void;
}

export interface BackendQueueOptions {
  readonly sender: Sender;
  readonly store: RequestStore;
  /** Maximum number of concurrent requests. */
  readonly atOnce: number;
  readonly maxElapsedMs: number;
  readonly now: () => number;
  readonly random: () => number;
  readonly events: BackendEvents;
}

interface Waiting {
  readonly stored: Stored;
  /** Signal of the request; null before the request was read for its first attempt. */
  signal: Signal | null;
  readonly failed: FailedAttempts;
}

const limits = forwardQueueLimits;

/**
 * Queue of requests to one backend. Sends requests unchanged, several at a time. `export/queue/backend-down.ts` describes what happens
 * while the backend is down.
 */
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
  /** Waiting requests in order of arrival. When a request is sent, its entry becomes undefined, so that its body can be freed. */
  readonly #waiting: (Waiting | undefined)[] = [];
  #head = 0;
  /** Failed requests that wait for their next attempt. A request that is due is sent before the requests in `#waiting`. */
  readonly #delayed = new Set<Waiting>();
  #adding = 0;
  readonly #breaker: Breaker;
  readonly #loop: DeliveryLoop<Waiting>;
  #unpacedUntilMs = -Infinity;
  /** Whether the disk had no space for the last new request, and no request has left the queue since then. */
  #isStoreFull = false;
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
      nextAtMs: () => Math.min(...[...this.#delayed].map(({ failed }) => failed.notBeforeMs)),
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

  /** Whether the breaker is open: all recent attempts failed. */
  get isDown(): boolean {
    return this.#breaker.isOpen;
  }

  /** Returns why the queue cannot accept a request now; null if it can. */
  refusal(): Refusal | null {
    if (this.#isClosed) return refused("the process is shutting down: send the request again");
    return this.#isStoreFull || this.pending + this.#adding >= limits.mostWaiting
      ? refused(
          "the queue of a backend in `forward` is full, because the backend is down or too slow: send the request again later",
        )
      : null;
  }

  /** Whether the last attempt did not fail, and the queue has room for further requests. */
  get isWell(): boolean {
    return this.#breaker.failuresInRow === 0 && !this.#isClosed && this.pending < limits.mostWaiting;
  }

  /**
   * Accepts a request that is already stored as `copy`, for example in the journal. After `close`, the request stays in `copy` for the next
   * process.
   */
  async offerStored(outgoing: Outgoing, copy: StoredCopy<Outgoing>): Promise<null> {
    const stored = this.#options.store.addStored(outgoing, copy);
    this.counts.accepted++;
    this.#waiting.push(fresh(stored));
    this.#loop.start();
    await this.#pace();
    return null;
  }

  /** Adds a request that an earlier process stored, for example in the journal. */
  resume(outgoing: Outgoing, copy: StoredCopy<Outgoing>): void {
    this.counts.recovered++;
    this.#waiting.push(fresh(this.#options.store.addStored(outgoing, copy)));
    this.#loop.start();
  }

  /** Accepts a request. Resolves to null once the request is stored, otherwise to a refusal. */
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
      // If no other request waits, this request alone is larger than the store. Smaller requests may fit, so the store is not marked as
      // full.
      this.#isStoreFull = error instanceof JournalFull && this.pending > 0;
      return refused(`the queue of a forward backend cannot store the request: ${messageOf(error)}`);
    } finally {
      this.#adding--;
    }
  }

  /** Counts a request that is dropped because it cannot be converted to a format that the backend accepts. */
  dropUnfit(signal: Signal, error: string): void {
    this.counts.accepted++;
    this.counts.dropped.unfit++;
    this.#options.events.dropped(signal, "unfit", error);
  }

  /**
   * Stops accepting requests, and sends waiting requests until the time-out or until the backend is down. Unsent requests stay on disk or,
   * without a disk queue, are dropped and counted.
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

  /** While the backend accepts requests and the queue uses much memory, waits briefly for sent requests to free memory. */
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
      if (one.failed.notBeforeMs > now) continue;
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
    const { store, sender } = this.#options;
    const outgoing = await store.read(one.stored);
    if (outgoing === null) {
      this.#drop(one, "unreadable", "the queue's file cannot be read");
      return null;
    }
    one.signal = outgoing.signal;
    return sender.send(outgoing);
  }

  #settle(one: Waiting, result: SendResult): void {
    const { events } = this.#options;
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
    this.#done(one.stored);
  }

  #retryLater(one: Waiting, error: string, retryAfterMs: number | null): void {
    const { now, random, maxElapsedMs } = this.#options;
    const at = now();
    // While the backend accepts no request at all, no failure counts, so a request waits without limit.
    const isAtFault = one.failed.add(at, this.#breaker.lastSuccessMs) && one.failed.isOver(at, maxElapsedMs);
    if (isAtFault && !this.#loop.isStopped) return this.#drop(one, "expired", error);
    const { tries } = one.failed;
    const waitMs =
      retryAfterMs === null ? backoffMs(tries, random(), retryBackoff) : shortWaitMs(tries, random());
    one.failed.notBeforeMs = at + Math.max(waitMs, retryAfterMs ?? 0);
    this.#delayed.add(one);
  }

  #drop({ stored, signal }: Waiting, reason: DropReason, error: string): void {
    this.counts.dropped[reason]++;
    this.#options.events.dropped(signal, reason, error);
    this.#done(stored);
  }

  #done(stored: Stored): void {
    this.#isStoreFull = false;
    this.#options.store.done(stored);
  }
}

/**
 * Returns the minimum wait in milliseconds before the next attempt of a request for which the backend requested a delay (possibly 0). The
 * wait grows with `tries`, so that a request with a delay of 0 is not sent again and again without a pause.
 * @param chance random number from 0 to 1
 */
function shortWaitMs(tries: number, chance: number): number {
  return (
    Math.min(limits.shortestWaitMs * 2 ** Math.max(0, tries - 1), limits.longestShortWaitMs) * (0.5 + chance)
  );
}

function fresh(stored: Stored): Waiting {
  return { stored, signal: null, failed: new FailedAttempts() };
}

function refused(message: string): Refusal {
  return { kind: "unavailable", retryAfterS: 1, message };
}
