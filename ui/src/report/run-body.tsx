import type { ReportCompared, ReportRun } from "../../../src/report/render/html/report-data.ts";
import { CallDiff } from "../parts/call-diff.tsx";
import { OutcomeMark } from "../parts/outcome.tsx";
import { StepBars } from "../parts/step-bars.tsx";
import { ToolTable } from "../parts/tool-table.tsx";
import { outcomes } from "../types.ts";

/** An opened run: its checks, tools, steps and answer. */
export function RunBody({ run }: { run: ReportRun }) {
  const checks = run.checks.toSorted((a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome));
  const facts = [run.source, run.models.join(" + "), run.tokens, `${run.spec} · ${run.id}`, `run ${run.run}`];
  return (
    <div class="open">
      <p class="quiet">{facts.filter((fact) => fact !== "").join(" · ")}</p>
      {run.error !== null && <p class="run-error">error: {run.error}</p>}
      <ul>
        {checks.map((check, at) => (
          <li key={at} class="result">
            <OutcomeMark outcome={check.outcome} small />
            <code>{check.check}</code>
            <span>
              {check.message}
              {check.where !== "" && <span class="quiet"> {check.where}</span>}
              {check.judge !== null && <span class="quiet"> · judge: {check.judge}</span>}
              {check.remedy !== null && <span class="quiet"> → {check.remedy}</span>}
              {check.calls.length > 0 && <CallDiff calls={check.calls} />}
            </span>
          </li>
        ))}
      </ul>
      <div class="halves">
        {run.tools.length > 0 || run.expected !== null ? (
          <ToolTable called={run.tools} expected={run.expected} forbidden={run.forbidden} />
        ) : (
          <p class="quiet">No tool was called.</p>
        )}
        <div class="block">
          <h3>answer</h3>
          <pre>
            {run.answer ?? (run.error === null ? "(not captured)" : "(none: the run ended in an error)")}
          </pre>
          {run.handoffs.length > 0 && <p>hand-offs: {run.handoffs.join(" → ")}</p>}
        </div>
      </div>
      {run.steps.length > 0 && <StepBars steps={run.steps} lengthMs={run.length} />}
      {run.compared !== null && <Baseline compared={run.compared} />}
    </div>
  );
}

function Baseline({ compared: { version, regressed, differences, more } }: { compared: ReportCompared }) {
  const count = differences.length + more;
  return (
    <div class="block">
      <h3>
        baseline {version}: {count === 0 ? "no differences" : `${count} differences`}
        {regressed && ", regressed"}
      </h3>
      <ul>
        {differences.map(([severity, type, message], at) => (
          <li key={at}>
            <span class={severity === "error" && regressed ? "mark fail" : "quiet"}>{type}</span> {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
