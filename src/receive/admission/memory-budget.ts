import type { Refusal } from "../ports.ts";

/** Recent memory usage of a sender, compared with other senders. */
export type SenderUsage = "low" | "usual" | "greedy";

export interface MemoryBudgetOptions {
  /** Upper limit of resident memory in bytes. */
  readonly limit: number;
  /** Resident memory before the first request, in bytes. */
  readonly base: number;
  /** Returns the resident memory now, in bytes. */
  readonly resident: () => number;
  /**
   * Returns the heap size now in bytes, including garbage. If absent, the heap size does not affect
   * collections.
   */
  readonly heap?: () => number;
  /** Called before each measurement of resident memory. */
  readonly onMeasure?: () => void;
  /** Called at each measurement of resident memory, with whether it is near the limit. */
  readonly onShort?: (isShort: boolean) => void;
  /** Runs a garbage collection. Called rarely, because a collection stops the process. */
  readonly collect: () => void;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  /**
   * Returns a random number between 0 and 1. The random number spreads the retries of refused senders over
   * time.
   */
  readonly random: () => number;
}

/**
 * Returns a refusal with a `Retry-After` of one or two seconds, because exporters give up after about ten
 * seconds.
 */
export function unavailable(message: string, random: number): Refusal {
  return { kind: "unavailable", retryAfterS: random < 0.5 ? 1 : 2, message };
}

/** Share of the memory above the base that is reserved for garbage and for unaccounted memory. */
const SLACK_SHARE = 0.4;
const LEAST_SHARE = 0.25;
const SOFT_SHARE = 0.8;
/** Resident memory is measured after this many granted bytes, and at least once in `READ_EVERY_MS`. */
const READ_EVERY_BYTES = 4 << 20;
const READ_EVERY_MS = 1000;
/**
 * Measurement interval while memory is short, because garbage can grow by hundreds of megabytes in a second.
 */
const READ_SHORT_EVERY_MS = 250;
const SHORT_FROM_SHARE = 0.75;
const SHORT_UNTIL_SHARE = 0.65;
const COLLECT_SHARE = 0.95;
const COLLECT_EVERY_MS = 1000;
/**
 * Maximum interval between two collections if collections free little memory and the heap has not grown. A
 * collection costs time, and also memory while it runs.
 */
const COLLECT_AT_LEAST_EVERY_MS = 16_000;
const WORTHWHILE_SHARE = 0.05;
/**
 * Minimum pause after a collection, as a multiple of the collection's duration, so that most of the time
 * remains for receiving. `COLLECT_PAUSE_MAX_MS` limits the pause, because garbage accumulates meanwhile.
 */
const COLLECT_PAUSE_FACTOR = 9;
const COLLECT_PAUSE_MAX_MS = 3_000;
/** Time in milliseconds that V8 needs to return freed memory to the operating system. */
const RETURNED_AFTER_MS = 300;
/**
 * Maximum resident memory, as a share of the limit, for requests below `TRICKLE_SHARE` while the account is
 * less than half full. The excess over the limit is then garbage, or freed memory that was not yet returned
 * to the system. Larger requests must stay below the limit.
 */
const TOLERATED_SHARE = 1.07;
const READING_SHARE = 1.07;
/** Maximum fill level of the account for small requests of senders with low usage, as a share of `hard`. */
const SPARE_SHARE = 1.1;
const SMALL_BYTES = 256 << 10;
/**
 * A request up to this size does not affect resident memory noticeably. A body without a declared length
 * initially reserves this size.
 */
const TINY_BYTES = 64 << 10;
const TINY_SHARE = 1.17;
/**
 * Share of the limit that requests up to `TINY_BYTES` may take each second, at any level of resident memory,
 * if their senders have low usage. Resident memory above the limit is mostly garbage and freed memory, which
 * such small requests do not change.
 */
const TINY_RATE_SHARE = 0.005;
/**
 * Maximum fill level of the account for requests up to `TINY_BYTES` of senders with low usage, as a share of
 * `hard`. Other small requests stay below `SPARE_SHARE`.
 */
const TINY_SPARE_SHARE = 1.2;
/**
 * Share of the soft limit to which memory is reduced after it exceeded the soft limit. The margin prevents
 * the next request from exceeding the soft limit again.
 */
const SETTLED_SHARE = 0.95;
/** Share of the account that is not evicted when resident memory exceeds the limit. */
const RETAINED_SHARE = 0.3;
/**
 * Share of the account that one request may take each second, at any level of resident memory. Without this
 * share, memory that no stage accounts for could block all telemetry permanently.
 */
