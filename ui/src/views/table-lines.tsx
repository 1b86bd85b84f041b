import { counted } from "../format.ts";
import { useState } from "../hooks.ts";
import { tableState } from "../parts/query-state.ts";
import { parameter, setParameters } from "../route.ts";
import { foldRows, type RowItem } from "../tables/fold-rows.ts";
import { pooledSums, pooledTrend } from "../tables/pooled-sums.ts";
import { queryKey, type Table, tableOf, type TableRows } from "../tables/table-rows.ts";
import { type QueryData, type QueryLine, type Sums, worstFirst } from "./query-data.ts";
import { QueryCells, QueryRow } from "./query-row.tsx";

/** A line of the list of queries: a single query, or a table with its rows. The worst row is first. */
interface ListLine {
  readonly line: QueryLine;
  readonly sums: Sums | null;
  readonly table: Table | null;
  readonly rows: readonly RowItem<QueryLine>[];
}

/** Returns the lines by pass rate, the lowest first. Queries that are rows of one table are combined into one line. */
export function linesOf(lines: readonly QueryLine[], rows: TableRows): readonly ListLine[] {
  return foldRows(lines, rows, ({ spec, id }) => ({ spec, query_id: id }))
    .map(({ first, ...folded }) => ({
      ...folded,
      line: first,
      sums:
        folded.table === null ? first.sums : pooledSums(folded.rows.flatMap(({ item }) => item.sums ?? [])),
    }))
    .sort(worstFirst);
}

const shownAtFirst = 20;

interface TableProps {
  readonly table: Table;
  readonly rows: readonly RowItem<QueryLine>[];
  readonly sums: Sums | null;
  /** Rows of the table that had no run. */
  readonly missing: readonly QueryLine[];
  readonly data: QueryData;
}

/** All rows of a table as one row, which can be unfolded. */
export function TableLines({ table, rows, sums, missing, data }: TableProps) {
  const [isWhole, setWhole] = useState(false);
  if (sums === null) return null;
  const wanted = parameter("open");
  const at = rows.findIndex(({ item }) => item.key === wanted);
  const open = wanted === table.key || at >= 0 || parameter("table") === table.key;
  const shown = isWhole ? rows : rows.slice(0, Math.max(shownAtFirst, at + 1));
  return (
    <>
      <QueryCells
        like=""
        name={table.file}
        about={`${table.spec} · ${rowWords(rows, missing.filter((line) => isOf(table, line, data)).length)}`}
        open={open}
        onClick={() => setParameters({ open: open ? "" : table.key, table: "" })}
        sums={sums}
        trend={pooledTrend(rows.flatMap(({ item }) => item.trend))}
        state={tableState(sums.outcomes)}
      />
      {open && shown.map(({ item, row }) => <QueryRow key={item.key} line={item} row={row} />)}
      {open && rows.length > shown.length && (
        <div role="row" class="query-row of-table">
          <span role="cell">
            <button type="button" class="plain" onClick={() => setWhole(true)}>
              {counted(rows.length - shown.length, "more row")}
            </button>
          </span>
        </div>
      )}
    </>
  );
}

function isOf(table: Table, { spec, id }: QueryLine, { rows }: QueryData): boolean {
  const row = rows.get(queryKey(spec, id));
  return row !== undefined && tableOf(spec, row).key === table.key;
}

/** Returns a text such as `247 of 300 rows passed every run, 12 more had no run`. */
function rowWords(rows: readonly RowItem<QueryLine>[], withoutRun: number): string {
  const passed = rows.filter(({ item }) => item.sums?.pass_rate === 1).length;
  return `${passed} of ${counted(rows.length, "row")} passed every run${
    withoutRun === 0 ? "" : `, ${withoutRun} more had no run`
  }`;
}
