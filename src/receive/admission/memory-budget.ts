import type { Refusal } from "../ports.ts";

/** Recent memory usage of a sender, compared with that of other senders. `greedy`: more than an equal share. */
export type SenderUsage = "low" | "usual" | "greedy";

export interface MemoryBudgetOptions {
  /** Upper limit of resident memory in bytes. */
  readonly limit: number;
  /** Resident memory before the first request, in bytes. */
  readonly base: number;
  /** Returns the resident memory now, in bytes. */
  readonly resident: () => number;
  /**
   * Returns the heap size now in bytes, including garbage. Without this function, heap growth does not shorten the interval between two
   * collections.
   */
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
  /** Returns a random number between 0 and 1. Random retry times spread the retries of refused senders. */
  readonly random: () => number;
}

/**
 * Returns a refusal with a `Retry-After` of one or two seconds. The time is this short because exporters give up after about ten seconds.
 */
export function unavailable(message: string, random: number): Refusal {
  return { kind: "unavailable", retryAfterS: random < 0.5 ? 1 : 2, message };
}

/** Share of the limit that is reserved for garbage and for memory that no stage reports. */
const SLACK_SHARE = 0.4;
const LEAST_SHARE = 0.25;
const SOFT_SHARE = 0.8;
/** Resident memory is measured after this many granted bytes, and at the latest after `READ_EVERY_MS`. */
const READ_EVERY_BYTES = 4 << 20;
const READ_EVERY_MS = 1000;
/** Maximum milliseconds between two measurements while memory is short. Garbage can grow by hundreds of megabytes in a second. */
const READ_SHORT_EVERY_MS = 250;
const SHORT_FROM_SHARE = 0.75;
const SHORT_UNTIL_SHARE = 0.65;
const COLLECT_SHARE = 0.95;
const COLLECT_EVERY_MS = 1000;
/**
 * Maximum value, in milliseconds, of the minimum interval between two collections. The interval doubles after each collection that frees
 * little memory while the heap does not grow, because collections cost time and memory.
 */
const COLLECT_AT_LEAST_EVERY_MS = 16_000;
const WORTHWHILE_SHARE = 0.05;
/**
 * Minimum pause after a collection, as a multiple of the collection's duration, so that collections take little of the total time. The
 * pause is at most `COLLECT_PAUSE_MAX_MS`, because garbage accumulates during the pause.
 */
const COLLECT_PAUSE_FACTOR = 9;
const COLLECT_PAUSE_MAX_MS = 3_000;
/** Time in milliseconds that V8 needs to return freed memory to the operating system. */
const RETURNED_AFTER_MS = 300;
/**
 * Up to this multiple of the limit, resident memory is tolerated for two kinds of requests. First, requests up to `TRICKLE_SHARE` of
 * `hard`, if at most half of `hard` is used: resident memory above the limit is then mostly garbage or freed memory. Second, requests up to
 * `SMALL_BYTES` of senders with low usage, at any value of `used`. All other requests are granted only while resident memory is below the
 * limit.
 */
const TOLERATED_SHARE = 1.07;
const READING_SHARE = 1.07;
/** Senders with low usage get requests up to `SMALL_BYTES` granted until `used` reaches this multiple of `hard`. */
const SPARE_SHARE = 1.1;
const SMALL_BYTES = 256 << 10;
/**
 * A request up to this many bytes hardly changes resident memory. This size is also reserved at first for a body that declares no length.
 */
const TINY_BYTES = 64 << 10;
const TINY_SHARE = 1.17;
/**
 * Share of the limit for tiny requests: all requests up to `TINY_BYTES` of senders with low usage together get this share in each second.
 * They get it even if resident memory exceeds the limit. Resident memory above the limit is mostly garbage and freed memory, which tiny
 * requests do not change.
 */
const TINY_RATE_SHARE = 0.005;
/** Senders with low usage get requests up to `TINY_BYTES` granted until `used` reaches this multiple of `hard`. */
const TINY_SPARE_SHARE = 1.2;
/**
 * Once `used` has exceeded `soft`, traces are evicted until `used` is below this share of `soft`. Without this margin, the next request
 * would exceed `soft` again.
 */
const SETTLED_SHARE = 0.95;
/** Share of `hard` that stages may always retain, even if resident memory exceeds the limit. */
const RETAINED_SHARE = 0.3;
/**
 * The trickle: one request per second, up to this share of `hard`, is granted even if resident memory exceeds the limit. Conditions: no
 * other request is in flight, and `hard` is not exceeded. Without the trickle, memory that no stage reports could block all telemetry
 * permanently.
 */
const TRICKLE_SHARE = 0.1;
/** Minimum budget in bytes above `base`. It also applies if the configured limit is lower than the memory of the idle process. */
const LEAST_BYTES = 32 << 20;

/**
 * Grants memory for bodies that are being received or processed. `used` is the sum of the granted bytes and of the bytes that each stage
 * reports. Above `soft`, traces are closed early; above `hard`, most requests are refused. Resident memory is also measured, because some
 * of the memory is reported by no stage.
 */
export class MemoryBudget {
  /** Limit of resident memory in bytes. If the idle process needs more memory than the configured limit allows, this limit is higher. */
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
  /** Whether a request that was granted as the trickle (`TRICKLE_SHARE`) still has to reserve memory for decoding. */
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

  /** Sum of the granted bytes and of the bytes that the stages report. */
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
   * Grants memory, or returns a refusal. The caller later releases granted memory with `release`.
   * @param usage `low`: a small request may exceed `hard`; `greedy`: the request may exceed the limit of resident memory only as the
   * trickle (`TRICKLE_SHARE`)
   */
  reserve(bytes: number, usage: SenderUsage = "usual"): Refusal | null {
    const refusal = this.#reserve(bytes, usage === "low" && bytes > SMALL_BYTES ? "usual" : usage);
    if (refusal !== null && bytes <= this.hard) this.#wanted = Math.max(this.#wanted, bytes);
    return refusal;
  }

  /** Returns the size in bytes of the largest request that was refused since the last call. The caller evicts traces with as many bytes. */
  takeWanted(): number {
    const wanted = this.#wanted;
    this.#wanted = 0;
    return wanted;
  }

  #reserve(bytes: number, usage: SenderUsage): Refusal | null {
    const { now, random } = this.#options;
    // Memory that no stage reports lowers `#mostFor`. For the trickle, this lower maximum does not apply; only `hard` does.
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
      return unavailable("the process has reached limits.memory: send the request again later", random());
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

  /**
   * Measures resident memory if the last measurement is older than one second (250 ms while memory is short). Call it at least this often.
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
   * Returns how many bytes the stages must release; 0 if memory suffices. Resident memory above the limit counts at most once a second. The
   * stages may always retain `RETAINED_SHARE` of `hard`: if they retain so little, the memory above the limit is garbage.
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

  /**
   * Whether a request up to `TINY_BYTES` fits into the bytes that such requests get in this second (`TINY_RATE_SHARE`). If so, counts its
   * bytes.
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
   * Returns the largest value of `used`, in bytes, up to which this request is granted. For senders with low usage, the value is fixed. For
   * all other senders, it is lowered by resident memory that no stage reports, as far as this memory exceeds `SLACK_SHARE`.
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

  /** Runs a garbage collection, unless the last collection was recent. Returns whether `bytes` fit afterwards. */
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
