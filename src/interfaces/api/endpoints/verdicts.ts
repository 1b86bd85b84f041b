import { z } from "zod";
import { verdictSchema } from "../../../report/json/verdict-schema.ts";
import { badCursor, badParameter, type Endpoint, endpoint, forgotten, notFound } from "../http/endpoint.ts";
import { agent, cursor, limit, moment, outcome, timesOf } from "../http/parameters.ts";
import type { StoredVerdict, VerdictStore } from "../../../store/archive.ts";

const filters = z.strictObject({
  outcome: outcome.optional(),
  agent: agent.optional(),
  query: z.string().describe("Id of a query").optional(),
  spec: z.string().optional(),
  trace: z.string().describe("Any of the run's traces").optional(),
  run: z.string().optional(),
  text: z
    .string()
    .min(1)
    .max(200)
    .describe(
      "Text that the query or the answer contains. A page may have fewer verdicts than `limit` although more follow",
    )
    .optional(),
  since: moment.optional(),
  until: moment.optional(),
  limit,
  cursor: cursor.optional(),
});

export function verdictEndpoints(store: VerdictStore, now: () => number): Endpoint[] {
  return [
    endpoint({
      path: "/api/v1/verdicts",
      summary: "Verdicts, newest first; of several revisions the newest",
      query: filters,
      answer: z.object({ verdicts: z.array(verdictSchema), next: z.string().nullable() }),
      handle: async ({ query: { limit: most, cursor: from = null, since, until, ...filter } }) => {
        const found = await store.verdicts(
          defined({ ...filter, ...timesOf({ since, until }, now()) }),
          most,
          from,
        );
        if (found === undefined) return { problem: badCursor() };
        return { text: `{"verdicts":${array(found.verdicts)},"next":${JSON.stringify(found.next)}}` };
      },
    }),
    endpoint({
      path: "/api/v1/verdicts/{id}",
      summary: "One verdict: the newest revision, or the requested one",
      query: z.strictObject({ revision: z.string().optional() }),
      answer: verdictSchema,
      handle: async ({ path, query: { revision } }) => {
        if (revision !== undefined && !/^\d{1,9}$/.test(revision)) {
          return {
            problem: badParameter(
              "revision",
              `is "${revision}"`,
              "Use a whole number, or leave the parameter out.",
            ),
          };
        }
        const id = path["id"] ?? "";
        const verdict = await store.verdict(id, revision === undefined ? null : Number(revision));
        if (verdict === undefined) return { problem: notFound(`There is no verdict "${id}".`, forgotten) };
        return { text: verdict.json };
      },
    }),
    endpoint({
      path: "/api/v1/runs/{id}",
      summary: "One run in the format of `inspect --format json`, with its verdicts",
      answer: z.looseObject({ run_id: z.string(), verdicts: z.array(verdictSchema) }),
      handle: async ({ path }) => {
        const id = path["id"] ?? "";
        const run = await store.run(id);
        if (run === undefined) return { problem: notFound(`There is no run "${id}".`, forgotten) };
        return { text: `${run.json.slice(0, -1)},"verdicts":${array(run.verdicts)}}` };
      },
    }),
  ];
}

function array(verdicts: readonly StoredVerdict[]): string {
  return `[${verdicts.map((verdict) => verdict.json).join(",")}]`;
}

/** Returns the object without the properties whose value is undefined. */
export function defined<T extends object>(values: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
