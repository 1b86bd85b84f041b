import type { Refusal } from "../ports.ts";

export interface MemoryBudgetOptions {
  /** What the process may take, in bytes: its resident memory is kept below. */
  readonly limit: number;
  /** Resident memory before the first request. */
  readonly base: number;
  /** Resident memory now. */
  readonly resident: () => number;
  /** Bytes on the heap now, garbage included; collections do not depend on it when absent. */
  readonly heap?: () => number;
  /** Called at each reading of resident memory, with whether it is near the limit. */
  readonly onShort?: (isShort: boolean) => void;
  /** Frees unused memory. It takes time, so it is not called often. */
  readonly collect: () => void;
  /** Milliseconds, of a clock that does not jump. */
  readonly now: () => number;
  /** From 0 to 1; so that refused senders do not come back all at once. */
  readonly random: () => number;
}

/** `Retry-After` of refused requests is one or two seconds: exporters give up after about ten. */
export function unavailable(message: string, random: number): Refusal {
  return { kind: "unavailable", retryAfterS: random < 0.5 ? 1 : 2, message };
}

/** Share of the memory above the base that is reserved for garbage and for what is not counted. */
const SLACK_SHARE = 0.35;
const LEAST_SHARE = 0.25;
const SOFT_SHARE = 0.8;
/** Resident memory is read after this many bytes were granted, and at least at this interval. */
const READ_EVERY_BYTES = 4 << 20;
const READ_EVERY_MS = 1000;
/** The same while memory is short: garbage of hundreds of megabytes comes within a second. */
const READ_SHORT_EVERY_MS = 250;
const SHORT_FROM_SHARE = 0.75;
const SHORT_UNTIL_SHARE = 0.65;
const COLLECT_SHARE = 0.95;
const COLLECT_EVERY_MS = 1000;
/** A collection that freed little is not repeated soon, unless much was put on the heap since: it takes time, and memory while it lasts. */
const COLLECT_AT_LEAST_EVERY_MS = 16_000;
const WORTHWHILE_SHARE = 0.05;
/** Freed memory returns to the system with a delay. */
const RETURNED_AFTER_MS = 300;
/**
 * How far over the limit resident memory may be while the account is less than half full: the rest is garbage, or was not given back yet.
 */
const TOLERATED_SHARE = 1.1;
const READING_SHARE = 1.1;
/** Extra share for small requests of senders that took little. */
const SPARE_SHARE = 1.1;
const SMALL_BYTES = 256 << 10;
/**
 * So small that it makes no difference to resident memory, and a loss to a sender that has little to send; what a body without a length
 * begins with.
 */
const TINY_BYTES = 64 << 10;
const TINY_SHARE = 1.17;
/** Of the account, for those: not even other small requests may use up the last bit of it. */
const TINY_SPARE_SHARE = 1.2;
/** Of the soft limit; what is released when it is exceeded, so that not every further request exceeds it again. */
const SETTLED_SHARE = 0.95;
/** Of the account; not released because resident memory is over the limit. */
const RETAINED_SHARE = 0.3;
/** Of the account; given each second whatever is resident: memory that cannot be freed here must not keep all telemetry out for good. */
const TRICKLE_SHARE = 0.1;
/** A limit below the idle memory of the process would leave nothing for telemetry. */
const LEAST_BYTES = 32 << 20;

/**
 * The account of what the process holds: reservations for bodies on their way, and whatever stages hold, which they are asked for. Above
 * `soft` traces are closed early, above `hard` nothing more is given. Since an account is only as good as its entries, resident memory is
 * looked at as well, before memory is given and not after.
 */
export class MemoryBudget {
  /** What resident memory is kept below; above the limit asked for when that is less than the process takes at rest. */
  readonly limit: number;
  readonly soft: number;
  readonly hard: number;
  readonly #options: MemoryBudgetOptions;
  readonly #holders: (() => number)[] = [];
  /** How often garbage had to be collected. */
  collections = 0;
  #reserved = 0;
  #resident: number;
  #readMs: number;
  #isNew = false;
  #newMs = -Infinity;
  #wanted = 0;
  #trickledMs = -Infinity;
  /** What was let in by the trickle has yet to be read. */
  #isTrickleUnread = false;
  #givenSinceRead = 0;
  #collectedMs = -Infinity;
  #heapCollected = 0;
  #collectEveryMs = COLLECT_EVERY_MS;
  /** Resident memory before the last collection; null after its effect was measured. */
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

