import { z } from "zod";
import { outcomes } from "../../../model/outcome.ts";
import type { Archive } from "../../../store/archive.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { agent, limitUpTo, moment, none, timesOf } from "../http/parameters.ts";
import { defined } from "./verdicts.ts";
import { wholeHours } from "./queries/whole-hours.ts";

const group = z.strictObject({
  spec: z.string(),
  query_id: z.string(),
  outcome: z.enum(outcomes),
  checks: z
    .array(z.string())
    .nullable()
    .describe("Checks that gave the outcome; null for verdicts of older versions"),
  verdicts: z.number(),
  first_unix_ms: z.number(),
  last_unix_ms: z.number(),
  reasons: z
    .array(z.strictObject({ text: z.string(), verdicts: z.number() }))
    .describe(
      "Messages of the checks, most frequent first. If there are many different messages, only some are listed",
    ),
  example: z
    .strictObject({ run_id: z.string(), query: z.string().nullable(), agent: z.string().nullable() })
    .describe("The newest run"),
});

export function problemEndpoints(archive: Archive, now: () => number): Endpoint[] {
  return [
    endpoint(none, {
      method: "get",
      path: "/api/v1/problems",
      summary:
        "Verdicts that did not pass, by query and deciding checks: failures first, then by count. The window is extended to whole hours, as in /api/v1/queries",
      query: z.strictObject({
        since: moment.default("24h"),
        until: moment.optional(),
        spec: z.string().optional(),
        query: z.string().describe("Id of a query").optional(),
        agent: agent.optional(),
        limit: limitUpTo(2_000, 100),
      }),
      answer: z.strictObject({
        since_unix_ms: z.number(),
        until_unix_ms: z.number(),
        groups: z.array(group),
      }),
      handle: async ({ query: { since, until, limit, ...narrow } }) => {
        const window = wholeHours({ since: now(), until: now(), ...timesOf({ since, until }, now()) });
        return {
          json: {
            since_unix_ms: window.since,
            until_unix_ms: window.until,
            groups: await archive.problems(defined({ ...narrow, ...window }), limit),
          },
        };
      },
    }),
  ];
}
