import { z } from "zod";
import { wilsonInterval } from "../../../../report/statistics/estimates/interval.ts";
import { endpoint, type Endpoint } from "../../http/endpoint.ts";
import { agent, moment, timesOf } from "../../http/parameters.ts";
import type { Archive, VerdictSums } from "../../../../store/archive.ts";
import { defined } from "../verdicts.ts";

const DAY_MS = 86_400_000;

const sums = z.strictObject({
  spec: z.string(),
  query_id: z.string(),
  bucket_unix_ms: z.number().nullable().describe("Start of the bucket; null: the whole window"),
  outcomes: z.record(z.string(), z.number()),
  verdicts: z.number(),
  pass_rate: z
    .number()
    .nullable()
    .describe("Share of pass and warn among decided runs; null if none is decided"),
  pass_rate_interval: z
    .strictObject({ low: z.number(), high: z.number() })
    .nullable()
    .describe("Wilson's 95 % confidence interval"),
  mean_duration_ms: z.number().nullable(),
  mean_cost_usd: z.number().nullable().describe("Mean over the `costs` runs with a known cost"),
  costs: z.number(),
  mean_tokens: z.number().nullable(),
  token_counts: z.number(),
  agents: z.array(z.string()),
});

const window = {
  since: moment.default("24h"),
  until: moment.optional(),
  spec: z.string().optional(),
  query: z.string().describe("Id of a query").optional(),
  agent: agent.optional(),
};

export function queryEndpoints(archive: Archive, now: () => number): Endpoint[] {
  const read = async (
    { since, until, ...narrow }: { since: string; until?: string | undefined },
    bucketMs: number | null,
  ) => {
    const times = { since: now() - DAY_MS, until: now(), ...timesOf({ since, until }, now()) };
    const found = await archive.sums(defined({ ...narrow, ...times }), bucketMs);
    return found.map(withRate);
  };
  return [
    endpoint({
      path: "/api/v1/queries",
      summary: "Each query's outcomes, pass rate, duration, cost and tokens in a window of whole hours",
      query: z.strictObject(window),
      answer: z.strictObject({ queries: z.array(sums) }),
      handle: async ({ query }) => ({ json: { queries: await read(query, null) } }),
    }),
    endpoint({
      path: "/api/v1/trends",
      summary: "Each query's outcomes, pass rate, duration, cost and tokens by time bucket, oldest first",
      query: z.strictObject({ ...window, bucket: z.enum(["hour", "day", "week"]).default("hour") }),
      answer: z.strictObject({ trends: z.array(sums) }),
      handle: async ({ query: { bucket, ...query } }) => ({
        json: { trends: await read(query, { hour: DAY_MS / 24, day: DAY_MS, week: 7 * DAY_MS }[bucket]) },
      }),
    }),
  ];
}

function withRate(one: VerdictSums) {
  const { pass = 0, warn = 0, fail = 0 } = one.outcomes;
  const decided = pass + warn + fail;
  const interval = decided === 0 ? null : wilsonInterval(pass + warn, decided, 0.95);
  return {
    ...one,
    pass_rate: decided === 0 ? null : (pass + warn) / decided,
    pass_rate_interval: interval,
  };
}
