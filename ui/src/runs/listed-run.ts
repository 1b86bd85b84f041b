import { ApiError, ask } from "../api.ts";
import { layerOutcomes } from "../parts/outcome.tsx";
import { type CheckJson, type Layer, layers, type Outcome, type VerdictJson } from "../types.ts";
import { apiParameters, type RunFilter } from "./filter.ts";

/** A reason why a verdict is not a pass. */
export interface ListedReason {
  readonly layer: Layer;
  readonly check: string;
  readonly outcome: Outcome;
  readonly message: string;
}

/** The fields of a verdict that the list of runs shows. */
export interface ListedVerdict {
  readonly verdict_id: string;
  readonly spec: string;
  readonly query_id: string;
  readonly outcome: Outcome;
  readonly layers: Readonly<Record<Layer, Outcome>>;
  readonly expected_fail: boolean;
  /** Reasons of checks that have the same outcome as the verdict are first. */
  readonly reasons: readonly ListedReason[];
}

/** A row of the list of runs. */
export interface ListedRun {
  readonly run_id: string;
  readonly agent: string | null;
  readonly query: string | null;
  readonly error: string | null;
  readonly outcome: Outcome | null;
  readonly start_unix_ms: number | null;
  readonly duration_ms: number | null;
  readonly total_tokens: number | null;
  readonly cost_usd: number | null;
  readonly models: readonly string[];
  readonly verdicts: readonly ListedVerdict[];
}

export interface RunPage {
  readonly runs: readonly ListedRun[];
  readonly next: string | null;
}

/**
 * Whether the API can list runs. Without a persistent store, it lists only verdicts, and the list of runs shows the fields of the verdicts.
 */
let listsRuns = true;

/** Loads a page of runs. An absent value in `filter` does not restrict the list. */
export async function listRuns(filter: Partial<RunFilter>, limit: number, cursor = ""): Promise<RunPage> {
  const paging = { limit: String(limit), cursor };
  if (listsRuns) {
    try {
      return await ask<RunPage>("/api/v1/runs", { parameters: { ...apiParameters(filter), ...paging } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      listsRuns = false;
    }
  }
  // Only the first value of each filter is used, because the API for verdicts accepts only one.
  const [outcome = "", agent = "", query = ""] = [filter.outcome?.[0], filter.agent?.[0], filter.query?.[0]];
  const parameters = { outcome: outcome === "none" ? "" : outcome, agent, query, ...paging };
  const page = await ask<{ verdicts: VerdictJson[]; next: string | null }>("/api/v1/verdicts", {
    parameters,
  });
  return { runs: page.verdicts.map(runOf), next: page.next };
}

function runOf(verdict: VerdictJson): ListedRun {
  const { run_id, agent, query, error, outcome, metrics, verdict_id, spec, query_id, models } = verdict;
  const summary = { verdict_id, spec, query_id, outcome, layers: layerOutcomes(verdict) };
  return {
    run_id,
    agent,
    query,
    error: error ?? null,
    outcome,
    start_unix_ms: null,
    duration_ms: metrics["latency_ms"] ?? null,
    total_tokens: metrics["total_tokens"] ?? null,
    cost_usd: metrics["cost_usd"] ?? null,
    models: models ?? [],
    verdicts: [{ ...summary, expected_fail: verdict.expected_fail === true, reasons: reasonsOf(verdict) }],
  };
}

function reasonsOf({ layers: of, outcome }: VerdictJson): readonly ListedReason[] {
  const isUnmet = (check: CheckJson): boolean => check.outcome !== "pass" && check.outcome !== "skip";
  const reasons = layers.flatMap((layer) =>
    of[layer].checks
      .filter(isUnmet)
      .map(({ check, outcome: result, message }) => ({ layer, check, outcome: result, message })),
  );
  return reasons.toSorted((a, b) => Number(b.outcome === outcome) - Number(a.outcome === outcome));
}