const TRICKLE_SHARE = 0.1;
/** Minimum budget in bytes above the base, for a limit that is lower than the memory of the idle process. */
const LEAST_BYTES = 32 << 20;

/**
 * Accounts for the memory of the process: reservations for bodies in transit, and the memory that each stage
 * reports. Above `soft`, traces are closed early; above `hard`, most requests are refused. The account is
 * incomplete, so resident memory is also measured.
 */
export class MemoryBudget {
  /**
   * Limit of resident memory in bytes. The limit is higher than the configured one if the idle process needs
   * more.
   */
  readonly limit: number;
  readonly soft: number;
  readonly hard: number;
  readonly #options: MemoryBudgetOptions;
  readonly #holders: (() => number)[] = [];
  /** Number of forced garbage collections. */
  collections = 0;
  #reserved = 0;
  /** Resident memory above the base that no stage accounted for at the last measurement, in bytes. */
  #unaccounted = 0;
  #resident: number;
  #readMs: number;
  #isNew = false;
  #newMs = -Infinity;
  #wanted = 0;
  #trickledMs = -Infinity;
  #tinySinceMs = -Infinity;
  #tinyGrantedBytes = 0;
  /** Whether resident memory must still be measured since the trickle granted a request. */
  #isTrickleUnread = false;
  #givenSinceRead = 0;
  #collectedMs = -Infinity;
  #heapCollected = 0;
  #collectEveryMs = COLLECT_EVERY_MS;
  #collectPauseMs = 0;
  /** Resident memory in bytes before the last collection; null after its effect was measured. */
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

  /** Adds a stage that holds memory. `read` returns the held bytes. */
  watch(read: () => number): void {
    this.#holders.push(read);
  }

  get reserved(): number {
    return this.#reserved;
  }

  /** Accounted memory in bytes. */
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
   * Grants memory, or returns a refusal. Return granted memory with `release`.
   * @param usage a small request of a sender with low usage may use the reserved part of the account; a
   * greedy sender gets no tolerance above the limit of resident memory
   */
  reserve(bytes: number, usage: SenderUsage = "usual"): Refusal | null {
    const refusal = this.#reserve(bytes, usage === "low" && bytes > SMALL_BYTES ? "usual" : usage);
    if (refusal !== null && bytes <= this.hard) this.#wanted = Math.max(this.#wanted, bytes);
    return refusal;
  }

  /**
   * Returns the size of the largest request that was refused since the last call. The caller can evict that
   * many bytes.
   */
  takeWanted(): number {
    const wanted = this.#wanted;
    this.#wanted = 0;
    return wanted;
  }

  #reserve(bytes: number, usage: SenderUsage): Refusal | null {
    const { now, random } = this.#options;
    // Memory that no stage accounts for lowers `#mostFor`. The trickle is limited by `hard` alone.
    const isFull = this.used + bytes > this.#mostFor(bytes, usage);
    if (isFull && (this.used + bytes > this.hard || !this.#isTrickle(bytes))) {
      return unavailable("out of memory for telemetry in flight: retry later", random());
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
      return unavailable("the process is at its memory limit: send it again", random());
    }
    this.#reserved += bytes;
    return null;
  }

  /**
   * Reserves memory for decoding an admitted body. Decoding is short, so it may exceed the limit of resident
   * memory further than retained memory may.
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

  /**
   * Measures resident memory once a second, and more often while memory is short. The caller runs this check
   * at these intervals.
   */
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
   * Returns how many bytes the stages must release; 0 if memory suffices. Resident memory above the limit
   * counts at most once a second. The stages may keep `RETAINED_SHARE` of the account, because the rest of
   * resident memory is garbage.
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
   * Whether the trickle grants the request, and records the grant. The trickle grants one small request a
   * second while no other request is in flight.
   */
  #isTrickle(bytes: number): boolean {
    const now = this.#options.now();
    if (bytes > this.hard * TRICKLE_SHARE || this.#reserved > 0 || now - this.#trickledMs < READ_EVERY_MS)
      return false;
    this.#trickledMs = now;
    this.#isTrickleUnread = true;
    return true;
  }

  /**
   * Whether a request up to `TINY_BYTES` fits into the bytes allowed for such requests in this second. A
   * request that fits is counted.
   */
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
   * Returns the maximum fill level of the account in bytes. Memory that no stage accounts for lowers the
   * level where it exceeds the slack. Senders with low usage have a fixed level.
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

  /** Collects garbage, unless the last collection was recent. Returns true if `bytes` fit afterwards. */
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
