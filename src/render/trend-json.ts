import type { JsonObject } from "../model/json.ts";
import type { ExplainedChange, MeasureTrend, Trend } from "../statistics/change-points/trend.ts";

/** A trend whose changes say what else changed then. */
export interface ExplainedTrend extends Omit<Trend, "measures"> {
  readonly measures: readonly (Omit<MeasureTrend, "changes"> & {
    readonly changes: readonly ExplainedChange[];
  })[];
}

/** How the runs of one group developed. */
export function trendJson({ runs, binMs, measures }: ExplainedTrend): JsonObject {
  return {
    runs,
    bin_ms: binMs,
    measures: measures.map(({ measure, runs: known, mean, points, changes }) => ({
      measure,
      runs: known,
      mean,
      points: points.map((point) => ({
        start_unix_ms: point.startUnixMs,
        runs: point.runs,
        mean: point.mean,
      })),
      changes: changes.map(changeJson),
    })),
  };
}

function changeJson(change: ExplainedChange): JsonObject {
  const { before, after, size } = change;
  return {
    at_unix_ms: change.atUnixMs,
    low_unix_ms: change.lowUnixMs,
    high_unix_ms: change.highUnixMs,
    p: change.p,
    direction: change.direction,
    before: { ...before },
    after: { ...after },
    size: { ...size },
    also_changed: change.coincidences.map(({ what, from, to, shareBefore, shareAfter }) => ({
      what,
      from,
      to,
      share_before: shareBefore,
      share_after: shareAfter,
    })),
  };
}
