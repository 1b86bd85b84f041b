import { brief, counted, money, number, time } from "../format.ts";
import { queryState, type QueryState } from "../parts/query-state.ts";
import { Rate } from "../parts/rate.tsx";
import { parameter, setParameters } from "../route.ts";
import { fileName, type TableRow } from "../tables/table-rows.ts";
import { cleanRate } from "../tables/pooled-sums.ts";
import type { QueryLine, Sums } from "./query-data.ts";
import { QueryDetail } from "./query-detail.tsx";

export function QueryRow({ line, row = null }: { line: QueryLine; row?: TableRow | null }) {
  if (line.sums === null) return null;
  const open = parameter("open") === line.key;
  const place = row === null ? line.spec : `${fileName(row)}:${row.line}`;
  return (
    <>
      <QueryCells
        like={row === null ? "" : " of-table"}
        name={line.id}
        about={`${place} · ${line.text === null ? "no longer in the spec" : brief(line.text, 90)}`}
        open={open}
        onClick={() => setParameters({ open: open ? "" : line.key })}
        sums={line.sums}
        trend={line.trend}
        state={queryState(line.sums.outcomes)}
      />
      {open && (
        <div role="row">
          <div role="cell" aria-colspan={8}>
            <QueryDetail line={line} />
          </div>
        </div>
      )}
    </>
  );
}

interface CellsProps {
  readonly like: string;
  readonly name: string;
  readonly about: string;
  readonly open: boolean;
  readonly onClick: () => void;
  readonly sums: Sums;
  readonly trend: readonly Sums[];
  readonly state: QueryState;
}

/** A row of the table of queries: a query, or all rows of a table. */
export function QueryCells({ like, name, about, open, onClick, sums, trend, state }: CellsProps) {
  return (
    <div role="row" class={`query-row${like}`}>
      <span role="cell">
        <button type="button" class="plain name" aria-expanded={open} onClick={onClick}>
          {name}
        </button>
        <span class="quiet">{about}</span>
      </span>
      <span role="cell">
        <Rate rate={sums.pass_rate} interval={sums.pass_rate_interval} outcomes={sums.outcomes} />
      </span>
      <span role="cell" data-label="Runs">
        {counted(sums.verdicts, "run")}
      </span>
      <span role="cell" class="over-time">
        <Trend trend={trend} />
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
        {state.glyph} {state.word}
      </span>
    </div>
  );
}

const width = 90;
const height = 24;

/**
 * The pass rate over time as a small line. A dashed line shows the rate of runs that passed without warnings. If there is only one point,
 * it is a dot.
 */
function Trend({ trend }: { trend: readonly Sums[] }) {
  const points = trend.flatMap(({ pass_rate: rate }) => (rate === null ? [] : [rate]));
  const clean = trend.flatMap((sums) => cleanRate(sums) ?? []);
  const withWarnings = points.filter((rate, at) => rate !== clean[at]).length;
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
      aria-label={`pass rate in ${points.length} steps${withWarnings === 0 ? "" : `, ${withWarnings} with warnings`}`}
    >
      {withWarnings > 0 && (
        <polyline class="warned" points={clean.map((rate, at) => `${x(at)},${y(rate)}`).join(" ")} />
      )}
      <polyline points={points.map((rate, at) => `${x(at)},${y(rate)}`).join(" ")} />
      <circle cx={x(points.length - 1)} cy={y(last)} r="3" />
    </svg>
  );
}
