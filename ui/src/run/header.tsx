import type { ComponentChildren } from "preact";
import { isDetail } from "../../../src/report/render/commands/run-tree.ts";
import { brief, moment, money, number, time } from "../format.ts";
import { useState } from "../hooks.ts";
import { ExpectedFail, OutcomeMark } from "../parts/outcome.tsx";
import type { RunJson, VerdictJson } from "../types.ts";
import { Actions } from "./actions.tsx";

const longest = 400;

interface RunHeaderProps {
  readonly run: RunJson;
  readonly verdict: VerdictJson | undefined;
  readonly children?: ComponentChildren;
}

/** The query, the result, and figures such as cost and duration of the run. */
export function RunHeader({ run, verdict, children }: RunHeaderProps) {
  const agents =
    run.final_agent === null || run.final_agent === run.agent
      ? run.agent
      : `${run.agent} → ${run.final_agent}`;
  return (
    <header class="run-header">
      <div class="headline">
        <OutcomeMark outcome={verdict?.outcome ?? null} />
        {verdict?.hard_fail === true && verdict.outcome !== "fail" && (
          <span
            class="mark fail"
            title="A failed correctness check or a forbidden tool fails the run, whatever the severity"
          >
            fails the run
          </span>
        )}
        {verdict?.expected_fail === true && <ExpectedFail />}
        <h1>{run.query === null ? "(query unknown)" : brief(run.query, 300)}</h1>
        <Actions run={run} verdict={verdict}>
          {children}
        </Actions>
      </div>
      {run.error != null && (
        <p class="run-error">
          <strong>Error:</strong> {brief(run.error, 2000)}
        </p>
      )}
      {run.answer === null ? <p class="quiet">{noAnswer(run)}</p> : <Answer text={run.answer} />}
      <div class="fact-line">
        <span>
          <strong>{agents ?? "agent unknown"}</strong>
          {verdict !== undefined && ` · ${verdict.spec} / ${verdict.query_id}`}
        </span>
        {run.models.length > 0 && <span>{run.models.join(", ")}</span>}
        <strong>{time(run.duration_ms)}</strong>
        <Figure value={run.total_tokens} unit="token" />
        <strong>{money(run.cost_usd)}</strong>
        <Figure value={run.llm_calls} unit="model call" />
        <Figure value={run.tools.length} unit="tool call" />
        <span>{moment(run.start_unix_ms)}</span>
        <Identifiers run={run} verdict={verdict} />
        <Unknown entries={run.missing.filter((entry) => !isDetail(entry))}>What this telemetry lacks</Unknown>
        <Unknown entries={run.missing.filter(isDetail)}>Details that the telemetry lacks</Unknown>
      </div>
    </header>
  );
}

interface UnknownProps {
  readonly entries: RunJson["missing"];
  readonly children: string;
}

/** The unknown values of a run, with the reason for each, under a heading; nothing if there are none. */
function Unknown({ entries, children }: UnknownProps) {
  if (entries.length === 0) return null;
  return (
    <details>
      <summary>
        {children} ({entries.length})
      </summary>
      <ul class="bullets">
        {entries.map(({ what, why }) => (
          <li key={what}>
            <strong>{what}</strong>: {why}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Figure({ value, unit }: { value: number | null; unit: string }) {
  return (
    <span>
      <strong>{number(value)}</strong> {unit}
      {value !== 1 && "s"}
    </span>
  );
}

function matchedBy({ how, unknown_id: id }: VerdictJson["match"]): string {
  return id === undefined ? how : `${how}; the run names query ${id}, which the spec does not have`;
}

function Identifiers({ run, verdict }: { run: RunJson; verdict: VerdictJson | undefined }) {
  const version = run.attributes["service.version"];
  const facts: readonly (readonly [name: string, value: string | null])[] = [
    ["run", run.run_id],
    ["trace", run.trace_ids.join(", ")],
    ["conversation", run.conversation_id],
    ["service", run.service],
    ["version", typeof version === "string" ? version : null],
    ["read as", run.dialects.join(", ")],
    ["closed as", run.complete ? run.close_reason : `${run.close_reason}, incomplete`],
    ["matched", verdict === undefined ? null : matchedBy(verdict.match)],
    ["verdict", verdict === undefined ? null : `${verdict.verdict_id}, revision ${verdict.revision}`],
  ];
  return (
    <details class="ids">
      <summary>Identifiers and source</summary>
      <dl>
        {facts
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </details>
  );
}

function noAnswer({ status }: RunJson): string {
  return status === "error"
    ? "The run ended in an error. The telemetry has no answer."
    : "The answer is unknown.";
}

function Answer({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  return (
    <div class="answer">
      <p>{whole || text.length <= longest ? text : `${text.slice(0, longest)}…`}</p>
      {text.length > longest && (
        <button type="button" class="plain" onClick={() => setWhole(!whole)}>
          {whole ? "less" : "all of it"}
        </button>
      )}
    </div>
  );
}
