import { ApiError, ask, useLoaded } from "../api.ts";
import { LayerMarks, layerOutcomes, OutcomeMark } from "../parts/outcome.tsx";
import type { VerdictJson } from "../types.ts";

/** Resolves to the revisions of a verdict; null if only the latest revision is stored. */
async function revisions(verdictId: string): Promise<readonly VerdictJson[] | null> {
  try {
    const path = `/api/v1/verdicts/${encodeURIComponent(verdictId)}/revisions`;
    return (await ask<{ verdicts: VerdictJson[] }>(path)).verdicts;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The revisions of a verdict, if late telemetry has changed the verdict. */
export function History({ verdict }: { verdict: VerdictJson }) {
  const loading = useLoaded(() => revisions(verdict.verdict_id), [verdict.verdict_id, verdict.revision]);
  if (loading.state !== "ready" || loading.value === null || loading.value.length < 2) return null;
  return (
    <section class="card" aria-labelledby="history-title">
      <h2 id="history-title">Revisions</h2>
      <ol class="revisions">
        {loading.value.map((one) => (
          <li key={one.revision}>
            {one.revision}. <OutcomeMark outcome={one.outcome} /> <LayerMarks outcomes={layerOutcomes(one)} />{" "}
            <span class="quiet">closed as {one.close_reason}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
