import { z } from "zod";
import type { Decision, Decisions } from "../../../pipeline/decisions.ts";
import type { TraceRecord } from "../../../pipeline/lifecycle/trace-history.ts";
import type { TraceLifecycle } from "../../../pipeline/lifecycle/trace-lifecycle.ts";
import { snakeCased } from "../../../report/json/snake-case.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { limitUpTo } from "../http/parameters.ts";

/** Parameter `limit`. Its maximum is the number of sampling decisions that the collector retains. */
const limit = limitUpTo(10_000, 10_000);

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

const trace = z.object({
  trace_id: z.string(),
  closed: z.string().describe("Time of the last close in RFC 3339"),
  spans: z.number(),
  close_reason: z.string().describe("Why the trace was closed, such as root_complete, idle or max_age"),
  state: z.string().describe("evaluated, ambiguous, sampled_out, unmatched, no_run, or pending"),
  runs: z.array(
    decision.extend({
      exported: z
        .boolean()
        .describe(
          "Whether each output has sent the run's verdicts, stored them in a queue on disk, or dropped them",
        ),
    }),
  ),
  forwarded: z
    .array(z.object({ destination: z.string(), kept: z.boolean(), why: z.string() }))
    .describe("Decisions for forwarding destinations with `hold`"),
});

/** Number of traces that started since the process started. */
interface TraceCounts {
  readonly begunTraces: number;
}

export function decisionEndpoints(
  decisions: Decisions,
  lifecycle: TraceLifecycle,
  traces: TraceCounts,
): Endpoint[] {
  return [
    endpoint({
      path: "/api/v1/decisions",
      summary:
        "Which recent runs were evaluated, and why or why not, newest first; and totals since the start",
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
    endpoint({
      path: "/api/v1/decisions/traces",
      summary:
        "Outcomes of the last closed traces, newest first, or of one trace; `received` is the sum of `open`, `pending` and `settled`",
      query: z.strictObject({
        limit,
        trace_id: z.string().describe("Lower-case hex; only this trace").optional(),
      }),
      answer: z.object({
        traces: z.array(trace),
        counts: z.object({
          received: z.number(),
          open: z.number(),
          pending: z.number(),
          settled: z.record(z.string(), z.number()),
        }),
      }),
      handle: ({ query }) =>
        Promise.resolve({
          json: {
            traces: lifecycle.history.list(query.limit, query.trace_id).map(writtenTrace),
            counts: {
              received: traces.begunTraces,
              open: traces.begunTraces - lifecycle.closedOnce,
              pending: lifecycle.pending,
              settled: Object.fromEntries(lifecycle.counts),
            },
          },
        }),
    }),
  ];
}

function written(decision: Decision): object {
  const { traceIds: _, ...others } = decision;
  return snakeCased(others);
}

function writtenTrace({ closedUnixMs, runs, ...trace }: TraceRecord): object {
  return {
    ...snakeCased(trace),
    closed: new Date(closedUnixMs).toISOString(),
    runs: runs.map(written),
  };
}

function sums({ counts }: Decisions): object[] {
  return [...counts].map(([key, runs]) => {
    const [kind, why] = key.split(" ");
    return { decision: kind, why, runs };
  });
}
