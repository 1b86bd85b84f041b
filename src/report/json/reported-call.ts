import type { ResultJson } from "./verdict-schema.ts";

/** One call of the agent by `test`, as written in a report. */
export type ReportedCall = NonNullable<ResultJson["agent_calls"]>[number];

interface Call extends Pick<ReportedCall, "outcome" | "signal" | "spans" | "reason" | "hint"> {
  readonly exitCode: number | null;
  readonly durationMs: number;
  readonly requests: number;
  readonly plan: {
    readonly spec: { readonly name: string };
    readonly query: { readonly id: string; readonly text: string };
    readonly number: number;
    readonly folder: string;
  };
  readonly runs: readonly { readonly runId: string }[];
}

export function reportCall({ plan, runs, requests, exitCode, durationMs, ...call }: Call): ReportedCall {
  return {
    spec: plan.spec.name,
    query_id: plan.query.id,
    query: plan.query.text,
    run: plan.number,
    outcome: call.outcome,
    exit_code: exitCode,
    signal: call.signal,
    duration_ms: durationMs,
    // The number of requests of a call with a run depends on timing. It is left out, so that reports of the same runs are equal.
    ...(runs.length === 0 ? { requests } : {}),
    spans: call.spans,
    run_ids: runs.map(({ runId }) => runId),
    reason: call.reason,
    hint: call.hint,
    folder: plan.folder,
  };
}
