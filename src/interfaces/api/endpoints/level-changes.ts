import { z } from "zod";
import { recordedChangeSchema } from "../../../report/json/change-json.ts";
import type { Archive } from "../../../store/archive.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { limitUpTo, moment, none, timesOf } from "../http/parameters.ts";
import { defined } from "./verdicts.ts";

export function levelChangeEndpoints(archive: Archive, now: () => number): Endpoint[] {
  return [
    endpoint(none, {
      method: "get",
      path: "/api/v1/level-changes",
      summary:
        "Changes of the level of queries' pass rate, cost, latency and tokens that were found, the latest first",
      query: z.strictObject({
        since: moment.default("30d"),
        spec: z.string().optional(),
        query: z.string().describe("Id of a query").optional(),
        limit: limitUpTo(500, 100),
      }),
      answer: z.strictObject({ changes: z.array(recordedChangeSchema) }),
      handle: async ({ query: { since, limit, ...narrow } }) => {
        const times = timesOf({ since }, now());
        const changes = await archive.changes(defined({ ...narrow, ...times }), limit);
        return { json: { changes: changes.map(({ json }) => recordedChangeSchema.parse(JSON.parse(json))) } };
      },
    }),
  ];
}
