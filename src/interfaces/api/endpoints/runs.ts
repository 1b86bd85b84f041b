import { z } from "zod";
import { escapeControls } from "../../../support/structures/control-characters.ts";
import { layers, outcomes } from "../../../model/outcome.ts";
import { badCursor, type Endpoint, endpoint, forgotten, notFound } from "../http/endpoint.ts";
import { cursor, limit, moment, repeatable, timesOf } from "../http/parameters.ts";
import {
  type Archive,
  type FacetName,
  facetNames,
  type RunFilter,
  type TelemetryReading,
} from "../../../store/archive.ts";
import { defined } from "./verdicts.ts";

const summary = z.strictObject({
  run_id: z.string(),
  agent: z.string().nullable(),
  service: z.string().nullable(),
  conversation_id: z.string().nullable(),
  query: z.string().nullable(),
  error: z.string().nullable().describe("The text of the run's error, its first 500 characters"),
  outcome: z
    .enum(outcomes)
    .nullable()
    .describe(
      "Worst outcome of the run's verdicts; null if the run matches no query or several queries, came before the first spec, or was left out by sampling",
    ),
  complete: z.boolean(),
  start_unix_ms: z.number(),
  duration_ms: z.number(),
  total_tokens: z.number().nullable(),
  cost_usd: z.number().nullable(),
  models: z.array(z.string()),
  version: z.string().nullable().describe("`service.version` of the agent"),
  seen_unix_ms: z.number().describe("Time of the last judgement"),
  verdicts: z.array(
    z.strictObject({
      verdict_id: z.string(),
      spec: z.string(),
      query_id: z.string(),
      outcome: z.enum(outcomes),
      layers: z.record(z.enum(layers), z.enum(outcomes)),
      expected_fail: z.boolean().describe("The query has `expected_fail: true`"),
      reasons: z
        .array(
          z.strictObject({
            layer: z.enum(layers),
            check: z.string(),
            outcome: z.enum(outcomes),
            message: z.string(),
          }),
        )
        .describe("Why the run did not pass: at most 3 checks, those with the verdict's outcome first"),
    }),
  ),
});

const sorts = ["began", "took", "tokens", "cost"] as const;

/** Query parameters that select runs. */
const filters = {
  outcome: repeatable(z.enum([...outcomes, "none"])).describe(
    "none: runs without a verdict, which match no query or several queries, came before the first spec, or were left out by sampling",
  ),
  agent: repeatable(z.string()).describe("Case, separators and dots of the name are ignored"),
  service: repeatable(z.string()),
  conversation: z.string().optional(),
  query: repeatable(z.string()).describe("Id of a query that matches the run"),
  check: repeatable(z.string()).describe("Name of a check that failed, warned or was not decided"),
  version: repeatable(z.string()).describe("`service.version` of the agent"),
  model: z.string().describe("A part of a model's name").optional(),
  model_name: repeatable(z.string()).describe("The whole name of a model"),
  trace: z.string().optional(),
  text: z
    .string()
    .min(1)
    .max(200)
    .describe("Text that the query contains. A page may have fewer runs than `limit` although more follow")
    .optional(),
  since: moment.optional(),
  until: moment.optional(),
};
type Filters = z.output<z.ZodObject<typeof filters>>;

const facet = z.array(z.strictObject({ value: z.string(), runs: z.number() }));

const unjudged = z.strictObject({
  run_id: z.string(),
  spec: z.string(),
  reason: z.string(),
  candidates: z.array(z.string()).describe("Ids of the queries that match the run; empty if none does"),
  agent: z.string().nullable(),
  query: z.string().nullable(),
  judged_unix_ms: z.number(),
});

