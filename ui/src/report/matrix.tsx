import type { ReportRun } from "../../../src/report/render/html/report-data.ts";
import { useMemo, useState } from "../hooks.ts";
import { OutcomeMark } from "../parts/outcome.tsx";
import { columnOf, type RateCell, rateTable, splits } from "./rates.ts";

/** Selects the verdicts of one cell of the table. */
export interface CellFilter {
  readonly spec: string;
  readonly id: string;
  /** Name of the column; null to select the complete row. */
  readonly column: string | null;
  readonly by: string;
}

export function isInCell(run: ReportRun, { spec, id, column, by }: CellFilter): boolean {
  return run.spec === spec && run.id === id && (column === null || columnOf(run, by) === column);
}

const mostRows = 200;

/** Pass rates by query and by model, agent or attribute. A click on a cell filters the list of verdicts. */
export function Matrix({ runs, onCell }: { runs: readonly ReportRun[]; onCell: (cell: CellFilter) => void }) {
  const [by, setBy] = useState("model");
  const names = useMemo(() => splits(runs), [runs]);
  const { columns, moreColumns, rows } = useMemo(() => rateTable(runs, by), [runs, by]);
  return (
    <section class="panel" aria-labelledby="rates-title">
      <header>
        <h2 id="rates-title">Pass rate by query and {by}</h2>
        <span class="quiet">
          each cell with its number of decided runs · a click on a cell filters the list below
        </span>
        <span class="right">
          by{" "}
          <select aria-label="Split by" value={by} onChange={(event) => setBy(event.currentTarget.value)}>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </span>
      </header>
      <div class="scroll" role="group" aria-label="Table of pass rates" tabIndex={0}>
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Query</th>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">all</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, mostRows).map(({ spec, id, cells, all }) => (
              <tr key={`${spec}\n${id}`}>
                <th scope="row">
                  {id} <span class="quiet">{spec}</span>
                </th>
                {columns.map((column) => (
                  <Cell
                    key={column}
                    cell={cells.get(column)}
                    name={`${id}, ${column}`}
                    onChoose={() => onCell({ spec, id, column, by })}
                  />
                ))}
                <Cell cell={all} name={id} onChoose={() => onCell({ spec, id, column: null, by })} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {(moreColumns > 0 || rows.length > mostRows) && (
        <footer class="quiet">
          {moreColumns > 0 && `${moreColumns} more columns with fewer runs. `}
          {rows.length > mostRows && `${rows.length - mostRows} more queries, none with a lower pass rate.`}
        </footer>
      )}
    </section>
  );
}

function Cell(props: { cell: RateCell | undefined; name: string; onChoose: () => void }) {
  const { cell, name, onChoose } = props;
  if (cell === undefined) return <td class="quiet">·</td>;
  const rate = cell.rate === null ? "–" : `${Math.round(cell.rate * 100)} %`;
  const behind = cell.decided === 0 ? cell.total : cell.decided;
  return (
    <td class={cell.worst === "fail" ? "cell-bad" : ""}>
      <button type="button" class="plain" onClick={onChoose}>
        <span class="hidden">{name}: </span>
        <OutcomeMark outcome={cell.worst} small /> {rate} <span class="quiet">{behind}</span>
        {(cell.counts.warn ?? 0) > 0 && <span class="quiet"> ({cell.counts.warn} with warnings)</span>}
      </button>
    </td>
  );
}
