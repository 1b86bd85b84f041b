import type { Sample } from "../samples/moments.ts";

export interface Ranking {
  /** Rank of each value, from 1. Equal values all get the mean of their ranks. */
  readonly ranks: Float64Array;
  /** Σ(t³ − t) over the groups of t equal values; 0 if all values are different. */
  readonly ties: number;
}

/** Ranks the values in ascending order. Equal values get the mean of their ranks (mid-ranks). */
export function rank(values: Sample): Ranking {
  const order = Uint32Array.from({ length: values.length }, (_, index) => index);
  order.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Float64Array(values.length);
  let ties = 0;
  for (let start = 0; start < order.length;) {
    const value = values[order[start] ?? 0];
    let end = start + 1;
    while (end < order.length && values[order[end] ?? 0] === value) end++;
    for (let i = start; i < end; i++) ranks[order[i] ?? 0] = (start + 1 + end) / 2;
    const size = end - start;
    ties += size ** 3 - size;
    start = end;
  }
  return { ranks, ties };
}

export function concatenate(samples: readonly Sample[]): Float64Array {
  const all = new Float64Array(samples.reduce((length, sample) => length + sample.length, 0));
  let offset = 0;
  for (const sample of samples) {
    all.set(Array.from(sample), offset);
    offset += sample.length;
  }
  return all;
}

/** Returns the sum of the ranks at the indexes from `start` up to, but not including, `end`. */
export function rankSum(ranking: Ranking, start: number, end: number): number {
  let total = 0;
  for (let i = start; i < end; i++) total += ranking.ranks[i] ?? 0;
  return total;
}
