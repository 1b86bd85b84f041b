import { useLoaded } from "../api.ts";
import { counted } from "../format.ts";
import { useEffect, useEvery, useState } from "../hooks.ts";
import { Loaded } from "../parts/notice.tsx";
import { PointingLines } from "../views/pointing.tsx";
import {
  readCollector,
  type Reading,
  refusedRequests,
  type SpansWithoutAgent,
  sumOf,
} from "./collector-status.ts";

/** Shown before the first run. Shows where to send telemetry, and which steps are done. */
export function Waiting({ onRun }: { onRun: () => void }) {
  const [tick, setTick] = useState(0);
  useEvery(1_000, () => setTick((before) => before + 1), []);
  const loading = useLoaded(readCollector, [tick]);
  const runs = loading.state === "ready" ? (loading.value.status.store?.["runs"] ?? 0) : 0;
  useEffect(() => {
    if (runs > 0) onRun();
  }, [runs]);
  return (
    <>
      <div class="headline">
        <h1>{headingOf(loading.state === "ready" ? loading.value : null)}</h1>
        <p class="quiet">This page updates automatically.</p>
      </div>
      {loading.state === "ready" && <WithoutAgent groups={agentless(loading.value)} />}
      <div class="two">
        <PointingLines />
        <section class="panel" aria-labelledby="so-far-title">
          <header>
            <h2 id="so-far-title">What has happened so far</h2>
          </header>
          <Loaded from={loading}>{(reading) => <Progress reading={reading} />}</Loaded>
        </section>
      </div>
    </>
  );
}

function headingOf(reading: Reading | null): string {
  if (reading === null || receivedSpans(reading) === 0) return "Listening. No span has arrived yet.";
  const without = spansOf(agentless(reading));
  if (without > 0) return withoutAgentWords(without);
  return "Spans have arrived. Their run is judged when it is complete.";
}

function receivedSpans({ samples }: Reading): number {
  return sumOf(samples, "tracejury_receiver_accepted_spans_total");
}

function agentless({ status }: Reading): readonly SpansWithoutAgent[] {
  return status.spans_without_agent ?? [];
}

function spansOf(groups: readonly SpansWithoutAgent[]): number {
  return groups.reduce((sum, { spans }) => sum + spans, 0);
}

function withoutAgentWords(spans: number): string {
  return spans === 1 ? "1 received span belongs to no agent" : `${spans} received spans belong to no agent`;
}

const mostNamed = 5;

/** Shows spans that belong to no agent: what is missing in them, and what to do. */
function WithoutAgent({ groups }: { groups: readonly SpansWithoutAgent[] }) {
  if (groups.length === 0) return null;
  const more = groups.length - mostNamed;
  return (
    <div class="notice" role="status">
      <ul>
        {groups.slice(0, mostNamed).map(({ service, kind, scope, spans }) => (
          <li key={JSON.stringify([service, kind, scope])}>
            {counted(spans, "span")} of {service === null ? "no named service" : `service ${service}`}: {kind}
            {scope !== "" && `, scope ${scope}`}
          </li>
        ))}
        {more > 0 && <li>{more} more</li>}
      </ul>
      <p>
        {spansOf(groups) === 1 ? "It is not" : "None of them is"} an agent, a model call or a tool call.
        Switch on the instrumentation of the agent's framework in that service, as in the example below.
      </p>
      <p>
        Then check what the agent sends: <code>tracejury doctor {window.location.origin}</code>
      </p>
    </div>
  );
}

function Progress({ reading }: { reading: Reading }) {
  const { status, samples } = reading;
  const { listening, specs } = status;
  const spans = receivedSpans(reading);
  const refused = refusedRequests(samples);
  const queries = specs.reduce((all, spec) => all + spec.queries, 0);
  const addresses = [
    listening?.http == null ? "" : `OTLP/HTTP ${listening.http}`,
    listening?.grpc == null ? "" : `OTLP/gRPC ${listening.grpc}`,
  ].filter((text) => text !== "");
  return (
    <ul class="facts-list">
      <Fact done title="Receivers listen" more={addresses.join(" · ")} />
      <Fact
        done={specs.length > 0}
        title={`${counted(specs.length, "spec is", "specs are")} loaded, ${counted(queries, "query", "queries")}`}
        more={
          specs.length > 0
            ? specs.map(({ name }) => name).join(", ")
            : "Runs are stored, and judged when there is a spec."
        }
      />
      <Fact
        done={spans > 0}
        title={spans > 0 ? `${counted(spans, "span")} received` : "No span yet"}
        more={
          refused.length === 0
            ? "0 requests refused"
            : refused.map(({ why, requests }) => `${counted(requests, "request")} refused: ${why}`).join("; ")
        }
      />
      <Fact
        done={status.open_traces > 0}
        title={`${counted(status.open_traces, "trace")} open`}
        more="A trace is judged some seconds after its root span ended."
      />
    </ul>
  );
}

function Fact({ done, title, more }: { done: boolean; title: string; more: string }) {
  return (
    <li>
      <span class={done ? "mark pass" : "mark"} aria-hidden="true">
        {done ? "✓" : "○"}
      </span>
      <div>
        <strong>{title}</strong>
        <p class="quiet">{more}</p>
      </div>
    </li>
  );
}
