import type { Signal } from "../../../otlp/signal.ts";
import type { Refusal } from "../../../receive/ports.ts";
import { backoffMs, deliveryBackoff } from "../../../support/structures/backoff.ts";
import type { Delivery, Sender } from "./delivery.ts";
import type { Outgoing } from "../outgoing.ts";
import { SendWindow } from "./send-window.ts";
import type { Copy, ForwardStore, Stored } from "../queue/store.ts";

/** Why a request was given up. */
export type DropReason = "refused" | "expired" | "unreadable" | "unfit" | "closed";

/** Every request that was taken, and every one that an earlier process left, ends in exactly one of the others, or waits. */
export interface ForwardCounts {
  accepted: number;
  recovered: number;
  delivered: number;
  readonly dropped: Record<DropReason, number>;
  /** Attempts that went wrong. */
  failures: number;
  /** Spans, log records or data points that the backend left out of requests it took. */
  rejectedItems: number;
}

export interface BackendEvents {
  /** The backend does not take requests, for the first time since it did. */
  failing(error: string): void;
  /** It takes them again. */
  working(failures: number): void;
  dropped(signal: Signal | null, reason: DropReason, error: string): void;
  /** It took a request without some of its items. */
  rejected(items: number, message: string): void;
}

export interface BackendOptions {
  readonly sender: Sender;
  readonly store: ForwardStore;
  /** Requests at one time. */
  readonly atOnce: number;
  /** A request that fails for so long while others get through is given up. */
  readonly maxElapsedMs: number;
  readonly now: () => number;
  readonly random: () => number;
  readonly events: BackendEvents;
}

interface Waiting {
  readonly stored: Stored;
  tries: number;
  firstTriedMs: number;
  /** Not to be tried before. */
  notBeforeMs: number;
}

/** The first wait where the backend asks for none, and the longest. */
const SOON_MS = 5;
const LATEST_SOON_MS = 1_000;
/** Requests that may wait, whatever their size: each takes a little memory. */
const MOST_WAITING = 200_000;
/** With more than this in memory the next request waits for a moment: bodies that are sent on while they are young cost the least to collect. */
const PACED_BYTES = 4 << 20;
const LONGEST_PACE_MS = 100;
/** A backend that takes nothing in that time is not waited for again so soon, where the disk takes what waits. */
const UNPACED_MS = 5_000;
/** Requests that wait for another try while others are sent for the first time. */
const MOST_DELAYED = 256;

