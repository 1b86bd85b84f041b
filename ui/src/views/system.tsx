import { ApiError, ask, useLoaded } from "../api.ts";
import { type Reading, readCollector, type Sample, sumOf } from "../home/collector-status.ts";
import { counted, number } from "../format.ts";
import { useEvery, useRef, useState } from "../hooks.ts";
import { Loaded } from "../parts/notice.tsx";
import { Facts } from "../run/step-detail.tsx";
import type { JsonValue } from "../types.ts";
import { Accounts } from "./accounts.tsx";
import { DoctorFindings } from "./doctor.tsx";

/** The view System, which shows the state of the collector itself. */
export function SystemView() {
  const [tick, setTick] = useState(0);
  useEvery(3_000, () => setTick(tick + 1), [tick]);
  const loading = useLoaded(readCollector, [tick]);
  return (
    <section class="view system">
      <Loaded from={loading}>{(reading) => <Accounts reading={reading} />}</Loaded>
      <DoctorFindings />
      <Loaded from={loading}>
        {(reading) => (
          <details class="card">
            <summary>All figures</summary>
            <Numbers reading={reading} />
          </details>
        )}
      </Loaded>
      <Configuration />
    </section>
  );
}

function Numbers({ reading }: { reading: Reading }) {
  const before = useRef<Reading | null>(null);
  const last = useRef<Reading>(reading);
  if (last.current !== reading) {
    before.current = last.current;
    last.current = reading;
  }
  const { status, samples } = reading;
  const sum = (name: string, of: Reading = reading): number => sumOf(of.samples, name);
  const rateOf = (name: string, shown: (value: number) => string): { value: string; more: string } => {
    const from = before.current;
    const more = `${shown(sum(name))} since the start`;
    if (from === null) return { value: "measuring", more };
    const rate = (sum(name) - sum(name, from)) / ((reading.atMs - from.atMs) / 1000);
    return { value: `${shown(rate)} / s`, more };
  };
  const groups = groupsOf(samples);
  return (
    <>
      {!status.ready && (
        <div class="notice bad" role="alert">
          <strong>Not ready</strong>
          <p>{status.reasons.join("; ")}</p>
        </div>
      )}
      <div class="tiles">
        <Tile title="Spans in" {...rateOf("tracejury_receiver_accepted_spans_total", tenths)} />
        <Tile title="Bytes in" {...rateOf("tracejury_receiver_bytes_total", bytesText)} />
        <Tile title="Verdicts" {...rateOf("tracejury_verdicts_total", tenths)} />
        <Tile title="Open traces" value={number(status.open_traces)} more={mebibytes(status.open_bytes)} />
        {memoryTile(samples)}
        {status.store !== null && (
          <Tile
            title="Store"
            value={counted(status.store["runs"] ?? 0, "run")}
            more={`${mebibytes(status.store["bytes"] ?? 0)}, ${status.store["waiting"] ?? 0} waiting, ${status.store["left_out"] ?? 0} left out`}
          />
        )}
      </div>
      <div class="system-groups">
        {groups.map(({ title, lines }) => (
          <section key={title} class="card">
            <h2>{title}</h2>
            <table class="samples">
              <tbody>
                {lines.map(({ name, value }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>{number(value, 6)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        ))}
      </div>
      <p class="quiet about">
        Version {status.version}. All metrics in Prometheus format:{" "}
        <a href="/metrics" target="_blank">
          /metrics
        </a>
        ; the API: <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.
      </p>
    </>
  );
}

const titles: readonly (readonly [prefix: string, title: string])[] = [
  ["tracejury_receiver_", "Intake and refusals"],
  ["tracejury_assembler_", "Assembly"],
  ["tracejury_judge_", "Judges and their cost"],
  ["tracejury_export", "Exports"],
  ["tracejury_forward", "Forwarding"],
  ["tracejury_journal", "Journal"],
  ["tracejury_runs_unjudged", "Not judged"],
];

function groupsOf(
  samples: readonly Sample[],
): { title: string; lines: { name: string; value: number | null }[] }[] {
  return titles.flatMap(([prefix, title]) => {
    const lines = samples
      .filter(({ name }) => name.startsWith(prefix))
      .map(({ name, labels, value }) => ({ name: lineName(name.slice(prefix.length), labels), value }));
    return lines.length === 0 ? [] : [{ title, lines: lines.slice(0, 40) }];
  });
}

/** Returns the name of a metric with its labels, such as `requests, http traces accepted`. */
function lineName(name: string, labels: Readonly<Record<string, string>>): string {
  const words = name
    .replace(/^_/, "")
    .replace(/_total$/, "")
    .replaceAll("_", " ");
  const values = Object.values(labels).join(" ");
  return values === "" ? words : `${words}, ${values}`;
}

function memoryTile(samples: readonly Sample[]) {
  const value = (name: string): number | null =>
    samples.find((sample) => sample.name === name)?.value ?? null;
  const used = value("tracejury_memory_used_bytes");
  const limit = value("tracejury_memory_limit_bytes");
  if (used === null || limit === null) return null;
  return <Tile title="Memory" value={mebibytes(used)} more={`of ${mebibytes(limit)}`} />;
}

function Tile({ title, value, more = "" }: { title: string; value: string; more?: string }) {
  return (
    <div class="card tile">
      <h2>{title}</h2>
      <p class="figure">{value}</p>
      <p class="quiet">{more}</p>
    </div>
  );
}

function tenths(value: number): string {
  return number(value, 1);
}

function bytesText(bytes: number): string {
  return bytes < 2 ** 20 ? `${number(bytes / 2 ** 10, 1)} KiB` : mebibytes(bytes);
}

function mebibytes(bytes: number): string {
  return `${number(bytes / 2 ** 20, 1)} MiB`;
}

interface Config {
  readonly config: Readonly<Record<string, JsonValue>>;
}

async function loadConfig(): Promise<Config | null> {
  try {
    return await ask<Config>("/api/v1/config");
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

function Configuration() {
  const loading = useLoaded(loadConfig, []);
  return (
    <section class="card" aria-labelledby="config-title">
      <h2 id="config-title">Configuration</h2>
      <p class="quiet">
        The effective values, with masked secrets. <code>tracejury config print</code> also shows their
        sources.
      </p>
      <Loaded from={loading}>
        {(loaded) =>
          loaded === null ? (
            <p>The configuration is not shown here.</p>
          ) : (
            Object.entries(loaded.config).map(([key, value]) => (
              <details key={key}>
                <summary>
                  <code>{key}</code>{" "}
                  <span class="quiet">{typeof value === "object" ? "" : JSON.stringify(value)}</span>
                </summary>
                {isGroup(value) ? (
                  <Facts
                    facts={Object.entries(value).map(([name, one]) => [name, JSON.stringify(one)] as const)}
                  />
                ) : (
                  <pre>{JSON.stringify(value, null, 2)}</pre>
                )}
              </details>
            ))
          )
        }
      </Loaded>
    </section>
  );
}

function isGroup(value: JsonValue): value is Record<string, JsonValue> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
