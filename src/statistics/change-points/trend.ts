import { mean } from "../samples/moments.ts";
import { type Bin, binsOf, binWidthMs, type TimeSeries, timeSeries } from "./bins.ts";
import { type ChangePoint, changePoints } from "./change-points.ts";
import { changeOfRate, changeOfValues, type ChangeSize, type Level, levelOf } from "./change-size.ts";
import type { Coincidence } from "./circumstances.ts";

/** What is followed over time. */
export const trendMeasures = ["pass_rate", "cost_usd", "latency_ms", "total_tokens"] as const;
export type TrendMeasure = (typeof trendMeasures)[number];

/** A judged run at its time; null where a measure is not known. */
export interface TimedRun {
  readonly unixMs: number;
  /** Null: could not be told. */
  readonly passed: boolean | null;
  readonly costUsd: number | null;
  readonly latencyMs: number | null;
  readonly tokens: number | null;
}

export interface TrendChange extends Omit<ChangePoint, "from" | "at" | "to"> {
  /** Of the runs since the change before, and until the next one. */
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
  /** Of each bin that has runs. */
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

/** How the runs of one query developed, and when they changed. Their order does not matter. */
export function trendOf(runs: readonly TimedRun[]): Trend {
  const times = runs.map(({ unixMs }) => unixMs);
  const spanMs =
    times.reduce((a, b) => Math.max(a, b), -Infinity) - times.reduce((a, b) => Math.min(a, b), Infinity);
  const binMs = binWidthMs(Math.max(0, spanMs));
  return {
    runs: runs.length,
    binMs,
    measures: trendMeasures.flatMap((measure) => {
      const known = runs.flatMap((run) => {
        const value = valueOf[measure](run);
        return value === null || !Number.isFinite(value) ? [] : [{ unixMs: run.unixMs, value }];
      });
      return known.length === 0 ? [] : [measureTrend(measure, timeSeries(known), binMs)];
    }),
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
