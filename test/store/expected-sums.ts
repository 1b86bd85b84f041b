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

/** The sums of these verdicts, by the beginning of the bucket. */
export function sumsOf(
  counted: readonly Counted[],
  bucketMs: number | null,
): readonly Partial<VerdictSums>[] {
  const hours = (bucketMs ?? 0) / HOUR;
  const bucketOf = ({ hour }: Counted): number | null =>
    bucketMs === null ? null : Math.floor(hour / hours) * bucketMs;
  const buckets = [...new Set(counted.map(bucketOf))].toSorted((a, b) => Number(a) - Number(b));
  return buckets.map((bucket) => {
    const those = counted.filter((one) => bucketOf(one) === bucket);
    const costs = those.flatMap(({ costUsd }) => costUsd ?? []);
    const total = costs.reduce((all, cost) => all + cost, 0);
    const present = outcomes.filter((outcome) => those.some((one) => one.outcome === outcome));
    const count = (outcome: Outcome): number => those.filter((one) => one.outcome === outcome).length;
    return {
      bucket_unix_ms: bucket,
      verdicts: those.length,
      costs: costs.length,
      mean_cost_usd: costs.length === 0 ? null : total / costs.length,
      outcomes: Object.fromEntries(present.map((outcome) => [outcome, count(outcome)])),
    };
  });
}
