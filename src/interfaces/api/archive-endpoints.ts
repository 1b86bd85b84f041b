import { z } from "zod";
import { type Endpoint, endpoint } from "./http/endpoint.ts";
import { annotationEndpoints } from "./endpoints/annotations.ts";
import { baselineEndpoints, type SavedRuns } from "./endpoints/baselines.ts";
import { compareEndpoints } from "./endpoints/compare/compare.ts";
import { eventEndpoints } from "./endpoints/events.ts";
import { queryEndpoints } from "./endpoints/queries/queries.ts";
import { queryCheckEndpoints } from "./endpoints/queries/query-checks.ts";
import { runEndpoints } from "./endpoints/runs.ts";
import type { Archive, TelemetryReading } from "../../store/archive.ts";
import { trendSchema } from "../../report/render/changes/trend-json.ts";
import { agent, limitUpTo, moment, timesOf } from "./http/parameters.ts";
import { trendOfQuery } from "./trend-of-query.ts";
import { recordedChangeSchema } from "../../report/json/change-json.ts";
import { snakeCased } from "../../report/json/snake-case.ts";
import { defined } from "./endpoints/verdicts.ts";
import { outcomes } from "../../model/outcome.ts";
import { wholeHours } from "./endpoints/queries/whole-hours.ts";

const group = z.strictObject({
  spec: z.string(),
  query_id: z.string(),
  outcome: z.enum(outcomes),
  checks: z
    .array(z.string())
    .nullable()
    .describe("Checks that decided the outcome; null for verdicts that an older version of Tracejury stored"),
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

const DAY_MS = 86_400_000;

/** Returns the API endpoints that need a persistent store. */
export function archiveEndpoints(
  archive: Archive,
  reading: TelemetryReading,
  saved: SavedRuns,
  now: () => number,
): readonly Endpoint[] {
  return [
    ...runEndpoints(archive, reading, now),
    ...queryEndpoints(archive, now),
    ...queryCheckEndpoints(archive, now),
    ...problemEndpoints(archive, now),
    ...changePointEndpoints(archive, now),
    ...levelChangeEndpoints(archive, now),
    ...compareEndpoints(archive, saved, now),
    ...baselineEndpoints(saved),
    ...annotationEndpoints(archive, now),
    ...eventEndpoints(archive),
  ];
}

function changePointEndpoints(archive: Archive, now: () => number): Endpoint[] {
  return [
    endpoint({
      path: "/api/v1/change-points",
      summary:
        "When pass rate, cost, latency and tokens of one query changed, by how much, and what changed at the same time",
      query: z.strictObject({
        spec: z.string(),
        query: z.string().describe("Id of a query"),
        since: moment.default("30d"),
        until: moment.optional(),
      }),
      answer: trendSchema,
      handle: async ({ query: { spec, query, ...given } }) => {
        const times = { since: now() - 30 * DAY_MS, until: now() + 1, ...timesOf(given, now()) };
        return { json: snakeCased(await trendOfQuery(archive, { spec, query, ...times })) };
      },
    }),
  ];
}

function levelChangeEndpoints(archive: Archive, now: () => number): Endpoint[] {
  return [
    endpoint({
      path: "/api/v1/level-changes",
      summary: "Detected changes in each query's pass rate, cost, latency and tokens, latest first",
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

function problemEndpoints(archive: Archive, now: () => number): Endpoint[] {
  return [
    endpoint({
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
