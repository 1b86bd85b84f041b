import { brief, clock, money, number, time } from "../format.ts";
import { ExpectedFail, OutcomeMark } from "../parts/outcome.tsx";
import type { ListedRun } from "./listed-run.ts";
import { whyWithoutReason } from "./without-reason.tsx";

export const columns = ["Outcome", "Query", "Why", "Model", "Took", "Tokens", "Cost", "Began"] as const;

interface RunRowProps {
  readonly run: ListedRun;
  /** Whether the row shows the agent, because the list has runs of several agents. */
  readonly withAgent?: boolean;
  /** Whether the store has no reason why the run has no verdict. */
  readonly isWithoutReason?: boolean;
}

/** A row of the list of runs, which links to the run. */
export function RunRow({ run, withAgent = false, isWithoutReason = false }: RunRowProps) {
  const why = reasonOf(run, isWithoutReason);
  return (
    <a class="run-row" href={`/runs/${encodeURIComponent(run.run_id)}`} data-row>
      <span class="c-outcome">
        <OutcomeMark outcome={run.outcome} />
        {run.verdicts.some((verdict) => verdict.expected_fail) && <ExpectedFail />}
      </span>
      <span class="c-query cut">
        {run.query === null ? "(query unknown)" : brief(run.query, 200)}
        {withAgent && <span class="agent quiet"> {run.agent ?? "agent unknown"}</span>}
      </span>
      <span class="c-why cut" title={why.text}>
        {why.text}
        {why.more > 0 && <span class="quiet"> +{why.more}</span>}
      </span>
      <span class="c-model cut quiet">{run.models.length === 0 ? "–" : run.models.join(", ")}</span>
      <span class="num">{time(run.duration_ms)}</span>
      <span class="num c-tokens">{number(run.total_tokens)}</span>
      <span class="num">{money(run.cost_usd)}</span>
      <span class="num quiet c-began">{run.start_unix_ms === null ? "–" : clock(run.start_unix_ms)}</span>
    </a>
  );
}

/**
 * Returns the reason why a run did not pass (the first reason of its worst verdict), and the number of further reasons. The text is empty
 * if the run passed.
 */
function reasonOf(
  { verdicts, outcome, error }: ListedRun,
  isWithoutReason: boolean,
): { text: string; more: number } {
  if (outcome === null)
    return { text: error ?? (isWithoutReason ? whyWithoutReason : "matches no query, or several"), more: 0 };
  const reasons = (verdicts.find((verdict) => verdict.outcome === outcome)?.reasons ?? []).filter(
    (reason) => reason.outcome === outcome,
  );
  const [first] = reasons;
  // The run's error comes first, because it is the cause of the other reasons.
  if (error !== null && outcome !== "pass" && first?.message.includes(error.slice(0, 40)) !== true)
    return { text: brief(error, 200), more: reasons.length };
  return {
    text: first === undefined ? "" : brief(first.message, 200),
    more: Math.max(0, reasons.length - 1),
  };
}
