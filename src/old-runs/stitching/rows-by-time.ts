/** Rows of things that take time, found by the time that they touch. */
export class RowsByTime {
  /** By the power of two that is above the duration, so that one long row does not widen the search for short ones. */
  readonly #byDuration: (RowsByStart | undefined)[] = [];

  add(row: number, start: number, end: number): void {
    const power = Math.ceil(Math.log2(Math.max(1, end - start)));
    (this.#byDuration[power] ??= new RowsByStart()).add(row, start);
  }

  /** Calls `test` with each row that may touch the time from `start` to `end`, until it returns true. */
  some(start: number, end: number, test: (row: number) => boolean): boolean {
    for (let power = 0; power < this.#byDuration.length; power++) {
      if (this.#byDuration[power]?.some(start - 2 ** power, end, test) === true) return true;
    }
    return false;
  }
}

interface Started {
  readonly start: number;
  readonly row: number;
}

/** The latest rows are searched one by one, so that not every row that comes out of order moves all others. */
const MOST_LATEST = 128;

class RowsByStart {
  #sorted: Started[] = [];
  #latest: Started[] = [];

  add(row: number, start: number): void {
    if (this.#latest.length === 0 && start >= (this.#sorted[this.#sorted.length - 1]?.start ?? -Infinity)) {
      this.#sorted.push({ start, row });
      return;
    }
    this.#latest.push({ start, row });
    if (this.#latest.length < MOST_LATEST) return;
    this.#sorted = [...this.#sorted, ...this.#latest].sort((a, b) => a.start - b.start);
    this.#latest = [];
  }

  some(from: number, to: number, test: (row: number) => boolean): boolean {
    for (const { start, row } of this.#latest) if (start >= from && start <= to && test(row)) return true;
    for (let at = this.#firstFrom(from); at < this.#sorted.length; at++) {
      const one = this.#sorted[at];
      if (one === undefined || one.start > to) return false;
      if (test(one.row)) return true;
    }
    return false;
  }

  #firstFrom(start: number): number {
    let from = 0;
    for (let to = this.#sorted.length; from < to;) {
      const middle = (from + to) >> 1;
      if ((this.#sorted[middle]?.start ?? Infinity) < start) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