export function runEndpoints(archive: Archive, reading: TelemetryReading, now: () => number): Endpoint[] {
  const telemetryOf = async (id: string) => {
    const parts = await archive.telemetry(id);
    return parts ?? { problem: notFound(`There is no run "${id}".`, forgotten) };
  };
  return [
    endpoint({
      path: "/api/v1/runs",
      summary: "Runs, newest first, judged or not",
      query: z.strictObject({
        ...filters,
        sort: z
          .enum(sorts)
          .describe("Sort order. Default: newest first. Runs with an unknown value come last")
          .optional(),
        order: z
          .enum(["asc", "desc"])
          .describe("Direction of `sort`. Default: desc, the greatest first")
          .optional(),
        limit,
        cursor: cursor.optional(),
      }),
      answer: z.strictObject({ runs: z.array(summary), next: z.string().nullable() }),
      handle: async ({ query: { limit: most, cursor: from = null, sort, order, ...filter } }) => {
        const sorted = sort === undefined ? undefined : { by: sort, isAscending: order === "asc" };
        const found = await archive.runs(runFilter(filter, now()), most, from, sorted);
        return found === undefined
          ? { problem: badCursor() }
          : { json: { runs: found.items, next: found.next } };
      },
    }),
    endpoint({
      path: "/api/v1/facets",
      summary:
        "Number of matching runs, and the number for each value of each filter parameter, among the newest 100,000 runs",
      query: z.strictObject(filters),
      answer: z.strictObject({
        total: z.number(),
        is_partial: z.boolean().describe("Whether there are more runs than were counted"),
        facets: z.strictObject(
          Object.fromEntries(facetNames.map((name) => [name, facet])) as Record<FacetName, typeof facet>,
        ),
      }),
      handle: async ({ query }) => ({ json: await archive.facets(runFilter(query, now())) }),
    }),
    endpoint({
      path: "/api/v1/runs/{id}/spans",
      summary:
        "The spans and log records of a run with all their attributes; empty if telemetry is not stored",
      answer: z.strictObject({
        spans: z.array(z.looseObject({ trace_id: z.string(), span_id: z.string() })),
      }),
      handle: async ({ path }) => {
        const parts = await telemetryOf(path["id"] ?? "");
        return "problem" in parts ? parts : { json: { spans: await reading.spans(parts) } };
      },
    }),
    endpoint({
      path: "/api/v1/runs/{id}/spans/{span}/messages",
      summary: "Input and output messages of one span, in the shape of the run's messages",
      answer: z.strictObject({ input: z.array(z.looseObject({})), output: z.array(z.looseObject({})) }),
      handle: async ({ path }) => {
        const parts = await telemetryOf(path["id"] ?? "");
        if ("problem" in parts) return parts;
        const found = await reading.messages(parts, path["span"] ?? "");
        return found === undefined
          ? {
              problem: notFound(
                `No span "${path["span"]}" of the run is stored.`,
                "The run has no such span, or its telemetry is not stored.",
              ),
            }
          : { json: found };
      },
    }),
    endpoint({
      path: "/api/v1/runs/{id}/telemetry",
      summary: "The run as OTLP/JSON, one message a line: a dump that every command reads",
      answer: { type: "application/x-ndjson" },
      handle: async ({ path }) => {
        const parts = await telemetryOf(path["id"] ?? "");
        if ("problem" in parts) return parts;
        const headers = { "content-type": "application/x-ndjson; charset=utf-8" };
        return { response: new Response(escapeControls(await reading.lines(parts)), { headers }) };
      },
    }),
    endpoint({
      path: "/api/v1/unjudged",
      summary: "Runs that match no query of a spec, or more than one, newest first",
      query: z.strictObject({ limit, cursor: cursor.optional() }),
      answer: z.strictObject({ unjudged: z.array(unjudged), next: z.string().nullable() }),
      handle: async ({ query }) => {
        const found = await archive.unjudged(query.limit, query.cursor ?? null);
        return found === undefined
          ? { problem: badCursor() }
          : { json: { unjudged: found.items, next: found.next } };
      },
    }),
    endpoint({
      path: "/api/v1/verdicts/{id}/revisions",
      summary: "All revisions of a verdict, oldest first",
      answer: z.looseObject({ verdicts: z.array(z.looseObject({ verdict_id: z.string() })) }),
      handle: async ({ path }) => {
        const id = path["id"] ?? "";
        const revisions = await archive.revisions(id);
        if (revisions.length === 0) return { problem: notFound(`There is no verdict "${id}".`, forgotten) };
        return { text: `{"verdicts":[${revisions.map(({ json }) => json).join(",")}]}` };
      },
    }),
  ];
}

function runFilter(
  { since, until, model_name: modelName, ...filter }: Filters,
  nowUnixMs: number,
): RunFilter {
  return defined({ ...filter, modelName, ...timesOf({ since, until }, nowUnixMs) });
}
