import type { Refusal } from "../ports.ts";

/** How much memory a sender used recently, compared with other senders. `greedy`: more than an equal share. */
export type SenderUsage = "low" | "usual" | "greedy";

export interface MemoryBudgetOptions {
  /** Upper limit of resident memory in bytes. */
  readonly limit: number;
  /** Resident memory before the first request, in bytes. */
  readonly base: number;
  /** Returns the resident memory now, in bytes. */
  readonly resident: () => number;
  /** Returns the heap size now in bytes, including garbage. If absent, heap growth does not shorten the time between two collections. */
  readonly heap?: () => number;
  /** Runs before each measurement of resident memory, for example to limit V8's young generation. */
  readonly onMeasure?: () => void;
  /**
   * Adapts garbage collection. `isShort` is true after a measurement of resident memory above 75 % of the limit, and false after one below
   * 65 %.
   */
  readonly onShort?: (isShort: boolean) => void;
  /** Runs a garbage collection. Called rarely, because a collection stops the process. */
  readonly collect: () => void;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Returns a random number between 0 and 1, which spreads the retries of refused senders over time. */
  readonly random: () => number;
}

/**
 * Returns a refusal with a `Retry-After` of one or two seconds, because exporters give up after about ten
 * seconds.
 */
export function unavailable(message: string, random: number): Refusal {
  return { kind: "unavailable", retryAfterS: random < 0.5 ? 1 : 2, message };
}

/** Share of the limit that is reserved for garbage and for memory that no stage reports. */
const SLACK_SHARE = 0.4;
const LEAST_SHARE = 0.25;
const SOFT_SHARE = 0.8;
/** Resident memory is measured after this many granted bytes, and at least every `READ_EVERY_MS`. */
const READ_EVERY_BYTES = 4 << 20;
const READ_EVERY_MS = 1000;
/** Maximum milliseconds between two measurements while memory is short. Garbage can grow by hundreds of megabytes in a second. */
const READ_SHORT_EVERY_MS = 250;
const SHORT_FROM_SHARE = 0.75;
const SHORT_UNTIL_SHARE = 0.65;
const COLLECT_SHARE = 0.95;
const COLLECT_EVERY_MS = 1000;
/**
 * Upper limit in milliseconds of the minimum interval between two collections. The minimum interval doubles after each collection that
 * frees little memory, unless the heap grows, because collections cost time and memory.
 */
const COLLECT_AT_LEAST_EVERY_MS = 16_000;
const WORTHWHILE_SHARE = 0.05;
/**
 * Minimum pause after a collection, as a multiple of the collection's duration, so that collections take little of the time.
 * `COLLECT_PAUSE_MAX_MS` limits the pause, because garbage accumulates during the pause.
 */
const COLLECT_PAUSE_FACTOR = 9;
const COLLECT_PAUSE_MAX_MS = 3_000;
/** Time in milliseconds that V8 needs to return freed memory to the operating system. */
const RETURNED_AFTER_MS = 300;
/**
 * Requests up to `TRICKLE_SHARE` of `hard` are granted until resident memory reaches this multiple of the limit, if at most half of `hard`
 * is used. At that usage, resident memory above the limit is mostly garbage or freed memory. Senders with low usage get requests up to
 * `SMALL_BYTES` granted up to this multiple at any value of `used`. All other requests are granted only below the limit.
 */
const TOLERATED_SHARE = 1.07;
const READING_SHARE = 1.07;
/** Senders with low usage get requests up to `SMALL_BYTES` granted until `used` reaches this multiple of `hard`. */
const SPARE_SHARE = 1.1;
const SMALL_BYTES = 256 << 10;
/** A request up to this many bytes hardly changes resident memory. A body without a declared length initially reserves this size. */
const TINY_BYTES = 64 << 10;
const TINY_SHARE = 1.17;
/**
 * Share of the limit that requests up to `TINY_BYTES` of senders with low usage get in each second, however high resident memory is.
 * Resident memory above the limit is mostly garbage and freed memory, which tiny requests do not change.
 */
const TINY_RATE_SHARE = 0.005;
/** Senders with low usage get requests up to `TINY_BYTES` granted until `used` reaches this multiple of `hard`. */
const TINY_SPARE_SHARE = 1.2;
/**
 * After `used` has exceeded `soft`, traces are evicted until `used` is below this share of `soft`. Without this margin, the next request
 * would exceed `soft` again.
 */
const SETTLED_SHARE = 0.95;
/** Share of `hard` that stages may always retain, even if resident memory exceeds the limit. */
const RETAINED_SHARE = 0.3;
/**
 * One request up to this share of `hard` is granted each second while no other request is in flight and `hard` is not exceeded, however
 * high resident memory is (the trickle). Without the trickle, memory that no stage reports could block all telemetry permanently.
 */
const TRICKLE_SHARE = 0.1;
/** Minimum budget in bytes above `base`, also if the configured limit is lower than the memory of the idle process. */
const LEAST_BYTES = 32 << 20;

