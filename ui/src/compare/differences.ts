import { money, number, time } from "../format.ts";
import { type Comparison, countsOfA, countsOfB, level, type QueryComparison } from "./compare-data.ts";
import { passRateWords } from "./pass-rate-words.ts";

/** The change of one measure of a query, in words. */
export interface Difference {
  readonly key: string;
  readonly query: QueryComparison;
  readonly metric: string;
  readonly before: string;
  readonly after: string;
  /** The change as text, such as `+96 %` or `−10 points`. */
  readonly change: string;
  /** `chance`: not significant. `same`: significant, but so small that it is shown as ±0. */
  readonly verdict: "worse" | "better" | "chance" | "same";
  readonly p: number;
  /** Sort key: the larger the value, the worse the change. */
  readonly badness: number;
}

export const metricWords: Readonly<Record<string, string>> = {
  pass_rate: "pass rate",
  latency_ms: "time",
  cost_usd: "cost",
  total_tokens: "tokens",
  tool_calls: "tool calls",
};

/** Returns all comparisons, the worst change first; changes that are not significant are last. */
export function differencesOf(queries: readonly QueryComparison[]): Difference[] {
  return queries
    .flatMap((query) => query.comparisons.flatMap((comparison) => differenceOf(query, comparison) ?? []))
    .sort((a, b) => order[a.verdict] - order[b.verdict] || b.badness - a.badness || a.p - b.p);
}

const order = { worse: 0, better: 1, chance: 2, same: 2 } as const;

function differenceOf(query: QueryComparison, comparison: Comparison): Difference | null {
  const { metric, p_adjusted: p, effect, change } = comparison;
  if (p === null || effect === null) return null;
  const isRate = metric === "pass_rate";
  const amount = isRate ? effect : (change?.estimate ?? effect);
  const isWorse = isRate ? amount < 0 : amount > 0;
  const medians = query.metrics[metric];
  return {
    key: JSON.stringify([query.spec, query.query_id, query.text, metric]),
    query,
    metric,
    before: isRate ? passRateWords(countsOfA(query)) : figure(metric, medians?.median_a ?? null),
    after: isRate ? passRateWords(countsOfB(query)) : figure(metric, medians?.median_b ?? null),
    change: changeWords(comparison),
    verdict:
      p >= level || amount === 0 ? "chance" : isTiny(comparison) ? "same" : isWorse ? "worse" : "better",
    p,
    // The factor 4 makes a cost that grows to ten times its value about as bad as a pass rate that falls by ten points.
    badness: isRate ? -amount * 100 : Math.log(1 + Math.max(-0.999, amount)) * 4,
  };
}

/** Formats a value of a metric with its unit. */
export function figure(metric: string, value: number | null): string {
  if (metric === "cost_usd") return money(value);
  return metric === "latency_ms" ? time(value) : number(value, value !== null && value % 1 !== 0 ? 1 : 0);
}

/** Formats the typical change of a metric; for the pass rate, the difference in percentage points. */
export function changeWords({ metric, effect, change }: Comparison): string {
  if (metric === "pass_rate") return effect === null ? "–" : `${signed(100 * effect)} points`;
  if (change === null) return "–";
  return change.scale === "ratio"
    ? `${signed(100 * change.estimate)} %`
    : signedFigure(metric, change.estimate);
}

/** Formats a difference in the unit of its metric. Costs have enough digits that a difference of one cent is not shown as ±0. */
export function signedFigure(metric: string, value: number): string {
  if (value === 0 || (metric !== "cost_usd" && metric !== "latency_ms")) return signed(value);
  return `${value < 0 ? "−" : "+"}${figure(metric, Math.abs(value))}`;
}

function signed(value: number): string {
  const text =
    Math.abs(value) >= 10 ? Math.abs(value).toFixed(0) : String(Number(Math.abs(value).toFixed(1)));
  if (Number(text) === 0) return "±0";
  return `${value < 0 ? "−" : "+"}${text}`;
}

/** Whether a difference is significant, and large enough that it is not shown as ±0. */
export function isRealDifference(comparison: Comparison | undefined): boolean {
  const p = comparison?.p_adjusted ?? null;
  if (comparison === undefined || p === null) return false;
  return p < level && comparison.effect !== 0 && !isTiny(comparison);
}

function isTiny(comparison: Comparison): boolean {
  return changeWords(comparison).startsWith("±0");
}

export function chanceWords(p: number): string {
  return p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(p < 0.1 ? 3 : 2)}`;
}
