import type { QueryRuns } from "../groups/by-query.ts";
import { type ChangeSize, shiftSize } from "../change-points/change-size.ts";
import { clusteredError } from "../estimates/clustered.ts";
import { isRatioScale, measureOf } from "./measure.ts";
import { mean, sorted, type Sample } from "../samples/moments.ts";
import { signedRankTest, typicalDifference } from "../tests/signed-rank.ts";
import { stratifiedFisher } from "../tests/stratified-fisher.ts";
import { stratifiedRankSum, typicalShift } from "../tests/stratified-rank-sum.ts";

export type ComparisonTest =
  /** Exact sign test over queries, which only counts increases and decreases. */
  | "sign"
  /** Wilcoxon signed-rank test over queries, which also uses the sizes of the changes. */
  | "wilcoxon_signed_rank"
  /** Fisher's exact test over the runs of one query. */
  | "fisher_exact"
  | "mann_whitney"
  /** Exact test over the runs of a few queries. */
  | "stratified_fisher"
  | "stratified_mann_whitney";

/** Mean over queries of the difference b − a. All queries have the same weight. */
export interface MeanDifference {
  readonly mean: number;
  /** Standard error, clustered by query; null for fewer than two queries. */
  readonly standardError: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Comparison of one measure between two groups. Only queries with values in both groups are used. */
export interface MeasureComparison {
  /** Test that was used; null if there was nothing to test. */
  readonly test: ComparisonTest | null;
  /** Two-sided p-value; null without a test. */
  readonly p: number | null;
  /**
   * Effect size from −1 to 1, positive if group b has larger values. `compareMeasure` documents the formulas.
   */
  readonly effect: number | null;
  readonly queries: number;
  readonly runsA: number;
  readonly runsB: number;
  /** Number of queries with a larger mean in group b. `lower` and `equal` count the other queries. */
  readonly higher: number;
  readonly lower: number;
  readonly equal: number;
  /** Mean of group a over queries. All queries have the same weight. */
  readonly meanA: number | null;
  readonly meanB: number | null;
  readonly difference: MeanDifference | null;
  /**
   * Typical change per query, by Hodges and Lehmann's estimate. Null for the pass rate, whose change is
   * `difference`.
   */
  readonly change: ChangeSize | null;
}

/**
 * Minimum number of queries for a test over queries. With fewer queries, such a test cannot be significant at 5 %, so the runs are tested
 * instead.
 */
const fewestQueries = 6;

interface QueryValues {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly meanA: number;
  readonly meanB: number;
  readonly difference: number;
  readonly ratio: number;
}

/**
 * Rounds a change to 12 significant digits, and to 0 if it is at most 10⁻¹² of `size`. Without rounding, rounding errors of means would
 * make equal changes different.
 */
function withoutRoundingError(change: number, size: number): number {
  return Math.abs(change) <= 1e-12 * size ? 0 : Number(change.toPrecision(12));
}

function queryValues({ a, b }: QueryRuns, metric: string): QueryValues[] {
  const value = measureOf(metric);
  const ofA = sorted(a.flatMap((run) => value(run) ?? []));
  const ofB = sorted(b.flatMap((run) => value(run) ?? []));
  const [meanA, meanB] = [mean(ofA), mean(ofB)];
  if (meanA === null || meanB === null) return [];
  const difference = withoutRoundingError(meanB - meanA, Math.max(Math.abs(meanA), Math.abs(meanB)));
  const ratio = difference === 0 ? 0 : withoutRoundingError(Math.log(meanB / meanA), 1);
  return [{ a: ofA, b: ofB, meanA, meanB, difference, ratio }];
}

function allPositive(queries: readonly QueryValues[]): boolean {
  return queries.every(({ a, b }) => (a[0] ?? 0) > 0 && (b[0] ?? 0) > 0);
}

function meanDifference(differences: Sample, confidence: number): MeanDifference | null {
  const centre = mean(differences);
  if (centre === null) return null;
  const error = clusteredError(
    Array.from(differences, (difference) => [difference]),
    confidence,
  );
  return {
    mean: centre,
    standardError: error?.standardError ?? null,
    low: error?.low ?? null,
    high: error?.high ?? null,
  };
}

type Tested = Pick<MeasureComparison, "test" | "p" | "effect" | "change">;

function testQueries(queries: readonly QueryValues[], metric: string, confidence: number): Tested {
  const isRatio = isRatioScale(metric) && allPositive(queries);
  const changes = Float64Array.from(queries, ({ ratio, difference }) => (isRatio ? ratio : difference));
  const tested = signedRankTest(changes);
  if (tested === null) return { test: null, p: null, effect: null, change: null };
  const { p, positive, negative, isSignTest } = tested;
  const isRate = metric === "pass_rate";
  const shift = isRate ? null : typicalDifference(changes, confidence);
  const ranks = positive + negative;
  return {
    test: isSignTest ? "sign" : "wilcoxon_signed_rank",
    p,
    effect: isRate ? mean(changes) : ranks === 0 ? 0 : (positive - negative) / ranks,
    change: shift && shiftSize(shift, isRatio),
  };
}

function testPassedRuns(queries: readonly QueryValues[]): Tested {
  const count = (values: Float64Array, wanted: number) => values.filter((value) => value === wanted).length;
  const tested = stratifiedFisher(
    queries.map(({ a, b }) => [
      [count(a, 1), count(a, 0)],
      [count(b, 1), count(b, 0)],
    ]),
  );
  const test = queries.length === 1 ? "fisher_exact" : "stratified_fisher";
  return tested === null
    ? { test: null, p: null, effect: null, change: null }
    : { test, p: tested.p, effect: tested.difference, change: null };
}

function testRuns(queries: readonly QueryValues[], metric: string, confidence: number): Tested {
  const isRatio = isRatioScale(metric) && allPositive(queries);
  const scaled = (values: Float64Array) => (isRatio ? values.map(Math.log) : values);
  const strata = queries.map(({ a, b }) => ({ first: scaled(b), second: scaled(a) }));
  const tested = stratifiedRankSum(strata);
  const shift = typicalShift(strata, confidence);
  if (tested === null) return { test: null, p: null, effect: null, change: null };
  return {
    test: queries.length === 1 ? "mann_whitney" : "stratified_mann_whitney",
    p: tested.p,
    effect: (2 * tested.u) / tested.pairs - 1,
    change: shift && shiftSize(shift, isRatio),
  };
}

/**
 * Compares one measure between two groups. Each run is compared only with runs of the same query. With six or
 * more queries, Wilcoxon's signed-rank test compares the means of the queries. If all changes have the same
 * size, the signed-rank test equals the sign test. Changes of costs, tokens and times are ratios, other
 * changes are differences. With fewer queries, the runs are tested, stratified by query: the pass rate by
 * Fisher's exact test, metrics by the Mann–Whitney test. The effect size is from −1 to 1. For the pass rate,
 * the effect is the difference of the rates; if runs are tested, Mantel and Haenszel's estimate of it. For
 * metrics of queries, the effect is Kerby's rank-biserial correlation: (ranks of increases − ranks of
 * decreases) / sum of all ranks. For metrics of runs, the effect is Cliff's delta within queries.
 */
export function compareMeasure(
  shared: readonly QueryRuns[],
  metric: string,
  confidence: number,
): MeasureComparison {
  const queries = shared.flatMap((query) => queryValues(query, metric));
  const differences = queries.map(({ difference }) => difference);
  const tested =
    queries.length >= fewestQueries
      ? testQueries(queries, metric, confidence)
      : metric === "pass_rate"
        ? testPassedRuns(queries)
        : testRuns(queries, metric, confidence);
  return {
    ...tested,
    queries: queries.length,
    runsA: queries.reduce((total, { a }) => total + a.length, 0),
    runsB: queries.reduce((total, { b }) => total + b.length, 0),
    higher: differences.filter((difference) => difference > 0).length,
    lower: differences.filter((difference) => difference < 0).length,
    equal: differences.filter((difference) => difference === 0).length,
    meanA: mean(queries.map(({ meanA }) => meanA)),
    meanB: mean(queries.map(({ meanB }) => meanB)),
    difference: meanDifference(
      queries.map(({ meanA, meanB }) => meanB - meanA),
      confidence,
    ),
  };
}
