import { brief, counted, moments, number, percent } from "../format.ts";
import { OutcomeMark } from "../parts/outcome.tsx";
import { inRange, runsInRange } from "../parts/time-range.tsx";
import type { ProblemGroup } from "./home-data.ts";

const shownReasons = 2;

/** Verdicts of one query with the same deciding checks: what happened, how often, since when, and one of them. */
export function ProblemRow({ group, of }: { group: ProblemGroup; of: number }) {
  const { spec, query_id: id, outcome, checks, verdicts, reasons, example } = group;
  const others = verdicts - reasons.slice(0, shownReasons).reduce((all, one) => all + one.verdicts, 0);
  return (
    <li class={`group is-${outcome}`}>
      <OutcomeMark outcome={outcome} />
      <div class="group-query">
        <a class="title cut" href={inRange(queryAddress(spec, id))} title={example.query ?? id}>
          {example.query === null ? id : brief(example.query, 120)}
        </a>
        <div class="sub cut">
          {spec} · {id}
        </div>
      </div>
      <div class="group-why">
        <code class="check-name">{checks?.join(" + ") ?? "an older version did not record the check"}</code>
        {reasons.slice(0, shownReasons).map(({ text, verdicts: count }) => (
          <span key={text}>
            {" "}
            {brief(text, 160)}
            {count < verdicts && <span class="quiet"> ×{number(count)}</span>}
          </span>
        ))}
        {reasons.length > 0 && others > 0 && <span class="quiet"> and other texts ×{number(others)}</span>}
      </div>
      <div class="group-count">
        <a href={runsInRange(runsAddress(group))}>
          {number(verdicts)} of {counted(Math.max(of, verdicts), "verdict")}
        </a>
        <div class="sub">{of > 0 && percent(verdicts / Math.max(of, verdicts))}</div>
      </div>
      <div class="group-seen sub">
        {moments(group.first_unix_ms, group.last_unix_ms, Date.now())}
        <div>
          <a href={`/runs/${encodeURIComponent(example.run_id)}`}>
            example run<span class="hidden"> of {id}</span>
          </a>
        </div>
      </div>
    </li>
  );
}

export function queryAddress(spec: string, id: string): string {
  return `/queries?open=${encodeURIComponent(JSON.stringify([spec, id]))}`;
}

function runsAddress({ query_id: id, outcome, checks }: ProblemGroup): string {
  const parameters = new URLSearchParams({ outcome, query: id });
  if (checks?.[0] !== undefined) parameters.set("check", checks[0]);
  return `/runs?${parameters.toString()}`;
}
