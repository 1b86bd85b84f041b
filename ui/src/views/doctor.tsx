import { ApiError, ask, useLoaded } from "../api.ts";
import { Loaded } from "../parts/notice.tsx";
import { EvidenceTable } from "./evidence-table.tsx";
import type { Instrumentation } from "./instrumentation.ts";
import { Settings } from "./settings.tsx";

/** The answer of `/api/v1/doctor`. */
interface Diagnosis {
  readonly runs: number;
  readonly instrumentations: readonly Instrumentation[];
}

/** Null if no telemetry is stored. */
async function diagnosis(): Promise<Diagnosis | null> {
  try {
    return await ask<Diagnosis>("/api/v1/doctor");
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Which evidence each instrumentation of each service loses, and the settings that add it. */
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
