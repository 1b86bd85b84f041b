import { brief, moment, money, number, time } from "../format.ts";
import { useState } from "../hooks.ts";
import { OutcomeMark } from "../parts/outcome.tsx";
import type { RunJson, VerdictJson } from "../types.ts";
import { Actions } from "./actions.tsx";
import { Facts } from "./step-detail.tsx";

const longest = 400;

/** What was asked, what came of it, and the figures. */
export function RunHeader({ run, verdict }: { run: RunJson; verdict: VerdictJson | undefined }) {
  return (
    <header class="run-header">
      <div class="headline">
        <OutcomeMark outcome={verdict?.outcome ?? null} />
        {verdict?.hard_fail === true && <span class="mark fail">hard fail</span>}
        <h1>{run.query === null ? "(query unknown)" : brief(run.query, 300)}</h1>
      </div>
      {run.error != null && (
        <p class="run-error">
          <strong>Error:</strong> {brief(run.error, 2000)}
        </p>
      )}
      {run.answer === null ? <p class="quiet">{noAnswer(run)}</p> : <Answer text={run.answer} />}
      <Facts
        facts={[
          [
            "agent",
            run.final_agent === null || run.final_agent === run.agent
              ? run.agent
              : `${run.agent} → ${run.final_agent}`,
          ],
          [
            "query",
            verdict === undefined ? null : `${verdict.spec} / ${verdict.query_id} (${verdict.match.how})`,
          ],
          ["took", time(run.duration_ms)],
          ["tokens", number(run.total_tokens)],
          ["cost", money(run.cost_usd)],
          ["model calls", number(run.llm_calls)],
          ["tool calls", number(run.tools.length)],
          ["models", run.models.join(", ")],
          ["service", run.service],
          ["began", moment(run.start_unix_ms)],
          ["closed as", run.complete ? run.close_reason : `${run.close_reason}, incomplete`],
          ["read as", run.dialects.join(", ")],
          ...(run.conversation_id === null ? [] : [["conversation", run.conversation_id] as const]),
          ["trace", run.trace_id],
        ]}
      />
      {run.missing.length > 0 && (
        <details>
          <summary>What this telemetry could not tell ({run.missing.length})</summary>
          <ul>
            {run.missing.map(({ what, why }) => (
              <li key={what}>
                <strong>{what}</strong>: {why}
              </li>
            ))}
          </ul>
        </details>
      )}
      <Actions run={run} verdict={verdict} />
    </header>
  );
}

function noAnswer({ status }: RunJson): string {
  return status === "error" ? "The run ended in an error and gave no answer." : "No answer is known.";
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
