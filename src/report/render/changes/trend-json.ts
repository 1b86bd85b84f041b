import { z } from "zod";
import { changeSchema } from "../../json/change-json.ts";
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

const measure = z.strictObject({
  measure: z.enum(trendMeasures),
  runs: z.number().describe("Number of runs for which the measure is known"),
  mean: z.number(),
  points: z.array(z.strictObject({ start_unix_ms: z.number(), runs: z.number(), mean: z.number() })),
  changes: z.array(changeSchema).describe("Oldest first"),
});

/** Schema of the JSON form of an `ExplainedTrend`. */
export const trendSchema = z.strictObject({
  runs: z
    .number()
    .describe("Number of analysed runs; of more than 20,000 runs, about 20,000 are sampled evenly"),
  bin_ms: z.number().describe("Width of a bin in milliseconds: an hour, a day or a week"),
  measures: z.array(measure),
});

export type TrendJson = z.infer<typeof trendSchema>;
