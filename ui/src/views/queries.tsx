import { useLoaded } from "../api.ts";
import { brief, counted, money, number, time } from "../format.ts";
import { useEvery, useState } from "../hooks.ts";
import { Empty, Loaded } from "../parts/notice.tsx";
import { queryState } from "../parts/query-state.ts";
import { Rate } from "../parts/rate.tsx";
import { parameter, setParameters } from "../route.ts";
import { timeRange } from "../parts/time-range.tsx";
import { loadQueries, type QueryData, type QueryLine } from "./query-data.ts";
import { QueryDetail } from "./query-detail.tsx";
import { Unmatched } from "./unmatched.tsx";

/** What each query of the specs came to. */
export function QueriesView() {
  const range = timeRange();
  const [tick, setTick] = useState(0);
  useEvery(15_000, () => setTick(tick + 1), [tick]);
  const loading = useLoaded(() => loadQueries(range), [range.since, range.until, tick]);
  return (
    <section class="view queries">
      <div class="headline">
        <h1>Queries</h1>
      </div>
      <Loaded from={loading}>{(data) => (data === null ? <NoSums /> : <Queries data={data} />)}</Loaded>
    </section>
  );
}

export function NoSums() {
  return (
    <Empty title="Nothing is kept to add up">
      <p>
        This collector keeps only the last verdicts, because there is no SQLite: use Node 22.13 or newer, or{" "}
        <code>npm install @photostructure/sqlite</code>, and start it again.
      </p>
    </Empty>
  );
}

function Queries({ data }: { data: QueryData }) {
  const judged = data.lines.filter(({ sums }) => sums !== null);
  const missing = data.lines.filter(({ sums }) => sums === null);
  return (
    <>
      {judged.length === 0 ? (
        <Empty title="No query was judged in this time">
          <p>
            Choose a longer time, or see <a href="/runs">Runs</a> for how to send runs here.
          </p>
        </Empty>
      ) : (
        <div class="query-table" role="table" aria-label="Queries, lowest pass rate first">
          <div role="row" class="query-row head">
            {["Query", "Pass rate", "Runs", "Trend", "Took", "Cost", "Tokens", "Stability"].map((name) => (
              <span key={name} role="columnheader">
                {name}
              </span>
            ))}
          </div>
          {judged.map((line) => (
            <QueryRow key={line.key} line={line} />
          ))}
        </div>
      )}
      {missing.length > 0 && (
        <details class="card coverage">
          <summary>
            Coverage: {judged.length} of {data.lines.length} queries were seen; {missing.length} were not
          </summary>
          <ul>
            {missing.map(({ key, spec, id, text }) => (
              <li key={key}>
                <strong>
                  {spec} / {id}
                </strong>{" "}
                <span class="quiet">{text === null ? "" : brief(text, 120)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      <Unmatched runs={data.unjudged} />
    </>
  );
}

function QueryRow({ line }: { line: QueryLine }) {
  const { sums } = line;
  if (sums === null) return null;
  const open = parameter("open") === line.key;
  return (
    <>
      <div role="row" class="query-row">
        <span role="cell">
          <button
            type="button"
            class="plain name"
            aria-expanded={open}
            onClick={() => setParameters({ open: open ? "" : line.key })}
          >
            {line.id}
          </button>
          <span class="quiet">
            {line.spec}
            {line.text === null ? "" : ` · ${brief(line.text, 90)}`}
          </span>
        </span>
        <span role="cell">
          <Rate rate={sums.pass_rate} interval={sums.pass_rate_interval} />
        </span>
        <span role="cell" data-label="Runs">
          {counted(sums.verdicts, "run")}
        </span>
        <span role="cell">
          <Trend line={line} />
        </span>
        <span role="cell" data-label="Took">
          {time(sums.mean_duration_ms)}
        </span>
        <span role="cell" data-label="Cost">
          {money(sums.mean_cost_usd)}
        </span>
        <span role="cell" data-label="Tokens">
          {number(sums.mean_tokens)}
        </span>
        <span role="cell" class="quiet">
          {queryState(sums.outcomes).glyph} {queryState(sums.outcomes).word}
        </span>
      </div>
      {open && <QueryDetail line={line} />}
    </>
  );
}

const width = 90;
const height = 24;

/** Pass rate over time as a small line; a dot where there is only one moment. */
function Trend({ line }: { line: QueryLine }) {
  const points = line.trend.flatMap(({ pass_rate: rate }) => (rate === null ? [] : [rate]));
  const y = (rate: number): number => 3 + (1 - rate) * (height - 6);
  const x = (at: number): number => 3 + (at / Math.max(1, points.length - 1)) * (width - 6);
  const last = points.at(-1);
  if (last === undefined) return <span class="quiet">–</span>;
  return (
    <svg
      class="trend"
      width={width}
      height={height}
      role="img"
      aria-label={`pass rate in ${points.length} steps`}
    >
      <polyline points={points.map((rate, at) => `${x(at)},${y(rate)}`).join(" ")} />
      <circle cx={x(points.length - 1)} cy={y(last)} r="3" />
    </svg>
  );
}
