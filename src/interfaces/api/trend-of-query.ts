import { setImmediate } from "node:timers/promises";
import type { Archive, RunSetting, TrendFilter } from "../../store/archive.ts";
import type { ExplainedTrend } from "../../report/render/changes/trend-json.ts";
import { type Circumstances, coincidencesOf } from "../../report/statistics/change-points/circumstances.ts";
import {
  binMsOf,
  type ExplainedChange,
  inTime,
  measureTrendOf,
  type TrendChange,
  trendMeasures,
} from "../../report/statistics/change-points/trend.ts";
import { modelsKey, sideOf } from "../../report/statistics/observation.ts";

/**
 * Maximum number of verdicts that are analysed. If there are more, about this many evenly spread verdicts are analysed, which rarely
 * changes the result.
 */
const MOST_VERDICTS = 20_000;
/** Maximum number of runs that are examined on each side of a change. */
const MOST_SETTINGS = 200;

/** Returns a query's detected changes. Each change lists the run attributes that changed at the same time. */
export async function trendOfQuery(
  archive: Pick<Archive, "timedVerdicts" | "runSettings">,
  filter: TrendFilter,
): Promise<ExplainedTrend> {
  const verdicts = await archive.timedVerdicts(filter, MOST_VERDICTS);
  const runs = inTime(
    verdicts.map(({ judgedUnixMs, outcome, durationMs, costUsd, tokens }) => {
      const side = sideOf(outcome);
      const passed = side === "undecided" ? null : side === "passed";
      return { unixMs: judgedUnixMs, passed, latencyMs: durationMs, costUsd, tokens };
    }),
  );
  const measures: ExplainedTrend["measures"][number][] = [];
  for (const measure of trendMeasures) {
    // Lets other work of the event loop run after each measure (such as cost), so that received telemetry is not delayed.
    await setImmediate();
    const trend = measureTrendOf(runs, measure);
    if (trend === null) continue;
    const changes = await Promise.all(trend.changes.map((change) => explained(archive, filter, change)));
    measures.push({ ...trend, changes });
  }
  return { runs: runs.length, binMs: binMsOf(runs), measures };
}

async function explained(
  archive: Pick<Archive, "runSettings">,
  filter: TrendFilter,
  change: TrendChange,
): Promise<ExplainedChange> {
  const within = (since: number, until: number) =>
    archive.runSettings({ ...filter, since, until: until + 1 }, MOST_SETTINGS);
  const [before, after] = await Promise.all([
    within(change.sinceUnixMs, change.lowUnixMs),
    within(change.highUnixMs, change.untilUnixMs),
  ]);
  return { ...change, alsoChanged: coincidencesOf(before.map(circumstances), after.map(circumstances)) };
}

function circumstances({ version, models, specHash, tools }: RunSetting): Circumstances {
  return { serviceVersion: version, models: modelsKey(models), specHash, tools };
}
