import { ApiError, ask } from "./api.ts";
import { layerOutcomes } from "./parts/outcome.tsx";
import type { Layer, Outcome, VerdictJson } from "./types.ts";

/** What a list shows of a verdict. */
export interface ListedVerdict {
  readonly verdict_id: string;
  readonly spec: string;
  readonly query_id: string;
  readonly outcome: Outcome;
  readonly layers: Readonly<Record<Layer, Outcome>>;
}

/** A line of the list of runs. */
export interface ListedRun {
  readonly run_id: string;
  readonly agent: string | null;
  readonly query: string | null;
  readonly error: string | null;
  readonly outcome: Outcome | null;
  readonly duration_ms: number | null;
  readonly total_tokens: number | null;
  readonly cost_usd: number | null;
  readonly models: readonly string[];
  /** When it was judged; null where the store does not say. */
  readonly seen_unix_ms: number | null;
  readonly verdicts: readonly ListedVerdict[];
}

export interface RunPage {
  readonly runs: readonly ListedRun[];
  readonly next: string | null;
}

export const filterNames = ["outcome", "agent", "query", "model", "text"] as const;
export type RunFilter = Readonly<Record<(typeof filterNames)[number], string>>;

/** Without a store the API lists verdicts only: of each run that has one, as much as that tells. */
let listsRuns = true;

export async function listRuns(filter: RunFilter, limit: number, cursor = ""): Promise<RunPage> {
  if (listsRuns) {
    try {
      const parameters = { ...filter, limit: String(limit), cursor };
      return await ask<RunPage>("/api/v1/runs", { parameters });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      listsRuns = false;
    }
  }
  const { outcome, agent, query } = filter;
  const parameters = {
    outcome: outcome === "none" ? "" : outcome,
    agent,
    query,
    limit: String(limit),
    cursor,
  };
  const page = await ask<{ verdicts: VerdictJson[]; next: string | null }>("/api/v1/verdicts", {
    parameters,
  });
  return { runs: page.verdicts.map(runOf), next: page.next };
}

function runOf(verdict: VerdictJson): ListedRun {
  const { run_id, agent, query, error, outcome, metrics, verdict_id, spec, query_id } = verdict;
  return {
    run_id,
    agent,
    query,
    error: error ?? null,
    outcome,
    duration_ms: metrics["latency_ms"] ?? null,
    total_tokens: metrics["total_tokens"] ?? null,
    cost_usd: metrics["cost_usd"] ?? null,
    models: [],
    seen_unix_ms: null,
    verdicts: [{ verdict_id, spec, query_id, outcome, layers: layerOutcomes(verdict) }],
  };
}
