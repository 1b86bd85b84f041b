/** Finds the first of some numbers, in their own order whatever it is, that reaches a height. */
export class FirstAtLeast {
  /** The greatest so far, which only grows. */
  readonly #greatest: Float64Array;

  constructor(numbers: readonly number[]) {
    this.#greatest = Float64Array.from(numbers);
    for (let at = 1; at < numbers.length; at++)
      this.#greatest[at] = Math.max(this.#greatest[at - 1] ?? -Infinity, this.#greatest[at] ?? -Infinity);
  }

  /** Its place; as many as there are when none does. */
  place(height: number): number {
    return this.#first((greatest) => greatest >= height);
  }

  /** The same for the first that is greater. */
  placeAbove(height: number): number {
    return this.#first((greatest) => greatest > height);
  }

  #first(isEnough: (greatest: number) => boolean): number {
    let from = 0;
    for (let to = this.#greatest.length; from < to;) {
      const middle = (from + to) >> 1;
      if (isEnough(this.#greatest[middle] ?? Infinity)) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}
