import { ApiError, ask, useLoaded } from "../api.ts";
import { Loaded } from "../parts/notice.tsx";
import { OutcomeMark } from "../parts/outcome.tsx";
import { parameter, withParameters } from "../route.ts";
import { chosenCheck, Layers } from "./checks.tsx";
import { Conversation } from "./conversation.tsx";
import { RunHeader } from "./header.tsx";
import { History } from "./history.tsx";
import { Labels } from "./labels.tsx";
import { Tools } from "./tools.tsx";
import { Waterfall } from "./waterfall.tsx";
import type { RunJson, SpanJson, VerdictJson } from "../types.ts";

interface Whole {
  readonly run: RunJson;
  readonly spans: readonly SpanJson[];
}

async function loadRun(id: string): Promise<Whole> {
  const path = `/api/v1/runs/${encodeURIComponent(id)}`;
  const [run, spans] = await Promise.all([ask<RunJson>(path), spansOf(path)]);
  return { run, spans };
}

/** Empty where telemetry is not kept. */
async function spansOf(path: string): Promise<readonly SpanJson[]> {
  try {
    return (await ask<{ spans: SpanJson[] }>(`${path}/spans`)).spans;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

/** One run: what came of it, why, and everything it rests on. */
export function RunView({ id }: { id: string }) {
  const loading = useLoaded(() => loadRun(id), [id]);
  return (
    <div class="view run">
      <p class="crumbs">
        <a href="/runs">Runs</a> › <code>{id.slice(0, 24)}…</code>
      </p>
      <Loaded from={loading}>{(whole) => <Run {...whole} />}</Loaded>
    </div>
  );
}

function Run({ run, spans }: Whole) {
  const verdict =
    run.verdicts.find(({ verdict_id }) => verdict_id === parameter("verdict")) ?? run.verdicts[0];
  const check = chosenCheck(verdict);
  return (
    <>
      <RunHeader run={run} verdict={verdict} />
      {run.verdicts.length > 1 && <VerdictChoice verdicts={run.verdicts} chosen={verdict} />}
      <div class="columns">
        <div>
          {verdict === undefined ? (
            <section class="card">
              <h2>Not judged</h2>
              <p>
                No query of a spec claims this run, or more than one does. “Copy as query” makes a query block
                of it.
              </p>
            </section>
          ) : (
            <>
              <Layers verdict={verdict} />
              <History verdict={verdict} />
              <Labels verdict={verdict} />
            </>
          )}
        </div>
        <div>
          <Waterfall
            run={run}
            spans={spans}
            evidence={check === undefined ? null : new Set(check.span_ids)}
          />
          <Tabs run={run} verdict={verdict} />
        </div>
      </div>
    </>
  );
}

const tabs = [
  { id: "conversation", name: "Conversation" },
  { id: "tools", name: "Tools" },
  { id: "attributes", name: "Attributes" },
] as const;

function Tabs({ run, verdict }: { run: RunJson; verdict: VerdictJson | undefined }) {
  const chosen = tabs.find(({ id }) => id === parameter("tab"))?.id ?? "conversation";
  return (
    <section class="tabs">
      <nav aria-label="Parts of the run">
        {tabs.map(({ id, name }) => (
          <a
            key={id}
            href={withParameters({ tab: id === "conversation" ? "" : id })}
            aria-current={id === chosen ? "true" : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      {chosen === "conversation" && <Conversation run={run} />}
      {chosen === "tools" && <Tools run={run} verdict={verdict} />}
      {chosen === "attributes" && <RunAttributes run={run} />}
    </section>
  );
}

function RunAttributes({ run }: { run: RunJson }) {
  const entries = Object.entries(run.attributes);
  if (entries.length === 0)
    return <p class="quiet">None of the attributes that the configuration names are there.</p>;
  return (
    <table class="attributes">
      <caption>Attributes that verdicts carry</caption>
      <tbody>
        {entries.map(([key, value]) => (
          <tr key={key}>
            <th scope="row">{key}</th>
            <td>
              <pre>{typeof value === "string" ? value : JSON.stringify(value)}</pre>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function VerdictChoice(props: { verdicts: readonly VerdictJson[]; chosen: VerdictJson | undefined }) {
  return (
    <nav class="chips" aria-label="Verdicts of this run">
      {props.verdicts.map((one) => (
        <a
          key={one.verdict_id}
          href={withParameters({ verdict: one.verdict_id, check: "" })}
          aria-current={one === props.chosen ? "true" : undefined}
        >
          <OutcomeMark outcome={one.outcome} small /> {one.spec} / {one.query_id}
        </a>
      ))}
    </nav>
  );
}
