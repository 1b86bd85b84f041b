import { brief, counted, moments, number, percent } from "../format.ts";
import { useState } from "../hooks.ts";
import { OutcomeMark } from "../parts/outcome.tsx";
import { inRange, runsInRange } from "../parts/time-range.tsx";
import { tableAddress } from "../tables/table-rows.ts";
import type { GroupRow, HomeGroup } from "./home-groups.ts";

const shownReasons = 2;

/**
 * A group of verdicts of one query, or of rows of one table, that the same checks decided. Shows the reason, the frequency, the first
 * occurrence and an example.
 */
export function ProblemRow({ group, of }: { group: HomeGroup; of: number }) {
  const { spec, query_id: id, outcome, checks, verdicts, reasons, example, table, rows } = group;
  const place = rows.find(({ queryId }) => queryId === id);
  const others = verdicts - reasons.slice(0, shownReasons).reduce((all, one) => all + one.verdicts, 0);
  return (
    <li class={`group is-${outcome}`}>
      <OutcomeMark outcome={outcome} />
      <div class="group-query">
        {table === null ? (
          <a class="title cut" href={inRange(queryAddress(spec, id))} title={example.query ?? id}>
            {example.query === null ? id : brief(example.query, 120)}
          </a>
        ) : (
          <a class="title cut" href={inRange(tableAddress(table))} title={table.file}>
            {table.file}
          </a>
        )}
        <div class="sub cut">
          {spec} · {table === null ? id : `e.g. ${id}`}
          {place !== undefined && ` · ${table === null ? `${place.file}:` : "line "}${place.line}`}
        </div>
        {table !== null && <GroupRows spec={spec} rows={rows} />}
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
        <a
          href={
            table === null || rows.length <= mostInAddress
              ? runsInRange(runsAddress(group))
              : inRange(tableAddress(table))
          }
        >
          {number(verdicts)} of {counted(Math.max(of, verdicts), "verdict")}
        </a>
        <div class="sub">{of > 0 && percent(verdicts / Math.max(of, verdicts))}</div>
      </div>
      <div class="group-seen sub">
        {moments(group.first_unix_ms, group.last_unix_ms, Date.now())
          .split(" – ")
          .map((moment, at) => (
            <span key={moment} class="whole">
              {at > 0 ? ` – ${moment}` : moment}
            </span>
          ))}
        <div>
          <a href={`/runs/${encodeURIComponent(example.run_id)}`}>
            example run<span class="hidden"> of {id}</span>
          </a>
        </div>
      </div>
    </li>
  );
}

const rowsAtFirst = 20;

/** The table rows of a group, folded. Each is shown with its line in the file, its query and its latest run. */
function GroupRows({ spec, rows }: { spec: string; rows: readonly GroupRow[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, rowsAtFirst);
  return (
    <details class="group-rows">
      <summary>{counted(rows.length, "row")}</summary>
      <ul>
        {shown.map(({ file, line, queryId, runId }) => (
          <li key={queryId}>
            <a href={inRange(queryAddress(spec, queryId))}>{queryId}</a>{" "}
            <span class="quiet">
              {file}:{line}
            </span>{" "}
            <a href={`/runs/${encodeURIComponent(runId)}`}>
              run<span class="hidden"> of {queryId}</span>
            </a>
          </li>
        ))}
      </ul>
      {rows.length > shown.length && (
        <button type="button" class="plain" onClick={() => setWhole(true)}>
          {counted(rows.length - shown.length, "more row")}
        </button>
      )}
    </details>
  );
}

export function queryAddress(spec: string, id: string): string {
  return `/queries?open=${encodeURIComponent(JSON.stringify([spec, id]))}`;
}

/** Maximum number of queries in a link to Runs. With more, the URL and the list of filters would be too long. */
const mostInAddress = 5;

function runsAddress({ query_id: id, outcome, checks, table, rows }: HomeGroup): string {
  const parameters = new URLSearchParams({ outcome });
  for (const query of table === null ? [id] : rows.map(({ queryId }) => queryId))
    parameters.append("query", query);
  if (checks?.[0] !== undefined) parameters.set("check", checks[0]);
  return `/runs?${parameters.toString()}`;
}
