import { wilsonInterval } from "../../../src/report/statistics/estimates/interval.ts";
import type { Outcome } from "../types.ts";
import { groupBy } from "./group-by.ts";
import type { Sums } from "../views/query-data.ts";

/** Adds up the sums of several queries; null if there are no queries. In a mean, each run with a known value has the same weight. */
export function pooledSums(sums: readonly Sums[]): Sums | null {
  const [first] = sums;
  if (first === undefined) return null;
  const outcomes: Partial<Record<Outcome, number>> = {};
  for (const one of sums) {
    for (const [name, count] of Object.entries(one.outcomes) as [Outcome, number][])
      outcomes[name] = (outcomes[name] ?? 0) + count;
  }
  const passed = (outcomes.pass ?? 0) + (outcomes.warn ?? 0);
  const decided = passed + (outcomes.fail ?? 0);
  return {
    ...first,
    outcomes,
    verdicts: total(sums, ({ verdicts }) => verdicts),
    pass_rate: decided === 0 ? null : passed / decided,
    pass_rate_interval: decided === 0 ? null : wilsonInterval(passed, decided, 0.95),
    mean_duration_ms: mean(sums, (one) => [one.mean_duration_ms, one.verdicts]),
    mean_cost_usd: mean(sums, (one) => [one.mean_cost_usd, one.costs]),
    costs: total(sums, ({ costs }) => costs),
    mean_tokens: mean(sums, (one) => [one.mean_tokens, one.token_counts]),
    token_counts: total(sums, ({ token_counts: counts }) => counts),
    agents: [...new Set(sums.flatMap(({ agents }) => agents))],
  };
}

/** Returns the share of decided runs that passed without a warning; null if no run is decided. */
export function cleanRate({
  pass_rate: rate,
  outcomes,
}: Pick<Sums, "pass_rate" | "outcomes">): number | null {
  const { pass = 0, warn = 0 } = outcomes;
  return rate === null || pass + warn === 0 ? rate : (rate * pass) / (pass + warn);
}

/** Adds up the sums of several queries for each step of time, and returns them with the oldest first. */
export function pooledTrend(trends: readonly Sums[]): readonly Sums[] {
  const byBucket = groupBy(trends, ({ bucket_unix_ms: bucket }) => bucket ?? 0);
  return [...byBucket].toSorted(([a], [b]) => a - b).flatMap(([, sums]) => pooledSums(sums) ?? []);
}

function total(sums: readonly Sums[], of: (one: Sums) => number): number {
  return sums.reduce((all, one) => all + of(one), 0);
}

function mean(
  sums: readonly Sums[],
  of: (one: Sums) => readonly [value: number | null, weight: number],
): number | null {
  const known = sums.map(of).filter(([value, weight]) => value !== null && weight > 0);
  const weight = known.reduce((all, [, one]) => all + one, 0);
  return weight === 0 ? null : known.reduce((all, [value, one]) => all + (value ?? 0) * one, 0) / weight;
}
