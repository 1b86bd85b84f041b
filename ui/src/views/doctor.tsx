import { ApiError, ask, useLoaded } from "../api.ts";
import { counted } from "../format.ts";
import { Loaded } from "../parts/notice.tsx";

interface Advice {
  readonly evidence: string | readonly string[];
  readonly producer: string;
  readonly set: string;
}

interface Diagnosis {
  readonly runs: number;
  readonly producers: readonly {
    readonly scope: string;
    readonly version: string | null;
    readonly sdk: string | null;
    readonly spans: number;
    readonly dialects: readonly string[];
    readonly name: string | null;
  }[];
  readonly evidence: Readonly<
    Record<
      string,
      { readonly state: string; readonly have: number; readonly of: number; readonly unit: string }
    >
  >;
  readonly advice: readonly Advice[];
}

/** Null where no telemetry is kept. */
async function diagnosis(): Promise<Diagnosis | null> {
  try {
    return await ask<Diagnosis>("/api/v1/doctor");
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** What the instrumentations show, and what to switch on to see more. */
export function DoctorFindings() {
  const loading = useLoaded(diagnosis, []);
  return (
    <section class="card" aria-labelledby="doctor-title">
      <h2 id="doctor-title">What the telemetry can show</h2>
      <Loaded from={loading}>
        {(found) =>
          found === null || found.runs === 0 ? (
            <p class="quiet">No stored telemetry to look at yet.</p>
          ) : (
            <Findings found={found} />
          )
        }
      </Loaded>
    </section>
  );
}

const marks: Readonly<Record<string, string>> = { present: "✓", partial: "▲", absent: "✗", not_seen: "–" };

function Findings({ found }: { found: Diagnosis }) {
  return (
    <>
      <p class="quiet">As doctor finds it in the last {counted(found.runs, "run")}.</p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Instrumentations">
        <table class="samples">
          <thead>
            <tr>
              <th scope="col">Instrumentation</th>
              <th scope="col">read as</th>
              <th scope="col">spans</th>
            </tr>
          </thead>
          <tbody>
            {found.producers.map(({ scope, version, sdk, spans, dialects, name }) => (
              <tr key={`${scope} ${version} ${sdk}`}>
                <th scope="row">
                  {name ?? scope} {version ?? ""} <span class="quiet">{sdk ?? ""}</span>
                </th>
                <td>{dialects.join(", ") || "–"}</td>
                <td>{spans}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul class="evidence-list">
        {Object.entries(found.evidence).map(([name, { state, have, of, unit }]) => (
          <li key={name} class={`evidence-${state}`}>
            {marks[state] ?? ""} {name.replaceAll("_", " ")}{" "}
            <span class="quiet">
              {state.replaceAll("_", " ")}
              {of > 0 && `, ${have} of ${counted(of, unit)}`}
            </span>
          </li>
        ))}
      </ul>
      {found.advice.length > 0 && (
        <>
          <h3>To see more</h3>
          <ul class="bullets">
            {found.advice.map((advice, at) => (
              <li key={at}>
                <strong>{[advice.evidence].flat().join(", ").replaceAll("_", " ")}</strong>, {advice.producer}
                : {advice.set}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
