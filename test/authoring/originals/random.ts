/** Numbers that look random and are the same everywhere: decisions of other tools are recorded for what is made of them. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  one<T>(of: readonly T[]): T {
    return of[this.below(of.length)] as T;
  }

  some<T>(of: readonly T[], most: number): T[] {
    return Array.from({ length: of.length === 0 ? 0 : this.below(most + 1) }, () => this.one(of));
  }
}
