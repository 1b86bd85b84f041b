import { ApiError, ask, useLoaded } from "../api.ts";
import { counted } from "../format.ts";
import { CopyButton } from "../parts/copy.tsx";
import { Loaded } from "../parts/notice.tsx";
import { EvidenceTable } from "./evidence-table.tsx";
import { type Advice, type ServiceDiagnosis, serviceName } from "./service-diagnosis.ts";

/** Of `/api/v1/doctor`. */
interface Diagnosis {
  readonly runs: number;
  readonly services: readonly ServiceDiagnosis[];
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

/** What the instrumentation of each service loses, and the settings that bring it. */
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
            <p class="body quiet">No telemetry is stored yet: the last 100 runs are looked at here.</p>
          </section>
        ) : (
          <>
            <EvidenceTable services={found.services} runs={found.runs} />
            <Switches services={found.services} />
          </>
        )
      }
    </Loaded>
  );
}

/** The settings for each service, as they are set in the agent's process; those it cannot have, with the reason. */
function Switches({ services }: { services: readonly ServiceDiagnosis[] }) {
  const lossy = services.filter(({ advice, limits }) => advice.length + limits.length > 0);
  return (
    <section class="panel" aria-labelledby="switch-title">
      <header>
        <h2 id="switch-title">What to switch on</h2>
        <span class="quiet">
          in the agent's process; <code>tracejury doctor</code> says the same of a dump
        </span>
      </header>
      {lossy.length === 0 && <p class="body quiet">Nothing: no service loses what a setting would bring.</p>}
      {lossy.map((one) =>
        groupedAdvice(one.advice).map(({ set, evidence, producer, page }) => (
          <div key={`${one.service} ${producer} ${set}`} class="advice">
            <p>
              <strong>
                {serviceName(one)}: {lossWords(evidence, one)}
              </strong>{" "}
              <span class="quiet">{producer}</span>
            </p>
            <div class="setting">
              <code>{set}</code>
              <CopyButton text={set} />
            </div>
            <p class="quiet">{page}</p>
          </div>
        )),
      )}
      {lossy.map((one) =>
        one.limits.map(({ what, producer, why }) => (
          <div key={`${one.service} ${producer} ${what}`} class="advice">
            <p>
              <strong>
                {serviceName(one)}: {lossWords([what], one)}
              </strong>{" "}
              <span class="quiet">
                {producer}; no setting brings it: {why}
              </span>
            </p>
          </div>
        )),
      )}
    </section>
  );
}

/** Each setting once, with all that it brings. */
function groupedAdvice(advice: readonly Advice[]): readonly Advice[] {
  const bySetting = new Map<string, Advice>();
  for (const one of advice) {
    const key = `${one.producer}\n${one.set}`;
    const known = bySetting.get(key);
    const evidence = [...new Set([...(known?.evidence ?? []), ...one.evidence])];
    bySetting.set(key, { ...one, evidence });
  }
  return [...bySetting.values()];
}

/** `tool results in 0 of 35 tool calls, usage in 3 of 9 model calls`. */
function lossWords(names: readonly string[], { evidence }: ServiceDiagnosis): string {
  return names
    .map((name) => {
      const count = evidence[name];
      const words = name.replaceAll("_", " ");
      return count === undefined ? words : `${words} in ${count.have} of ${counted(count.of, count.unit)}`;
    })
    .join(", ");
}
