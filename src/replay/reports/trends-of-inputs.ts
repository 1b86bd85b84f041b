import { snakeCased } from "../../report/json/snake-case.ts";
import type { GroupTrend } from "../../report/render/changes/trend-console.ts";
import type { ExplainedTrend } from "../../report/render/changes/trend-json.ts";
import { coincidencesOf } from "../../report/statistics/change-points/circumstances.ts";
import {
  type ExplainedChange,
  type TimedRun,
  type TrendChange,
  trendOf,
} from "../../report/statistics/change-points/trend.ts";
import { metricOf, passOf } from "../../report/statistics/compare/measure.ts";
import type { ReportInput } from "./report-inputs.ts";
import { groupBy } from "../../support/structures/group-by.ts";

/** A judged run with a known start. `key` names its group. */
export type TimedInput = ReportInput & { readonly key: string; readonly unixMs: number };

/** Latest time that a JavaScript date can contain, in milliseconds since 1970. */
const LAST_UNIX_MS = 8.64e15;

export function isTimed(input: ReportInput): input is TimedInput {
  return input.key !== null && input.unixMs !== null && input.unixMs > 0 && input.unixMs <= LAST_UNIX_MS;
}

/** Returns the trend of each group of runs, sorted by group. */
export function trendsOfInputs(inputs: readonly TimedInput[]): GroupTrend[] {
  return [...groupBy(inputs, ({ key }) => key)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, runs]) => ({ key, trend: snakeCased(explained(runs)) }));
}

function explained(inputs: readonly TimedInput[]): ExplainedTrend {
  const trend = trendOf(inputs.map(timedRun));
  const measures = trend.measures.map((one) => ({
    ...one,
    changes: one.changes.map((change) => explain(change, inputs)),
  }));
  return { ...trend, measures };
}

function explain(change: TrendChange, inputs: readonly TimedInput[]): ExplainedChange {
  const between = (from: number, to: number) =>
    inputs.filter(({ unixMs }) => unixMs >= from && unixMs <= to).map(({ circumstances }) => circumstances);
  return {
    ...change,
    alsoChanged: coincidencesOf(
      between(change.sinceUnixMs, change.lowUnixMs),
      between(change.highUnixMs, change.untilUnixMs),
    ),
  };
}

function timedRun({ unixMs, observation }: TimedInput): TimedRun {
  const pass = passOf(observation);
  return {
    unixMs,
    passed: pass === null ? null : pass === 1,
    costUsd: metricOf(observation, "cost_usd"),
    latencyMs: metricOf(observation, "latency_ms"),
    tokens: metricOf(observation, "total_tokens"),
  };
}
