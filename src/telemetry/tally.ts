import type { Attributes } from "@opentelemetry/api";

/** Marks the one series that takes what no other has room for; the name is the SDK's. */
const overflow: Attributes = { "otel.metric.overflow": true };

/**
 * The series of one counter, counted here and read when metrics are collected: a tenth of what the SDK takes for adding one. Past
 * `mostSeries` everything new is counted together.
 */
export class Tally {
  readonly #names: readonly string[];
  readonly #mostSeries: number;
  readonly #series = new Map<string, { readonly attributes: Attributes; count: number }>();
  #overflowed = 0;

  constructor(names: readonly string[], mostSeries: number) {
    this.#names = names;
    this.#mostSeries = mostSeries;
  }

  /** `values` in the order of the attribute names; null leaves an attribute out. */
  add(count: number, values: readonly (string | null)[]): void {
    const key = JSON.stringify(values);
    const series = this.#series.get(key);
    if (series !== undefined) series.count += count;
    else if (this.#series.size >= this.#mostSeries) this.#overflowed += count;
    else this.#series.set(key, { attributes: attributesOf(this.#names, values), count });
  }

  report(to: (count: number, attributes: Attributes) => void): void {
    for (const { count, attributes } of this.#series.values()) to(count, attributes);
    if (this.#overflowed > 0) to(this.#overflowed, overflow);
  }
}

/** Names and values paired; a null value leaves its name out. */
export function attributesOf(names: readonly string[], values: readonly (string | null)[]): Attributes {
  const attributes: Attributes = {};
  for (const [index, name] of names.entries()) {
    const value = values[index];
    if (value !== null && value !== undefined) attributes[name] = value;
  }
  return attributes;
}
