import { useLoaded } from "../api.ts";
import { useMemo, useState } from "../hooks.ts";
import { Loaded } from "../parts/notice.tsx";
import { OutcomeMark } from "../parts/outcome.tsx";
import { parameter, withParameters } from "../route.ts";
import { useVerdictEvents } from "../runs/verdict-events.ts";
import { chosenCheck, Layers } from "./checks.tsx";
import { Conversation } from "./conversation.tsx";
import { loadRun, type WholeRun } from "./load-run.ts";
import { RunHeader } from "./header.tsx";
import { History } from "./history.tsx";
import { Labels } from "./labels.tsx";
import { Tools } from "./tools.tsx";
import { StepDetail } from "./step-detail.tsx";
import { stepsOf } from "./steps.ts";
import { WithoutVerdict } from "./without-verdict.tsx";
import { Waterfall } from "./waterfall.tsx";
import { LastPassLink } from "../side-by-side/last-pass.tsx";
import type { RunJson, VerdictJson } from "../types.ts";

/** One run: its result, the reasons, and the evidence. The view loads the run again when the run is judged again. */
export function RunView({ id }: { id: string }) {
  const [changes, setChanges] = useState(0);
  const loading = useLoaded(() => loadRun(id), [id, changes]);
  useVerdictEvents((runIds) => {
    if (runIds.has(id)) setChanges((count) => count + 1);
  }, id);
  return (
    <div class="view run">
      <p class="crumbs">
        <a href="/runs">Runs</a> › <code>{id.slice(0, 16)}…</code>
      </p>
      <Loaded from={loading}>{(whole) => <Run {...whole} />}</Loaded>
    </div>
  );
}

function Run({ run, spans }: WholeRun) {
  const verdict =
    run.verdicts.find(({ verdict_id }) => verdict_id === parameter("verdict")) ?? run.verdicts[0];
  const chosen = chosenCheck(verdict);
  const tab = tabs.find(({ id }) => id === parameter("tab"))?.id ?? "steps";
  const steps = useMemo(
    () => stepsOf(run, spans, chosen?.check),
    [run, spans, chosen?.id, parameter("step"), parameter("show")],
  );
  return (
    <>
      <RunHeader run={run} verdict={verdict}>
        {verdict !== undefined && <LastPassLink verdict={verdict} />}
      </RunHeader>
      {run.verdicts.length > 1 && <VerdictChoice verdicts={run.verdicts} chosen={verdict} />}
      <div class={`run-grid${tab === "steps" && steps.chosen !== undefined ? " with-detail" : ""}`}>
        <div class="checks">
          {verdict === undefined ? (
            <WithoutVerdict runId={run.run_id} />
          ) : (
            <>
              <Layers verdict={verdict} run={run} />
              <History verdict={verdict} />
              <Labels verdict={verdict} />
            </>
          )}
        </div>
        <div class="steps-panel">
          <Tabs run={run} chosen={tab} />
          {tab === "steps" && (
            <Waterfall
              steps={steps}
              spans={spans}
              check={chosen === undefined ? null : { id: chosen.id, name: chosen.check.check }}
            />
          )}
          {tab === "conversation" && <Conversation run={run} />}
          {tab === "tools" && <Tools run={run} verdict={verdict} />}
          {tab === "attributes" && <RunAttributes run={run} />}
        </div>
        {tab === "steps" && <StepDetail run={run} steps={steps} spans={spans} />}
      </div>
    </>
  );
}

const tabs = [
  { id: "steps", name: "Steps", count: (run: RunJson) => run.steps.length },
  { id: "conversation", name: "Messages", count: (run: RunJson) => run.messages.length },
  { id: "tools", name: "Tools", count: (run: RunJson) => run.tools.length },
  { id: "attributes", name: "Attributes", count: (run: RunJson) => Object.keys(run.attributes).length },
] as const;

function Tabs({ run, chosen }: { run: RunJson; chosen: string }) {
  return (
    <nav class="tabs" aria-label="Parts of the run">
      {tabs.map(({ id, name, count }) => (
        <a
          key={id}
          href={withParameters({ tab: id === "steps" ? "" : id })}
          aria-current={id === chosen ? "true" : undefined}
        >
          {name} <span class="quiet">{count(run)}</span>
        </a>
      ))}
    </nav>
  );
}

function RunAttributes({ run }: { run: RunJson }) {
  const entries = Object.entries(run.attributes);
  if (entries.length === 0) return <p class="quiet">The run has none of the configured attributes.</p>;
  return (
    <table class="attributes">
      <caption>Attributes in the verdicts</caption>
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
          href={withParameters({ verdict: one.verdict_id, check: "", step: "" })}
          aria-current={one === props.chosen ? "true" : undefined}
        >
          <OutcomeMark outcome={one.outcome} small /> {one.spec} / {one.query_id}
        </a>
      ))}
    </nav>
  );
}
