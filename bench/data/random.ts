/** A stream of numbers that is the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 to below 1. */
  unit(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) | 0;
    let mixed = this.#state ^ (this.#state >>> 16);
    mixed = Math.imul(mixed, 0x45d9f3b);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  /** Spread evenly over orders of magnitude. */
  log(low: number, high: number): number {
    return Math.round(low * (high / low) ** this.unit());
  }

  pick<T>(of: readonly [T, ...T[]]): T {
    return of[Math.floor(this.unit() * of.length)] ?? of[0];
  }

  chance(share: number): boolean {
    return this.unit() < share;
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.int(0, 255));
  }

  hex(count: number): string {
    return Buffer.from(this.bytes(count)).toString("hex");
  }
}
