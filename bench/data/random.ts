import { createRandom } from "../../src/report/statistics/samples/random.ts";

/** A sequence of random numbers; the same seed gives the same sequence. */
export class Random {
  readonly #random: ReturnType<typeof createRandom>;

  constructor(seed: number) {
    this.#random = createRandom(seed);
  }

  /** A number ≥ 0 and < 1. */
  unit(): number {
    return this.#random.uniform();
  }

  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + this.#random.below(high - low + 1);
  }

  /** A number from `low` to `high`; each order of magnitude is equally likely. */
  log(low: number, high: number): number {
    return Math.round(low * (high / low) ** this.unit());
  }

  pick<T>(of: readonly [T, ...T[]]): T {
    return of[this.#random.below(of.length)] ?? of[0];
  }

  chance(share: number): boolean {
    return this.unit() < share;
  }

  hex(bytes: number): string {
    return Array.from({ length: bytes }, () => this.int(0, 255).toString(16).padStart(2, "0")).join("");
  }
}
