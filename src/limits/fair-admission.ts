import type { Admission, ConnectionAdmission, Refusal } from "../receive/ports.ts";
import type { MemoryBudget } from "./memory-budget.ts";

/** What a connection was given counts half after so long. */
const HALF_LIFE_MS = 5_000;
/** A connection that asked for nothing for so long does not count when shares are made. */
const ACTIVE_MS = 10_000;

/**
 * Admits bodies into a memory budget. Short of memory, that is above the soft limit, a connection that took more than its share of late is
 * sent away, so that one that floods leaves room for the others.
 */
export class FairAdmission implements Admission {
  readonly #budget: MemoryBudget;
  readonly #now: () => number;
  readonly #all: Taken;
  /** Connections by when they last asked, the longest ago first. */
  readonly #active = new Map<Taken, number>();

  constructor(budget: MemoryBudget, now: () => number) {
    this.#budget = budget;
    this.#now = now;
    this.#all = new Taken(now());
  }

  /** For whoever asks without a connection. */
  admit(bytes: number): Refusal | null {
    return this.#budget.reserve(bytes);
  }

  release(bytes: number): void {
    this.#budget.release(bytes);
  }

  open(): ConnectionAdmission {
    const taken = new Taken(this.#now());
    return {
      admit: (bytes) => this.#admit(bytes, taken),
      release: (bytes) => this.#budget.release(bytes),
      close: () => void this.#active.delete(taken),
    };
  }

  #admit(bytes: number, taken: Taken): Refusal | null {
    const now = this.#now();
    this.#asked(taken, now);
    if (this.#budget.used + bytes > this.#budget.soft && this.#tookMoreThanItsShare(taken, now)) {
      const message = "this connection sends more than its share while memory is short: send it again";
      return { kind: "throttled", retryAfterS: 1, message };
    }
    const refusal = this.#budget.reserve(bytes);
    if (refusal === null) {
      taken.add(bytes, now);
      this.#all.add(bytes, now);
    }
    return refusal;
  }

  #asked(taken: Taken, now: number): void {
    this.#active.delete(taken);
    this.#active.set(taken, now);
    for (const [oldest, askedMs] of this.#active) {
      if (askedMs + ACTIVE_MS > now) break;
      this.#active.delete(oldest);
    }
  }

  #tookMoreThanItsShare(taken: Taken, now: number): boolean {
    const active = this.#active.size;
    return active > 1 && taken.at(now) > this.#all.at(now) / active;
  }
}

/** A sum that fades. */
class Taken {
  #bytes = 0;
  #atMs: number;

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  at(nowMs: number): number {
    return this.#bytes * 2 ** ((this.#atMs - nowMs) / HALF_LIFE_MS);
  }

  add(bytes: number, nowMs: number): void {
    this.#bytes = this.at(nowMs) + bytes;
    this.#atMs = nowMs;
  }
}
