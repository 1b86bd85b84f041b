import { useLoaded } from "../api.ts";
import { listRuns } from "../runs/listed-run.ts";
import type { VerdictJson } from "../types.ts";

const lookedAt = 20;

/**
 * Resolves to the id of the latest other run that passed the same query of the same spec. Only the latest runs that passed a query with
 * this id (in any spec) are searched; null if there is none among them.
 */
async function lastPass({ run_id, query_id, spec }: VerdictJson): Promise<string | null> {
  const { runs } = await listRuns({ query: [query_id], outcome: ["pass"] }, lookedAt);
  const found = runs.find(
    (run) =>
      run.run_id !== run_id &&
      run.verdicts.some((verdict) => verdict.spec === spec && verdict.query_id === query_id),
  );
  return found?.run_id ?? null;
}

/** A link to the comparison of a run with the latest run that passed the same query. */
export function LastPassLink({ verdict }: { verdict: VerdictJson }) {
  const loading = useLoaded(() => lastPass(verdict), [verdict.verdict_id]);
  if (loading.state !== "ready" || loading.value === null) return null;
  const parameters = new URLSearchParams({ a: verdict.run_id, b: loading.value }).toString();
  return (
    <a class="button" href={`/side-by-side?${parameters}`}>
      Compare with last pass
    </a>
  );
}
