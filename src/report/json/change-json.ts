import { z } from "zod";
import { trendMeasures } from "../statistics/change-points/trend.ts";

const level = z.strictObject({ runs: z.number(), mean: z.number(), median: z.number() });
const measured = z.number().nullable();

/** Schema of a change, as in the API and in webhooks: the JSON form of an `ExplainedChange`. */
export const changeSchema = z.strictObject({
  at_unix_ms: z.number().describe("Time of the first run after the change"),
  low_unix_ms: z.number().describe("Start of the 95 % confidence interval of the time of the change"),
  high_unix_ms: z.number().describe("End of the 95 % confidence interval of the time of the change"),
  since_unix_ms: z.number().describe("Time of the first run that counts as before the change"),
  until_unix_ms: z.number().describe("Time of the last run that counts as after the change"),
  p: z
    .number()
    .describe("Probability that, without any change, the best split of the runs would be at least as good"),
  direction: z.enum(["up", "down"]),
  before: level,
  after: level,
  size: z.strictObject({
    scale: z.enum(["ratio", "difference"]).describe("For ratio, 0.2 means 20 % more"),
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
        share_before: z
          .number()
          .describe(
            "Share of runs before the change with the value `to`; if `to` is null, with the value `from`",
          ),
        share_after: z.number(),
      }),
    )
    .describe("Attributes that changed at the same time"),
});

/** Schema of a change with its spec, query and measure, as in the API and in webhooks. */
export const recordedChangeSchema = z.strictObject({
  change_id: z.string().describe("Id of the change; the same in the API and in webhooks"),
  spec: z.string(),
  query_id: z.string(),
  agents: z.array(z.string()),
  measure: z.enum(trendMeasures),
  worse: z.boolean().describe("True for a lower pass rate, or a higher cost, latency or number of tokens"),
  text: z.string().describe("The change as a sentence"),
  found_unix_ms: z.number(),
  ...changeSchema.shape,
});

export type RecordedChangeJson = z.infer<typeof recordedChangeSchema>;
