import { z } from "zod";
import type { Decision, Decisions } from "../../pipeline/decisions.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";
import { limit, none } from "../parameters.ts";

const decision = z.object({
  trace_id: z.string(),
  run_id: z.string(),
  agent: z.string().nullable(),
  close_reason: z.string(),
  decision: z.string().describe("evaluated, sampled_out, unmatched or ambiguous"),
  why: z.string(),
  rate: z.number(),
  matches: z.array(z.object({ spec: z.string(), query_id: z.string(), how: z.string() })),
  outcomes: z.array(z.string()),
});

export function decisionEndpoints(decisions: Decisions): Endpoint[] {
  return [
    endpoint(none, {
      method: "get",
      path: "/api/v1/decisions",
      summary:
        "Which runs were evaluated, and why or why not: the last ones, newest first, and the sums since the start",
      query: z.strictObject({ limit }),
      answer: z.object({
        decisions: z.array(decision),
        counts: z.array(z.object({ decision: z.string(), why: z.string(), runs: z.number() })),
      }),
      handle: ({ query }) =>
        Promise.resolve({
          json: { decisions: decisions.list(query.limit).map(written), counts: sums(decisions) },
        }),
    }),
  ];
}

function written({ traceId, runId, agent, closeReason, matches, ...rest }: Decision): object {
  return {
    trace_id: traceId,
    run_id: runId,
    agent,
    close_reason: closeReason,
    ...rest,
    matches: matches.map(({ spec, queryId, how }) => ({ spec, query_id: queryId, how })),
  };
}

function sums({ counts }: Decisions): object[] {
  return [...counts].map(([key, runs]) => {
    const [kind, why] = key.split(" ");
    return { decision: kind, why, runs };
  });
}