/** One backend: its queue, its attempts, its pauses. */
export class Backend {
  readonly counts: ForwardCounts = {
    accepted: 0,
    recovered: 0,
    delivered: 0,
    dropped: { refused: 0, expired: 0, unreadable: 0, unfit: 0, closed: 0 },
    failures: 0,
    rejectedItems: 0,
  };
  readonly #options: BackendOptions;
  /** In the order they came; what has been taken out leaves nothing behind, as its body would be kept with it. */
  readonly #waiting: (Waiting | undefined)[] = [];
  #head = 0;
  /** Failed before and waiting for their next turn; they come first then. */
  readonly #delayed = new Set<Waiting>();
  readonly #inFlight = new Set<Promise<void>>();
  #adding = 0;
  readonly #window: SendWindow;
  /** Nothing is sent any more. */
  #isStopped = false;
  #unpacedUntilMs = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: BackendOptions) {
    this.#options = options;
    this.#window = new SendWindow(options);
    for (const stored of options.store.left) this.#waiting.push(fresh(stored));
    this.counts.recovered = options.store.left.length;
    this.#pump();
  }

  /** Requests that wait or are on their way. */
  get pending(): number {
    return this.#waiting.length - this.#head + this.#delayed.size + this.#inFlight.size;
  }

  get heldBytes(): number {
    return this.#options.store.heldBytes;
  }

  /** Whether the backend is known not to take anything. */
  get isDown(): boolean {
    return this.#window.isDown;
  }

  /** Why nothing can be taken now; null when it can. */
  refusal(): Refusal | null {
    if (this.#isClosed) return refused("shutting down: send it again");
    return this.pending + this.#adding >= MOST_WAITING
      ? refused("a backend's queue is full: send it again")
      : null;
  }

  /** Whether it gets what it is sent, soon after it came. */
  get isWell(): boolean {
    return this.#window.failuresInRow === 0 && !this.#isClosed && this.pending < MOST_WAITING;
  }

  /** Takes a request of which there is a copy elsewhere. What comes when it has closed waits for the next start. */
  async rest(outgoing: Outgoing, copy: Copy): Promise<null> {
    const stored = this.#options.store.rest(outgoing, copy);
    this.counts.accepted++;
    this.#waiting.push(fresh(stored));
    this.#pump();
    await this.#pace();
    return null;
  }

  /** The same for one that an earlier process left. */
  resume(outgoing: Outgoing, copy: Copy): void {
    this.counts.recovered++;
    this.#waiting.push(fresh(this.#options.store.rest(outgoing, copy)));
    this.#pump();
  }

  /** Takes a request; resolves when it is stored. */
  async offer(outgoing: Outgoing): Promise<Refusal | null> {
    const refusal = this.refusal();
    if (refusal !== null) return refusal;
    this.#adding++;
    try {
      await this.#pace();
      const stored = await this.#options.store.add(outgoing);
      this.counts.accepted++;
      this.#waiting.push(fresh(stored));
      this.#pump();
      return null;
    } catch (error) {
      return refused(
        `a backend's queue takes no more: ${error instanceof Error ? error.message : String(error)}`,
      );
    } finally {
      this.#adding--;
    }
  }

  /** Counts a request that this backend cannot be sent in any form it takes. */
  dropUnfit(signal: Signal, error: string): void {
    this.counts.accepted++;
    this.counts.dropped.unfit++;
    this.#options.events.dropped(signal, "unfit", error);
  }

  /** Takes nothing more and sends what it can in the time given. What is left waits on the disk, or is dropped and counted. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    const deadline = this.#options.now() + timeoutMs;
    while (this.pending > 0 && !this.isDown && this.#options.now() < deadline) {
      await Promise.race([...this.#inFlight, pause(Math.min(50, deadline - this.#options.now()))]);
    }
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#options.sender.close();
    await Promise.all(this.#inFlight);
    if (!this.#options.store.isDurable) {
      for (const one of [...this.#waiting.slice(this.#head), ...this.#delayed])
        if (one !== undefined) this.#drop(one, "closed", "shutting down");
      this.#waiting.length = this.#head = 0;
      this.#delayed.clear();
    }
    await this.#options.store.close();
  }

  /** Waits for room in memory, as long as the backend makes some. */
  async #pace(): Promise<void> {
    const { store, now } = this.#options;
    const since = now();
    if (since < this.#unpacedUntilMs) return;
    const until = since + LONGEST_PACE_MS;
    const deliveredBefore = this.counts.delivered;
    while (store.heldBytes > PACED_BYTES && this.#window.failuresInRow === 0 && !this.#isClosed) {
      const left = until - now();
      if (left <= 0) {
        if (store.isDurable && this.counts.delivered === deliveredBefore)
          this.#unpacedUntilMs = until + UNPACED_MS;
        return;
      }
      await Promise.race([...this.#inFlight, pause(left)]);
    }
  }

  #pump(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    const now = this.#options.now();
    const { pausedUntilMs, atOnce } = this.#window;
    if (now < pausedUntilMs) return this.#wake(pausedUntilMs - now);
    while (this.#inFlight.size < atOnce) {
      const next = this.#next(now);
      if (next === undefined) break;
      const sending = this.#send(next);
      this.#inFlight.add(sending);
      void sending.finally(() => {
        this.#inFlight.delete(sending);
        this.#pump();
      });
    }
    if (this.#inFlight.size >= atOnce) return;
    let earliest = Infinity;
    for (const { notBeforeMs } of this.#delayed) earliest = Math.min(earliest, notBeforeMs);
    if (earliest < Infinity) this.#wake(earliest - now);
  }

  #wake(inMs: number): void {
    this.#timer = setTimeout(() => this.#pump(), Math.max(1, Math.ceil(inMs)));
    this.#timer.unref();
  }

  #next(now: number): Waiting | undefined {
    for (const one of this.#delayed) {
      if (one.notBeforeMs > now) continue;
      this.#delayed.delete(one);
      return one;
    }
    if (this.#delayed.size >= MOST_DELAYED) return undefined;
    const next = this.#waiting[this.#head];
    if (next === undefined) return undefined;
    this.#waiting[this.#head++] = undefined;
    if (this.#head > 1024 && this.#head * 2 > this.#waiting.length) {
      this.#waiting.splice(0, this.#head);
      this.#head = 0;
    }
    return next;
  }

  async #send(one: Waiting): Promise<void> {
    const { store, sender, now } = this.#options;
    const outgoing = await store.read(one.stored);
    if (outgoing === null) return this.#drop(one, "unreadable", "the queue's file cannot be read");
    if (one.tries === 0) one.firstTriedMs = now();
    one.tries++;
    const delivery = await sender.send(outgoing);
    this.#settle(one, outgoing, delivery);
  }

  #settle(one: Waiting, outgoing: Outgoing, delivery: Delivery): void {
    const { events } = this.#options;
    if (delivery.kind === "later") return this.#later(one, outgoing, delivery);
    if (this.#window.failuresInRow > 0) events.working(this.#window.failuresInRow);
    this.#window.succeeded();
    if (delivery.kind === "refused") {
      this.counts.failures++;
      return this.#drop(one, "refused", delivery.error, outgoing.signal);
    }
    this.counts.delivered++;
    if (delivery.rejected > 0 || delivery.message !== "") {
      this.counts.rejectedItems += delivery.rejected;
      events.rejected(delivery.rejected, delivery.message);
    }
    this.#options.store.done(one.stored);
  }

  #later(one: Waiting, { signal }: Outgoing, { error, retryAfterMs }: Delivery & { kind: "later" }): void {
    const { now, random, maxElapsedMs, events } = this.#options;
    this.counts.failures++;
    if (this.#isStopped) return void this.#delayed.add(one);
    if (this.#window.failuresInRow === 0) events.failing(error);
    this.#window.failed(retryAfterMs);
    const at = now();
    // An outage is waited out; what fails while others get through is at fault itself.
    if (this.#window.lastSuccessMs > one.firstTriedMs && at - one.firstTriedMs > maxElapsedMs) {
      return this.#drop(one, "expired", error, signal);
    }
    const chance = random();
    const waitMs =
      retryAfterMs === null ? backoffMs(one.tries, chance, deliveryBackoff) : soonMs(one.tries, chance);
    one.notBeforeMs = at + Math.max(waitMs, retryAfterMs ?? 0);
    this.#delayed.add(one);
  }

  #drop(one: Waiting, reason: DropReason, error: string, signal: Signal | null = null): void {
    this.counts.dropped[reason]++;
    this.#options.events.dropped(signal, reason, error);
    this.#options.store.done(one.stored);
  }
}

/**
 * The wait of a request that was refused `tries` times by a backend that asks for no wait: short, and longer for one that is refused again and
 * again, which would otherwise be all that is tried.
 * @param chance from 0 to 1
 */
function soonMs(tries: number, chance: number): number {
  return Math.min(SOON_MS * 2 ** Math.max(0, tries - 1), LATEST_SOON_MS) * (0.5 + chance);
}

function fresh(stored: Stored): Waiting {
  return { stored, tries: 0, firstTriedMs: 0, notBeforeMs: 0 };
}

function refused(message: string): Refusal {
  return { kind: "unavailable", retryAfterS: 1, message };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, Math.max(1, ms)));
}
