import { ApiError, ask, useLoaded } from "../api.ts";
import { Loaded } from "../parts/notice.tsx";
import { EvidenceTable } from "./evidence-table.tsx";
import type { Instrumentation } from "./instrumentation.ts";
import { Settings } from "./settings.tsx";

/** The response of `/api/v1/doctor`. */
interface Diagnosis {
  readonly runs: number;
  readonly instrumentations: readonly Instrumentation[];
}

/** Resolves to the diagnosis; null if no telemetry is stored. */
async function diagnosis(): Promise<Diagnosis | null> {
  try {
    return await ask<Diagnosis>("/api/v1/doctor");
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Shows which evidence is missing in the telemetry of each service and instrumentation, and the settings that add this evidence. */
export function DoctorFindings() {
  const loading = useLoaded(diagnosis, []);
  return (
    <Loaded from={loading}>
      {(found) =>
        found === null || found.runs === 0 ? (
          <section class="panel" aria-labelledby="evidence-title">
            <header>
              <h2 id="evidence-title">Which instrumentation loses data?</h2>
            </header>
            <p class="body quiet">
              No telemetry is stored yet. This table shows what the last 100 runs contain.
            </p>
          </section>
        ) : (
          <>
            <EvidenceTable rows={found.instrumentations} runs={found.runs} />
            <Settings rows={found.instrumentations} />
          </>
        )
      }
    </Loaded>
  );
}
