/** One call of the agent in a report. */
export interface ReportedCall {
  readonly spec: string;
  readonly queryId: string;
  readonly query: string;
  /** Counts from 1 within the query. */
  readonly run: number;
  readonly outcome: "ok" | "failed" | "timed_out" | "silent" | "not_started";
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  /** Only of a call without a run: how many requests a run comes in depends on time. */
  readonly requests?: number;
  readonly spans: number;
  readonly runIds: readonly string[];
  readonly reason: string;
  readonly hint: string;
  /** Path of its telemetry. */
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

/** A call without its runs. */
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
