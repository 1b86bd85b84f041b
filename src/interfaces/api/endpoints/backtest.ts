import { z } from "zod";
import { type Endpoint, endpoint, type Problem } from "../http/endpoint.ts";
import { moment, timesOf } from "../http/parameters.ts";
import type { RunFilter } from "../../../store/archive.ts";

export interface BacktestRequest {
  /** YAML of the changed spec. */
  readonly spec: string;
  /** Name of a spec that `serve` uses, or YAML. */
  readonly base: string | undefined;
  readonly filter: RunFilter;
  readonly limit: number;
}

export type BacktestAnswer = { readonly report: object } | { readonly problems: readonly string[] };

const MOST_RUNS = 5_000;

const body = z.strictObject({
  spec: z.string().min(1).describe("The changed spec, as YAML or JSON; it must not include other files"),
  base: z
    .string()
    .min(1)
    .optional()
    .describe("The old spec: name of a served spec, or YAML. Default: the served spec with the same name"),
  since: moment.optional(),
  until: moment.optional(),
  agent: z.string().optional(),
  query: z.string().optional().describe("Id of a query that matches the run now"),
  limit: z
    .int()
    .min(1)
    .max(MOST_RUNS)
    .default(1_000)
    .describe("Maximum number of runs; the newest runs are judged"),
});

const specName = z.strictObject({ file: z.string(), hash: z.string() });
const standing = z.strictObject({ outcome: z.string(), query_id: z.string().nullable() });

const answer = z.strictObject({
  format_version: z.literal(1),
  base: z.array(specName),
  spec: z.array(specName),
  summary: z.strictObject({
    runs: z.int(),
    judged: z.int().describe("Runs with a verdict by at least one of the specs"),
    flips: z.int(),
    worse: z.int().describe("Flips to fail"),
    by_kind: z.array(z.strictObject({ before: z.string(), after: z.string(), count: z.int() })),
    without_telemetry: z
      .int()
      .describe("Runs that cannot be judged again, because their telemetry is not stored"),
  }),
  flips: z.array(
    z.strictObject({
      spec: z.string(),
      run_id: z.string(),
      trace_id: z.string(),
      query: z.string().nullable(),
      before: standing,
      after: standing,
      checks: z.array(z.looseObject({ layer: z.string(), check: z.string(), message: z.string() })),
    }),
  ),
  missing: z.array(z.string()).describe("Queries of the changed spec without a run"),
});

/**
 * Returns the endpoint for backtests. Only one backtest runs at a time, because judging thousands of runs delays all other work of the
 * process.
 */
export function backtestEndpoints(
  backtest: (request: BacktestRequest) => Promise<BacktestAnswer>,
  now: () => number,
): Endpoint[] {
  let isBusy = false;
  return [
    endpoint({
      method: "post",
      path: "/api/v1/backtest",
      summary: "Which verdicts a changed spec would flip, over stored runs; without language models",
      body,
      answer,
      handle: async ({ body: request }) => {
        if (isBusy) return { problem: busy };
        isBusy = true;
        try {
          const { spec, base, limit, agent, query } = request;
          const filter = {
            ...timesOf(request, now()),
            ...(agent === undefined ? {} : { agent }),
            ...(query === undefined ? {} : { query }),
          };
          const made = await backtest({ spec, base, filter, limit });
          return "report" in made ? { json: made.report } : { problem: unusable(made.problems) };
        } finally {
          isBusy = false;
        }
      },
    }),
  ];
}

const busy: Problem = {
  status: 503,
  what: "The backtest cannot start now.",
  why: "Another backtest is running.",
  fix: "Try again when the other backtest has ended.",
};

function unusable(problems: readonly string[]): Problem {
  return {
    status: 400,
    what: "The specs cannot be compared.",
    why: problems.join("\n"),
    fix: "Fix the spec; `tracejury validate FILE` shows its problems with their places.",
  };
}
