/** The least of some numbers that come from traces, with any one trace left out. */
export class TraceExtreme {
  #least = Infinity;
  #trace: string | undefined;
  /** The least from all other traces. */
  #second = Infinity;

  add(value: number, trace: string): void {
    if (trace === this.#trace) {
      this.#least = Math.min(this.#least, value);
    } else if (value < this.#least) {
      this.#second = this.#least;
      this.#least = value;
      this.#trace = trace;
    } else {
      this.#second = Math.min(this.#second, value);
    }
  }

  /** The least number that is not from this trace; Infinity where there is none. */
  besides(trace: string): number {
    return trace === this.#trace ? this.#second : this.#least;
  }
}
