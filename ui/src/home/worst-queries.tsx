import { counted, number } from "../format.ts";
import { queryState, tableState } from "../parts/query-state.ts";
import { Rate } from "../parts/rate.tsx";
import { inRange } from "../parts/time-range.tsx";
import { type Folded, foldRows } from "../tables/fold-rows.ts";
import { pooledSums } from "../tables/pooled-sums.ts";
import { fileName, queryKey, type Table, tableAddress } from "../tables/table-rows.ts";
import type { Sums } from "../views/query-data.ts";
import type { HomeData } from "./home-data.ts";
import { queryAddress } from "./problem-row.tsx";

const most = 7;

/** Queries by pass rate, the lowest first, then queries with undecided runs only. Queries without a failed or undecided run are only counted. */
export function WorstQueries({ data }: { data: HomeData }) {
  const sorted = foldRows(data.queries, data.rows, (sums) => sums)
    .map(ofTable)
    .toSorted((a, b) => rank(a.sums) - rank(b.sums) || b.sums.verdicts - a.sums.verdicts);
  const shown = sorted.filter(({ sums }) => !isFaultless(sums)).slice(0, most);
  const more = sorted.length - shown.length;
  const agents = new Set(data.queries.flatMap(({ agents: all }) => all));
  const withoutRun = data.queriesWithoutRun;
  return (
    <section class="panel" aria-labelledby="worst-title">
      <header>
        <h2 id="worst-title">Worst queries</h2>
        <span class="quiet right">pass rate, 95 % interval</span>
      </header>
      {shown.length === 0 ? (
        <p class="body quiet">No query has a failed or undecided run.</p>
      ) : (
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">Query</th>
              <th scope="col">Passed</th>
              <th scope="col" class="num wide-only">
                Runs
              </th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <WorstRow
                key={one.table?.key ?? queryKey(one.sums.spec, one.sums.query_id)}
                {...one}
                withAgent={agents.size > 1}
              />
            ))}
          </tbody>
        </table>
      )}
      {(more > 0 || withoutRun > 0) && (
        <footer>
          {more > 0 && <a href={inRange("/queries")}>{counted(more, "more query", "more queries")}</a>}
          {more > 0 && withoutRun > 0 && " · "}
          {withoutRun > 0 && `${counted(withoutRun, "query", "queries")} of the specs had no run`}
        </footer>
      )}
    </section>
  );
}

/** A query, or all rows of a table. */
interface Worst {
  readonly sums: Sums;
  readonly table: Table | null;
  readonly rowCount: number;
}

function ofTable({ first, table, rows }: Folded<Sums>): Worst {
  const sums = table === null ? first : (pooledSums(rows.map(({ item }) => item)) ?? first);
  return { sums, table, rowCount: rows.length };
}

function WorstRow({ sums, table, rowCount, withAgent }: Worst & { withAgent: boolean }) {
  const { word, glyph, like } = table === null ? queryState(sums.outcomes) : tableState(sums.outcomes);
  return (
    <tr>
      <th scope="row" class="cut">
        {table === null ? (
          <a href={inRange(queryAddress(sums.spec, sums.query_id))} title={sums.spec}>
            {sums.query_id}
          </a>
        ) : (
          <a href={inRange(tableAddress(table))} title={`${sums.spec} · ${table.file}`}>
            {counted(rowCount, "row")} of {fileName(table)}
          </a>
        )}
        {withAgent && <div class="sub cut">{sums.agents.join(", ")}</div>}
      </th>
      <td>
        <Rate rate={sums.pass_rate} interval={sums.pass_rate_interval} outcomes={sums.outcomes} isShort />
      </td>
      <td class="num wide-only">{number(sums.verdicts)}</td>
      <td class={`wrapping ${like === null ? "quiet" : `mark ${like}`}`}>
        {glyph} {word}
      </td>
    </tr>
  );
}

/** Whether each run passed or was skipped. An undecided run does not change the pass rate. */
function isFaultless({ pass_rate: rate, outcomes: { error = 0, incomplete = 0 } }: Sums): boolean {
  return rate === 1 && error + incomplete === 0;
}

function rank({ pass_rate: rate }: Sums): number {
  if (rate === null) return 0.999_999;
  return rate;
}
