import { expect } from "vitest";
import { type Outcome, outcomes } from "../../src/model/outcome.ts";
import type { VerdictSums } from "../../src/store/archive.ts";
import { HOUR } from "./stored-records.ts";

/** What sums depend on. */
export interface Counted {
  readonly run: number;
  readonly revision: number;
  readonly outcome: Outcome;
  readonly costUsd: number | null;
  /** Since 1970. */
  readonly hour: number;
}

/** The newest revision of each run, newest first; each in the hour of the run's first revision. */
export function newestOf<One extends Counted>(all: readonly One[]): One[] {
  const newest = new Map<number, One>();
  for (const one of all) {
    const earlier = newest.get(one.run);
    if ((earlier?.revision ?? 0) >= one.revision) continue;
    newest.delete(one.run);
    newest.set(one.run, { ...one, hour: earlier?.hour ?? one.hour });
  }
  return [...newest.values()].reverse();
}

export function expectSums(
  given: readonly VerdictSums[],
  wanted: readonly Counted[],
  bucketMs: number | null,
): void {
  const hours = (bucketMs ?? 0) / HOUR;
  const bucketOf = ({ hour }: Counted): number | null =>
    bucketMs === null ? null : Math.floor(hour / hours) * bucketMs;
  const buckets = [...new Set(wanted.map(bucketOf))].toSorted((a, b) => Number(a) - Number(b));
  expect(given.map((one) => one.bucket_unix_ms)).toEqual(buckets);
  for (const sum of given) {
    const those = wanted.filter((one) => bucketOf(one) === sum.bucket_unix_ms);
    const costs = those.flatMap(({ costUsd }) => costUsd ?? []);
    const total = costs.reduce((all, cost) => all + cost, 0);
    expect([sum.verdicts, sum.costs]).toEqual([those.length, costs.length]);
    expect(sum.mean_cost_usd).toBe(costs.length === 0 ? null : total / costs.length);
    for (const outcome of outcomes)
      expect(sum.outcomes[outcome] ?? 0).toBe(those.filter((one) => one.outcome === outcome).length);
  }
}
