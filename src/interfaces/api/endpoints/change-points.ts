import { z } from "zod";
import { trendJson, trendSchema } from "../../../report/render/trend-json.ts";
import type { Archive } from "../../../store/archive.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { moment, none, timesOf } from "../http/parameters.ts";
import { trendOfQuery } from "../trend-of-query.ts";

const DAY_MS = 86_400_000;

export function changePointEndpoints(archive: Archive, now: () => number): Endpoint[] {
  return [
    endpoint(none, {
      method: "get",
      path: "/api/v1/change-points",
      summary:
        "When pass rate, cost, latency and tokens of one query changed, by how much, and what else did then",
      query: z.strictObject({
        spec: z.string(),
        query: z.string().describe("Id of a query"),
        since: moment.default("30d"),
        until: moment.optional(),
      }),
      answer: trendSchema,
      handle: async ({ query: { spec, query, ...given } }) => {
        const times = { since: now() - 30 * DAY_MS, until: now() + 1, ...timesOf(given, now()) };
        return { json: trendJson(await trendOfQuery(archive, { spec, query, ...times })) };
      },
    }),
  ];
}
