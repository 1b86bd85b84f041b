type Metrics = ReadonlyMap<string, number | null>;

/** Metrics of a verdict, computed at the first read. Most verdicts are only counted, and their metrics are never read. */
export class LazyMetrics implements Metrics {
  #compute: (() => Metrics) | undefined;
  #computed: Metrics | undefined;

  constructor(compute: () => Metrics) {
    this.#compute = compute;
  }

  get size(): number {
    return this.#all.size;
  }

  get(name: string): number | null | undefined {
    return this.#all.get(name);
  }

  has(name: string): boolean {
    return this.#all.has(name);
  }

  forEach(each: (value: number | null, name: string, metrics: Metrics) => void): void {
    for (const [name, value] of this.#all) each(value, name, this);
  }

  entries(): ReturnType<Metrics["entries"]> {
    return this.#all.entries();
  }

  keys(): ReturnType<Metrics["keys"]> {
    return this.#all.keys();
  }

  values(): ReturnType<Metrics["values"]> {
    return this.#all.values();
  }

  [Symbol.iterator](): ReturnType<Metrics["entries"]> {
    return this.#all.entries();
  }

  get #all(): Metrics {
    if (this.#computed === undefined) {
      this.#computed = this.#compute?.() ?? new Map<string, number | null>();
      this.#compute = undefined;
    }
    return this.#computed;
  }
}
