import { ask, useLoaded } from "../api.ts";
import { Loaded } from "../parts/notice.tsx";
import { mostUnjudged, unjudgedRuns } from "../runs/not-judged.tsx";
import { whyWithoutReason } from "../runs/without-reason.tsx";

/** Explains why a run has no verdict: there is no spec, or the reason for each spec. */
export function WithoutVerdict({ runId }: { runId: string }) {
  const loading = useLoaded(async () => {
    const [{ specs }, unjudged] = await Promise.all([
      ask<{ specs: readonly unknown[] }>("/api/v1/specs"),
      unjudgedRuns(),
    ]);
    const hasAll = unjudged.length < mostUnjudged;
    return { hasSpec: specs.length > 0, hasAll, reasons: unjudged.filter((one) => one.run_id === runId) };
  }, [runId]);
  return (
    <section class="card">
      <h2>Not judged</h2>
      <Loaded from={loading}>
        {({ hasSpec, hasAll, reasons }) =>
          hasSpec ? (
            <>
              {reasons.map(({ spec, reason, candidates }) => (
                <p key={spec}>
                  Spec {spec}: {reason}
                  {candidates.length > 0 && ` (${candidates.join(", ")})`}
                </p>
              ))}
              {reasons.length === 0 && (
                <p>
                  {hasAll ? (
                    <>
                      This run was {whyWithoutReason}. To judge it:{" "}
                      <code>tracejury test {window.location.origin}</code>
                    </>
                  ) : (
                    `No query of a spec matches this run, or it was ${whyWithoutReason}.`
                  )}
                </p>
              )}
              <p>“Copy as query” makes a query from this run.</p>
            </>
          ) : (
            <p>
              There is no spec yet. Write one from these runs:{" "}
              <code>tracejury init --from {window.location.origin}</code>
            </p>
          )
        }
      </Loaded>
    </section>
  );
}