/**
 * Grants memory for bodies in transit. `used` is the sum of the grants and of the memory that each stage reports. Above `soft`, traces are
 * closed early; above `hard`, most requests are refused. Resident memory is measured too, because no stage reports some of the memory.
 */
export class MemoryBudget {
  /** Limit of resident memory in bytes. The limit is higher than the configured limit if the idle process needs more. */
  readonly limit: number;
  readonly soft: number;
  readonly hard: number;
  readonly #options: MemoryBudgetOptions;
  readonly #holders: (() => number)[] = [];
  /** Number of forced garbage collections. */
  collections = 0;
  #reserved = 0;
  /** Resident memory above `base` that no stage reported at the last measurement, in bytes. */
  #unaccounted = 0;
  #resident: number;
  #readMs: number;
  #isNew = false;
  #newMs = -Infinity;
  #wanted = 0;
  #trickledMs = -Infinity;
  #tinySinceMs = -Infinity;
  #tinyGrantedBytes = 0;
  /** Whether a request that was granted as the trickle (`TRICKLE_SHARE`) has not yet reserved memory for decoding. */
  #isTrickleUnread = false;
  #givenSinceRead = 0;
  #collectedMs = -Infinity;
  #heapCollected = 0;
  #collectEveryMs = COLLECT_EVERY_MS;
  #collectPauseMs = 0;
  /** Resident memory in bytes before the last collection; null once the collection's effect was measured. */
  #residentBefore: number | null = null;

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
    const { base, now } = options;
    const limit = Math.max(options.limit, base + LEAST_BYTES);
    this.limit = limit;
    this.hard = Math.floor(Math.max(limit - base - limit * SLACK_SHARE, limit * LEAST_SHARE));
    this.soft = Math.floor(this.hard * SOFT_SHARE);
    this.#resident = base;
    this.#readMs = now();
  }

  /** Adds a stage that retains memory. `read` returns the retained bytes. */
  watch(read: () => number): void {
    this.#holders.push(read);
  }

  get reserved(): number {
    return this.#reserved;
  }

  /** Bytes that are granted, or that a stage reports. */
  get used(): number {
    let used = this.#reserved;
    for (const read of this.#holders) used += read();
    return used;
  }

  /** Last measured resident memory in bytes. */
  get resident(): number {
    return this.#resident;
  }

  /**
   * Grants memory, or returns a refusal. The caller releases granted memory with `release`.
   * @param usage `low` may exceed `hard` with a small request; `greedy` may exceed the limit of resident memory only as the trickle
   * (`TRICKLE_SHARE`)
   */
  reserve(bytes: number, usage: SenderUsage = "usual"): Refusal | null {
    const refusal = this.#reserve(bytes, usage === "low" && bytes > SMALL_BYTES ? "usual" : usage);
    if (refusal !== null && bytes <= this.hard) this.#wanted = Math.max(this.#wanted, bytes);
    return refusal;
  }

  /** Returns the size in bytes of the largest request that was refused since the last call. The caller evicts traces of this size. */
  takeWanted(): number {
    const wanted = this.#wanted;
    this.#wanted = 0;
    return wanted;
  }

  #reserve(bytes: number, usage: SenderUsage): Refusal | null {
    const { now, random } = this.#options;
    // Memory that no stage reports lowers `#mostFor`. Only `hard` limits the trickle.
    const isFull = this.used + bytes > this.#mostFor(bytes, usage);
    if (isFull && (this.used + bytes > this.hard || !this.#isTrickle(bytes))) {
      return unavailable("no memory is free for further telemetry: send the request again later", random());
    }
    this.#givenSinceRead += bytes;
    if (this.#givenSinceRead >= READ_EVERY_BYTES || now() - this.#readMs >= READ_EVERY_MS) this.#read();
    if (
      !isFull &&
      this.#lacks(bytes, usage) &&
      !this.#collected(bytes) &&
      !this.#isTrickle(bytes) &&
      !(usage === "low" && this.#fitsTinyRate(bytes))
    ) {
      return unavailable("the process is at its memory limit: send the request again later", random());
    }
    this.#reserved += bytes;
    return null;
  }

  /**
   * Grants memory for decoding an admitted body. Decoding takes a short time, so resident memory may exceed the limit further than for
   * retained memory.
   */
  reserveReading(bytes: number): Refusal | null {
    if (bytes + this.#givenSinceRead >= READ_EVERY_BYTES) this.#read();
    const mayBeFar = this.#isTrickleUnread || this.#resident + bytes <= this.limit * READING_SHARE;
    this.#isTrickleUnread = false;
    if (!mayBeFar || this.used + bytes > this.hard) return this.reserve(bytes, "low");
    this.#reserved += bytes;
    return null;
  }

  release(bytes: number): void {
    this.#reserved = Math.max(0, this.#reserved - bytes);
  }

  /** Measures resident memory if the last measurement is older than a second, or 250 ms while memory is short. Call at least that often. */
  check(): void {
    this.#seeWhatCollectingBrought();
    const sinceMs = this.#options.now() - this.#readMs;
    const isShort = this.#resident > this.limit * SHORT_FROM_SHARE;
    if (sinceMs < (isShort ? READ_SHORT_EVERY_MS : READ_EVERY_MS)) return;
    this.#read();
    if (this.#resident > this.limit * COLLECT_SHARE) this.#collected(0);
  }

  #read(): void {
    const now = this.#options.now();
    this.#options.onMeasure?.();
    this.#resident = this.#options.resident();
    this.#unaccounted = this.#resident - this.#options.base - this.used;
    if (now - this.#newMs >= READ_EVERY_MS) {
      this.#isNew = true;
      this.#newMs = now;
    }
    this.#readMs = now;
    this.#givenSinceRead = 0;
    const share = this.#resident / this.limit;
    if (share > SHORT_FROM_SHARE || share < SHORT_UNTIL_SHARE)
      this.#options.onShort?.(share > SHORT_FROM_SHARE);
  }

  /**
   * Returns how many bytes the stages must release; 0 if memory suffices. Resident memory above the limit counts at most once a second. The
   * stages may retain `RETAINED_SHARE` of `hard`, because the remaining memory above the limit is garbage.
   */
  takeExcess(): number {
    const { used } = this;
    const overAccount = used > this.soft ? used - this.soft * SETTLED_SHARE : 0;
    const overLimit = this.#isNew
      ? Math.min(this.#resident - this.limit, used - this.hard * RETAINED_SHARE)
      : 0;
    this.#isNew = false;
    return Math.max(0, overAccount, overLimit);
  }

  /**
   * Grants one small request a second while no other request is in flight. Returns whether the request was granted, and records the grant.
   */
  #isTrickle(bytes: number): boolean {
    const now = this.#options.now();
    if (bytes > this.hard * TRICKLE_SHARE || this.#reserved > 0 || now - this.#trickledMs < READ_EVERY_MS)
      return false;
    this.#trickledMs = now;
    this.#isTrickleUnread = true;
    return true;
  }

  /** Whether a request up to `TINY_BYTES` fits into the bytes that tiny requests get in this second. If it fits, counts its bytes. */
  #fitsTinyRate(bytes: number): boolean {
    const now = this.#options.now();
    if (now - this.#tinySinceMs >= 1000) {
      this.#tinySinceMs = now;
      this.#tinyGrantedBytes = 0;
    }
    if (bytes > TINY_BYTES || this.#tinyGrantedBytes + bytes > this.limit * TINY_RATE_SHARE) return false;
    this.#tinyGrantedBytes += bytes;
    return true;
  }

  /**
   * Returns the maximum of `used` in bytes for this request. For senders with low usage, the maximum is fixed. For all other senders,
   * resident memory that no stage reports lowers the maximum if it exceeds `SLACK_SHARE`.
   */
  #mostFor(bytes: number, usage: SenderUsage): number {
    if (usage === "low") return this.hard * (bytes <= TINY_BYTES ? TINY_SPARE_SHARE : SPARE_SHARE);
    const over = Math.max(0, this.#unaccounted - this.limit * SLACK_SHARE);
    return Math.max(this.hard - over, this.hard * RETAINED_SHARE);
  }

  #lacks(bytes: number, usage: SenderUsage = "usual"): boolean {
    const expected = this.#resident + Math.max(bytes, this.#givenSinceRead);
    if (usage === "low" && bytes <= TINY_BYTES) return expected > this.limit * TINY_SHARE;
    const isModest = bytes <= this.hard * TRICKLE_SHARE && this.used + bytes <= this.hard / 2;
    const isTolerated = usage === "low" || (usage === "usual" && isModest);
    return expected > this.limit * (isTolerated ? TOLERATED_SHARE : 1);
  }

  /** Runs a garbage collection, unless the last one was recent. Returns whether `bytes` fit afterwards. */
  #collected(bytes: number): boolean {
    const { collect, heap, now } = this.#options;
    const sinceMs = now() - this.#collectedMs;
    const grown = heap === undefined ? 0 : heap() - this.#heapCollected;
    const everyMs = grown > this.limit * WORTHWHILE_SHARE ? COLLECT_EVERY_MS : this.#collectEveryMs;
    if (sinceMs < Math.max(everyMs, this.#collectPauseMs)) return false;
    this.#residentBefore = this.#resident;
    const begunMs = now();
    collect();
    this.collections++;
    this.#collectedMs = now();
    const tookMs = this.#collectedMs - begunMs;
    this.#collectPauseMs = Math.min(COLLECT_PAUSE_FACTOR * tookMs, COLLECT_PAUSE_MAX_MS);
    this.#heapCollected = heap?.() ?? 0;
    this.#read();
    return !this.#lacks(bytes);
  }

  #seeWhatCollectingBrought(): void {
    const before = this.#residentBefore;
    if (before === null || this.#options.now() - this.#collectedMs < RETURNED_AFTER_MS) return;
    this.#residentBefore = null;
    this.#read();
    const wasWorthwhile = before - this.#resident >= this.limit * WORTHWHILE_SHARE;
    this.#collectEveryMs = wasWorthwhile
      ? COLLECT_EVERY_MS
      : Math.min(2 * this.#collectEveryMs, COLLECT_AT_LEAST_EVERY_MS);
  }
}
