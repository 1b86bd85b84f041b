import { mean } from "../samples/moments.ts";
import { type Bin, binsOf, binWidthMs, type TimeSeries } from "./bins.ts";
import { type ChangePoint, changePoints } from "./change-points.ts";
import { changeOfRate, changeOfValues, type ChangeSize, type Level, levelOf } from "./change-size.ts";
import type { Coincidence } from "./circumstances.ts";

export const trendMeasures = ["pass_rate", "cost_usd", "latency_ms", "total_tokens"] as const;
export type TrendMeasure = (typeof trendMeasures)[number];

/** A judged run with its time. Unknown measures are null. */
export interface TimedRun {
  readonly unixMs: number;
  /** Whether the run passed; null if undecided. */
  readonly passed: boolean | null;
  readonly costUsd: number | null;
  readonly latencyMs: number | null;
  readonly tokens: number | null;
}

export interface TrendChange extends Omit<ChangePoint, "from" | "at" | "to"> {
  /**
   * Values between the previous change and this change. `after` contains the values between this change and
   * the next.
   */
  readonly before: Level;
  readonly after: Level;
  readonly size: ChangeSize;
  /** Time of the first run in `before`. `untilUnixMs` is the time of the last run in `after`. */
  readonly sinceUnixMs: number;
  readonly untilUnixMs: number;
}

/** Values of one measure over time, for the runs of one group. */
export interface MeasureTrend {
  readonly measure: TrendMeasure;
  /** Number of runs with a known value. */
  readonly runs: number;
  readonly mean: number;
  /** Mean of each bin that contains runs. */
  readonly points: readonly { readonly startUnixMs: number; readonly runs: number; readonly mean: number }[];
  readonly changes: readonly TrendChange[];
}

export interface Trend {
  readonly runs: number;
  /** Length of a bin in milliseconds: an hour, a day or a week. */
  readonly binMs: number;
  /** Trends of the measures that at least one run has. */
  readonly measures: readonly MeasureTrend[];
}

/** A change with the attributes that changed at the same time. */
export interface ExplainedChange extends TrendChange {
  readonly alsoChanged: readonly Coincidence[];
}

const valueOf: Record<TrendMeasure, (run: TimedRun) => number | null> = {
  pass_rate: ({ passed }) => (passed === null ? null : passed ? 1 : 0),
  cost_usd: ({ costUsd }) => costUsd,
  latency_ms: ({ latencyMs }) => latencyMs,
  total_tokens: ({ tokens }) => tokens,
};

/**
 * Returns the runs in time order. Runs with equal times are ordered by their values, so that the result does
 * not depend on the original order.
 */
export function inTime(runs: readonly TimedRun[]): readonly TimedRun[] {
  const isOrdered = runs.every((run, at) => at === 0 || (runs[at - 1]?.unixMs ?? 0) < run.unixMs);
  return isOrdered ? runs : runs.toSorted((a, b) => a.unixMs - b.unixMs || byValues(a, b));
}

function byValues(a: TimedRun, b: TimedRun): number {
  for (const measure of trendMeasures) {
    const difference = (valueOf[measure](a) ?? -1) - (valueOf[measure](b) ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Returns the trend of one measure with its changes; null if no run has a value.
 * @param runs runs as returned by `inTime`
 */
export function measureTrendOf(runs: readonly TimedRun[], measure: TrendMeasure): MeasureTrend | null {
  const times = new Float64Array(runs.length);
  const values = new Float64Array(runs.length);
  let count = 0;
  for (const run of runs) {
    const value = valueOf[measure](run);
    if (value === null || !Number.isFinite(value)) continue;
    times[count] = run.unixMs;
    values[count++] = value;
  }
  const series = { times: times.subarray(0, count), values: values.subarray(0, count) };
  return count === 0 ? null : measureTrend(measure, series, binMsOf(runs));
}

/**
 * Returns the length of a bin for these runs in milliseconds.
 * @param runs runs as returned by `inTime`
 */
export function binMsOf(runs: readonly TimedRun[]): number {
  return binWidthMs((runs.at(-1)?.unixMs ?? 0) - (runs[0]?.unixMs ?? 0));
}

/** Returns the trend of the runs of one group. The order of the runs has no effect. */
export function trendOf(runs: readonly TimedRun[]): Trend {
  const ordered = inTime(runs);
  return {
    runs: runs.length,
    binMs: binMsOf(ordered),
    measures: trendMeasures.flatMap((measure) => measureTrendOf(ordered, measure) ?? []),
  };
}

function measureTrend(measure: TrendMeasure, series: TimeSeries, binMs: number): MeasureTrend {
  const { values } = series;
  return {
    measure,
    runs: values.length,
    mean: mean(values) ?? Number.NaN,
    points: binsOf(series, binMs).map((bin) => pointOf(values, bin)),
    changes: changePoints(series, binMs).map((change) => sized(measure, series, change)),
  };
}

function pointOf(values: Float64Array, { startUnixMs, from, to }: Bin): MeasureTrend["points"][number] {
  return { startUnixMs, runs: to - from, mean: mean(values.subarray(from, to)) ?? Number.NaN };
}

function sized(measure: TrendMeasure, { times, values }: TimeSeries, change: ChangePoint): TrendChange {
  const { from, at, to, p, direction, ...moment } = change;
  const [before, after] = [values.subarray(from, at), values.subarray(at, to)];
  return {
    ...moment,
    sinceUnixMs: times[from] ?? 0,
    untilUnixMs: times[to - 1] ?? 0,
    p,
    direction,
    before: levelOf(before),
    after: levelOf(after),
    size: measure === "pass_rate" ? changeOfRate(before, after) : changeOfValues(before, after),
  };
}
