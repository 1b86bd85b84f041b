import { z } from "zod";
import type { JsonObject } from "../../../model/json.ts";
import { changeJson, changeSchema, parseChange } from "../../json/change-json.ts";
import {
  type ExplainedChange,
  type MeasureTrend,
  type Trend,
  trendMeasures,
} from "../../statistics/change-points/trend.ts";

/** A trend whose changes list the attributes that changed at the same time. */
export interface ExplainedTrend extends Omit<Trend, "measures"> {
  readonly measures: readonly (Omit<MeasureTrend, "changes"> & {
    readonly changes: readonly ExplainedChange[];
  })[];
}

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

const measure = z.strictObject({
  measure: z.enum(trendMeasures),
  runs: z.number().describe("Number of runs for which the measure is known"),
  mean: z.number(),
  points: z.array(z.strictObject({ start_unix_ms: z.number(), runs: z.number(), mean: z.number() })),
  changes: z.array(changeSchema).describe("Oldest first"),
});

export const trendSchema = z.strictObject({
  runs: z
    .number()
    .describe("Number of analysed runs; of more than 20,000 runs, about 20,000 are sampled evenly"),
  bin_ms: z.number().describe("Width of a bin in milliseconds: an hour, a day or a week"),
  measures: z.array(measure),
});

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