  /** Adds a stage that holds memory; `read` returns its bytes. */
  watch(read: () => number): void {
    this.#holders.push(read);
  }

  get reserved(): number {
    return this.#reserved;
  }

  /** Bytes in the account. */
  get used(): number {
    let used = this.#reserved;
    for (const read of this.#holders) used += read();
    return used;
  }

  /** Resident memory as last read. */
  get resident(): number {
    return this.#resident;
  }

  /**
   * Grants memory, or returns the refusal. Return granted memory with `release`.
   * @param mayUseSpare for a small request of somebody who took little: a part of the memory is left to such
   */
  reserve(bytes: number, mayUseSpare = false): Refusal | null {
    const refusal = this.#reserve(bytes, mayUseSpare && bytes <= SMALL_BYTES);
    if (refusal !== null && bytes <= this.hard) this.#wanted = Math.max(this.#wanted, bytes);
    return refusal;
  }

  /** The largest refused request since the last call; a holder of spare memory may release that much. */
  takeWanted(): number {
    const wanted = this.#wanted;
    this.#wanted = 0;
    return wanted;
  }

  #reserve(bytes: number, mayUseSpare: boolean): Refusal | null {
    const { now, random } = this.#options;
    if (this.used + bytes > this.hard * spareShare(bytes, mayUseSpare)) {
      return unavailable("out of memory for telemetry in flight: retry later", random());
    }
    this.#givenSinceRead += bytes;
    if (this.#givenSinceRead >= READ_EVERY_BYTES || now() - this.#readMs >= READ_EVERY_MS) this.#read();
    if (this.#lacks(bytes, mayUseSpare) && !this.#collected(bytes) && !this.#isTrickle(bytes)) {
      return unavailable("the process is at its memory limit: send it again", random());
    }
    this.#reserved += bytes;
    return null;
  }

  /**
   * Gives memory for reading a body that was admitted. It is needed for a moment only, so it may go further over the limit than what
   * stays.
   */
  reserveReading(bytes: number): Refusal | null {
    const mayBeFar = this.#isTrickleUnread || this.#resident + bytes <= this.limit * READING_SHARE;
    this.#isTrickleUnread = false;
    if (!mayBeFar || this.used + bytes > this.hard) return this.reserve(bytes, true);
    this.#reserved += bytes;
    return null;
  }

  release(bytes: number): void {
    this.#reserved = Math.max(0, this.#reserved - bytes);
  }

  /**
   * Reads resident memory once a second, and more often while it is short, when none is reserved as well. To be called at least that
   * often.
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
    this.#resident = this.#options.resident();
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
   * How many bytes the stages must release; 0 for none. What resident memory is over the limit is returned once for each time it is read,
   * and down to a part of the account: the rest is garbage, and releasing everything would free none of it.
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

  /** Allows one small request a second while no other is in flight. */
  #isTrickle(bytes: number): boolean {
    const now = this.#options.now();
    if (bytes > this.hard * TRICKLE_SHARE || this.#reserved > 0 || now - this.#trickledMs < READ_EVERY_MS)
      return false;
    this.#trickledMs = now;
    this.#isTrickleUnread = true;
    return true;
  }

  #lacks(bytes: number, mayUseSpare = false): boolean {
    const expected = this.#resident + Math.max(bytes, this.#givenSinceRead);
    if (mayUseSpare && bytes <= TINY_BYTES) return expected > this.limit * TINY_SHARE;
    const isTolerated = mayUseSpare || this.used + bytes <= this.hard / 2;
    return expected > this.limit * (isTolerated ? TOLERATED_SHARE : 1);
  }

  /** Collects garbage, unless that was done just now; true when there is room for `bytes` afterwards. */
  #collected(bytes: number): boolean {
    const { collect, heap, now } = this.#options;
    const sinceMs = now() - this.#collectedMs;
    const grown = heap === undefined ? 0 : heap() - this.#heapCollected;
    const everyMs = grown > this.limit * WORTHWHILE_SHARE ? COLLECT_EVERY_MS : this.#collectEveryMs;
    if (sinceMs < everyMs) return false;
    this.#residentBefore = this.#resident;
    collect();
    this.collections++;
    this.#collectedMs = now();
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

function spareShare(bytes: number, mayUseSpare: boolean): number {
  if (!mayUseSpare) return 1;
  return bytes <= TINY_BYTES ? TINY_SPARE_SHARE : SPARE_SHARE;
}
