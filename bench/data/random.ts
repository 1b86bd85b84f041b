import { createRandom } from "../../src/report/statistics/samples/random.ts";

/** A stream of numbers that is the same for the same seed. */
export class Random {
  readonly #random: ReturnType<typeof createRandom>;

  constructor(seed: number) {
    this.#random = createRandom(seed);
  }

  /** From 0 to below 1. */
  unit(): number {
    return this.#random.uniform();
  }

  /** A whole number, both ends included. */
  int(low: number, high: number): number {
    return low + this.#random.below(high - low + 1);
  }

  /** Spread evenly over orders of magnitude. */
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
