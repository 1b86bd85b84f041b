import type { JsonObject } from "../model/json.ts";
import { z } from "zod";
import {
  type ExplainedChange,
  type MeasureTrend,
  type Trend,
  trendMeasures,
} from "../statistics/change-points/trend.ts";

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
    since_unix_ms: change.sinceUnixMs,
    until_unix_ms: change.untilUnixMs,
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

const level = z.strictObject({ runs: z.number(), mean: z.number(), median: z.number() });
const measured = z.number().nullable();

const change = z.strictObject({
  at_unix_ms: z.number().describe("When the first run after the change was"),
  low_unix_ms: z.number().describe("The change is after this, with 95 % confidence"),
  high_unix_ms: z.number().describe("And not after this"),
  since_unix_ms: z.number().describe("The first run before"),
  until_unix_ms: z.number().describe("The last run after"),
  p: z.number().describe("The chance that the best of all splits is as good without any change"),
  direction: z.enum(["up", "down"]),
  before: level,
  after: level,
  size: z.strictObject({
    scale: z.enum(["ratio", "difference"]).describe("ratio: 0.2 is a fifth more"),
    estimate: z.number(),
    low: measured,
    high: measured,
  }),
  also_changed: z
    .array(
      z.strictObject({
        what: z.enum(["service.version", "model", "spec", "tool"]),
        from: z.string().nullable(),
        to: z.string().nullable(),
        share_before: z.number().describe("Of runs with `to`, else with `from`"),
        share_after: z.number(),
      }),
    )
    .describe("What else changed then"),
});

const measure = z.strictObject({
  measure: z.enum(trendMeasures),
  runs: z.number().describe("Of which it is known"),
  mean: z.number(),
  points: z.array(z.strictObject({ start_unix_ms: z.number(), runs: z.number(), mean: z.number() })),
  changes: z.array(change).describe("Oldest first"),
});

/** What `trendJson` gives. */
export const trendSchema = z.strictObject({
  runs: z.number().describe("Of more than 20,000 about so many, spread evenly"),
  bin_ms: z.number().describe("An hour, a day or a week"),
  measures: z.array(measure),
});

/** A trend that was written as JSON. */
export function parseTrend({ runs, bin_ms: binMs, measures }: z.infer<typeof trendSchema>): ExplainedTrend {
  return {
    runs,
    binMs,
    measures: measures.map(({ points, changes, ...one }) => ({
      ...one,
      points: points.map(({ start_unix_ms: startUnixMs, ...point }) => ({ startUnixMs, ...point })),
      changes: changes.map(parseChange),
    })),
  };
}

function parseChange(written: z.infer<typeof change>): ExplainedChange {
  const { at_unix_ms, low_unix_ms, high_unix_ms, since_unix_ms, until_unix_ms, also_changed, ...one } =
    written;
  return {
    ...one,
    atUnixMs: at_unix_ms,
    lowUnixMs: low_unix_ms,
    highUnixMs: high_unix_ms,
    sinceUnixMs: since_unix_ms,
    untilUnixMs: until_unix_ms,
    coincidences: also_changed.map(({ share_before: shareBefore, share_after: shareAfter, ...rest }) => ({
      ...rest,
      shareBefore,
      shareAfter,
    })),
  };
}
