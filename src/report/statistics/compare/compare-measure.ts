import type { QueryRuns } from "../groups/by-query.ts";
import { clusteredError } from "../estimates/clustered.ts";
import { isRatioScale, measureOf } from "./measure.ts";
import { mean, sorted, type Sample } from "../samples/moments.ts";
import { signedRankTest, typicalDifference, type Shift } from "../tests/signed-rank.ts";
import { stratifiedFisher } from "../tests/stratified-fisher.ts";
import { stratifiedRankSum, typicalShift } from "../tests/stratified-rank-sum.ts";

export type ComparisonTest =
  /** Exact, over queries: as many better as worse? */
  | "sign"
  /** Over queries, by the size of their changes. */
  | "wilcoxon_signed_rank"
  /** Over the runs of one query. */
  | "fisher_exact"
  | "mann_whitney"
  /** Over the runs of a few queries, each run compared with runs of its own query only. */
  | "stratified_fisher"
  | "stratified_mann_whitney";

/** The typical change per query, Hodges and Lehmann's estimate: what the test is about, in the measure's own terms. */
export interface TypicalChange {
  /** `ratio`: as a fraction of what it was, 0.2 for a fifth more; `difference`: in the measure's unit. */
  readonly scale: "ratio" | "difference";
  readonly estimate: number;
  /** Null where so few queries or runs cannot give this confidence. */
  readonly low: number | null;
  readonly high: number | null;
}

/** b less a, the mean over queries, each counting once. */
export interface MeanDifference {
  readonly mean: number;
  /** Clustered by query; null for fewer than two queries. */
  readonly standardError: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Comparison of one measure of two groups, over the queries for which both have values. */
export interface MeasureComparison {
  /** Null where there is nothing to test. */
  readonly test: ComparisonTest | null;
  /** Two-sided. */
  readonly p: number | null;
  /** In [−1, 1], positive when b has more: see `compareMeasure`. */
  readonly effect: number | null;
  readonly queries: number;
  readonly runsA: number;
  readonly runsB: number;
  /** Queries in which b has more, less, and the same on average. */
  readonly higher: number;
  readonly lower: number;
  readonly equal: number;
  /** Over queries, each counting once. */
  readonly meanA: number | null;
  readonly meanB: number | null;
  readonly difference: MeanDifference | null;
  /** Null for the pass rate, whose difference is `difference`. */
  readonly change: TypicalChange | null;
}

/** With fewer queries not even changes that all agree are less likely than 1 in 20: then runs are compared. */
const fewestQueries = 6;

interface QueryValues {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly meanA: number;
  readonly meanB: number;
  readonly difference: number;
  readonly ratio: number;
}

/** Rounding of the means must neither make a change nor keep equal changes apart. */
function cleaned(change: number, size: number): number {
  return Math.abs(change) <= 1e-12 * size ? 0 : Number(change.toPrecision(12));
}

function queryValues({ a, b }: QueryRuns, metric: string): QueryValues[] {
  const value = measureOf(metric);
  const ofA = sorted(a.flatMap((run) => value(run) ?? []));
  const ofB = sorted(b.flatMap((run) => value(run) ?? []));
  const [meanA, meanB] = [mean(ofA), mean(ofB)];
  if (meanA === null || meanB === null) return [];
  const difference = cleaned(meanB - meanA, Math.max(Math.abs(meanA), Math.abs(meanB)));
  const ratio = difference === 0 ? 0 : cleaned(Math.log(meanB / meanA), 1);
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

function changeOf(shift: Shift | null, isRatio: boolean): TypicalChange | null {
  if (shift === null) return null;
  const shown = (value: number) => (isRatio ? Math.expm1(value) : value);
  const { estimate, interval } = shift;
  return {
    scale: isRatio ? "ratio" : "difference",
    estimate: shown(estimate),
    low: interval === null ? null : shown(interval.low),
    high: interval === null ? null : shown(interval.high),
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
  const ranks = positive + negative;
  return {
    test: isSignTest ? "sign" : "wilcoxon_signed_rank",
    p,
    effect: isRate ? mean(changes) : ranks === 0 ? 0 : (positive - negative) / ranks,
    change: isRate ? null : changeOf(typicalDifference(changes, confidence), isRatio),
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
  if (tested === null) return { test: null, p: null, effect: null, change: null };
  return {
    test: queries.length === 1 ? "mann_whitney" : "stratified_mann_whitney",
    p: tested.p,
    effect: (2 * tested.u) / tested.pairs - 1,
    change: changeOf(typicalShift(strata, confidence), isRatio),
  };
}

/**
 * Compares one measure of two groups like with like: runs of a query only with runs of the same query. Six
 * queries and more are tested as pairs, each query by the means of its runs: by Wilcoxon's signed-rank test of
 * the changes, which is the sign test where all changes are of one size. Costs, tokens and times change by a
 * ratio, all else by an amount. Fewer queries are tested by their runs, stratified by query: the pass rate by
 * Fisher's exact test, metrics by Mann and Whitney's.
 *
 * The effect is what is tested, within −1 and 1. Pairs: ranks of the queries in which b has more, less those
 * in which it has less, over all ranks (Kerby's rank-biserial correlation); runs: Cliff's delta within
 * queries. Of the pass rate: the difference of the rates (of runs: Mantel and Haenszel's).
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
