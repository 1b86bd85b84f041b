import { ago, brief, money, time, tokens } from "../format.ts";
import { LayerMarks, OutcomeMark } from "../parts/outcome.tsx";
import type { ListedRun } from "../runs.ts";

/** One run as a line of a list: a link to it. */
export function RunRow({ run }: { run: ListedRun }) {
  const [verdict, ...others] = run.verdicts;
  const about = [run.agent, verdict?.query_id, run.models[0]].filter((text) => text != null);
  return (
    <a class="run-row" href={`/runs/${encodeURIComponent(run.run_id)}`}>
      <OutcomeMark outcome={run.outcome} />
      <span class="what">
        <span class="query">
          {run.error !== null && <strong class="run-error">{brief(run.error, 100)} · </strong>}
          {run.query === null ? "(query unknown)" : brief(run.query, 200)}
        </span>
        <span class="quiet">
          {about.join(" · ")}
          {others.length > 0 && ` · ${others.length} more verdicts`}
        </span>
      </span>
      {verdict === undefined ? <span class="layers" /> : <LayerMarks outcomes={verdict.layers} />}
      <span class="figures">
        <span>{time(run.duration_ms)}</span>
        <span>{tokens(run.total_tokens)}</span>
        <span>{money(run.cost_usd)}</span>
        <span class="quiet">{run.seen_unix_ms === null ? "" : ago(run.seen_unix_ms, Date.now())}</span>
      </span>
    </a>
  );
}
