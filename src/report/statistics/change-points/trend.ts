import { mean } from "../samples/moments.ts";
import { type Bin, binsOf, binWidthMs, type TimeSeries } from "./bins.ts";
import { type ChangePoint, changePoints } from "./change-points.ts";
import { changeOfRate, changeOfValues, type ChangeSize, type Level, levelOf } from "./change-size.ts";
import type { Coincidence } from "./circumstances.ts";

/** Measures of a trend. */
export const trendMeasures = ["pass_rate", "cost_usd", "latency_ms", "total_tokens"] as const;
export type TrendMeasure = (typeof trendMeasures)[number];

/** A judged run at its time; null where a measure is not known. */
export interface TimedRun {
  readonly unixMs: number;
  /** Null: could not be determined. */
  readonly passed: boolean | null;
  readonly costUsd: number | null;
  readonly latencyMs: number | null;
  readonly tokens: number | null;
}

export interface TrendChange extends Omit<ChangePoint, "from" | "at" | "to"> {
  /** Runs since the previous change, and until the next one. */
  readonly before: Level;
  readonly after: Level;
  readonly size: ChangeSize;
  /** The first run before and the last run after that are compared. */
  readonly sinceUnixMs: number;
  readonly untilUnixMs: number;
}

/** One measure of the runs of one query over time. */
export interface MeasureTrend {
  readonly measure: TrendMeasure;
  /** With a known value. */
  readonly runs: number;
  readonly mean: number;
  /** Value of each bin with runs. */
  readonly points: readonly { readonly startUnixMs: number; readonly runs: number; readonly mean: number }[];
  /** In the order of time. */
  readonly changes: readonly TrendChange[];
}

export interface Trend {
  readonly runs: number;
  /** Length of a bin: an hour, a day or a week. */
  readonly binMs: number;
  /** Measures with a known value. */
  readonly measures: readonly MeasureTrend[];
}

/** A change with what else changed then. */
export interface ExplainedChange extends TrendChange {
  readonly coincidences: readonly Coincidence[];
}

const valueOf: Record<TrendMeasure, (run: TimedRun) => number | null> = {
  pass_rate: ({ passed }) => (passed === null ? null : passed ? 1 : 0),
  cost_usd: ({ costUsd }) => costUsd,
  latency_ms: ({ latencyMs }) => latencyMs,
  total_tokens: ({ tokens }) => tokens,
};

/** Runs in the order of time; runs of one moment in an order of their values, so that the order in which they came leaves no mark. */
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

/** How one measure developed, and when it changed; null where it is known of no run. @param runs as `inTime` gives them */
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

/** Length of a bin of these runs. @param runs as `inTime` gives them */
export function binMsOf(runs: readonly TimedRun[]): number {
  return binWidthMs((runs.at(-1)?.unixMs ?? 0) - (runs[0]?.unixMs ?? 0));
}

/** How the runs of one query developed, and when they changed. Their order does not matter. */
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
  const { from, at, to, ...said } = change;
  const [before, after] = [values.subarray(from, at), values.subarray(at, to)];
  return {
    ...said,
    before: levelOf(before),
    after: levelOf(after),
    size: measure === "pass_rate" ? changeOfRate(before, after) : changeOfValues(before, after),
    sinceUnixMs: times[from] ?? 0,
    untilUnixMs: times[to - 1] ?? 0,
  };
}
