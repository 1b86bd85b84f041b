/** One call of the agent by `test`, as written in a report. */
export interface ReportedCall {
  readonly spec: string;
  readonly queryId: string;
  readonly query: string;
  /** Number of the call among all calls with the same query, from 1. */
  readonly run: number;
  readonly outcome: "ok" | "failed" | "timed_out" | "silent" | "not_started";
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  /**
   * Number of OTLP requests received during the call. Present only for a call that gave no run. For a call
   * with a run, the number depends on timing, so two reports of the same runs would differ.
   */
  readonly requests?: number;
  readonly spans: number;
  readonly runIds: readonly string[];
  readonly reason: string;
  readonly hint: string;
  /** Path of the folder with the call's stored telemetry. */
  readonly folder: string;
}

interface Call extends Pick<
  ReportedCall,
  "outcome" | "exitCode" | "signal" | "durationMs" | "spans" | "reason" | "hint"
> {
  readonly requests: number;
  readonly plan: {
    readonly spec: { readonly name: string };
    readonly query: { readonly id: string; readonly text: string };
    readonly number: number;
    readonly folder: string;
  };
  readonly runs: readonly { readonly runId: string }[];
}

export function reportCall({ plan, runs, requests, ...call }: Call): ReportedCall {
  return {
    ...call,
    ...(runs.length === 0 ? { requests } : {}),
    spec: plan.spec.name,
    queryId: plan.query.id,
    query: plan.query.text,
    run: plan.number,
    runIds: runs.map(({ runId }) => runId),
    folder: plan.folder,
  };
}
