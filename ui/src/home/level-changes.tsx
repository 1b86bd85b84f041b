import { ApiError, ask, useLoaded } from "../api.ts";
import { counted } from "../format.ts";
import { inRange } from "../parts/time-range.tsx";
import { type Folded, foldRows } from "../tables/fold-rows.ts";
import { fileName, type Table, tableAddress, useTableRows } from "../tables/table-rows.ts";
import { queryAddress } from "./problem-row.tsx";

/** The shown fields of `/api/v1/level-changes`. */
interface LevelChange {
  readonly change_id: string;
  readonly spec: string;
  readonly query_id: string;
  readonly measure: string;
  readonly worse: boolean;
  readonly text: string;
}

const shownAtFirst = 5;

/**
 * Lasting changes in queries during the last 30 days; nothing if there are none. Rows of one table with the same change are folded into one
 * line.
 */
export function LevelChanges({ tick }: { tick: number }) {
  const loading = useLoaded(loadChanges, [tick]);
  const tableRows = useTableRows();
  if (loading.state !== "ready" || loading.value.length === 0) return null;
  const changes = loading.value;
  const folded = foldRows(
    changes,
    tableRows,
    (change) => change,
    ({ measure, worse }) => `${measure} ${worse}`,
  );
  const rest = folded.slice(shownAtFirst);
  return (
    <section class="panel" aria-labelledby="levels-title">
      <header>
        <h2 id="levels-title">Since when</h2>
        <span class="quiet">{counted(changes.length, "lasting change")} in 30 days</span>
      </header>
      <ChangeTable changes={folded.slice(0, shownAtFirst)} />
      {rest.length > 0 && (
        <details class="more-groups">
          <summary>{counted(rest.length, "more change", "more changes")}</summary>
          <ChangeTable changes={rest} />
        </details>
      )}
    </section>
  );
}

/** Resolves to the changes; empty if the collector stores only the newest runs and verdicts, in memory. */
async function loadChanges(): Promise<readonly LevelChange[]> {
  try {
    const { changes } = await ask<{ changes: LevelChange[] }>("/api/v1/level-changes", {
      parameters: { since: "30d" },
    });
    return changes;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

function ChangeTable({ changes }: { changes: readonly Folded<LevelChange>[] }) {
  return (
    <table class="rows levels">
      <thead>
        <tr>
          <th scope="col">Query</th>
          <th scope="col">What changed, and when</th>
          <th scope="col">Verdict</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ first, table, rows }) => (
          <tr key={first.change_id}>
            <th scope="row" class="cut">
              {table === null ? <QueryLink {...first} /> : <TableLink table={table} rowCount={rows.length} />}
            </th>
            <td class="wrapping">
              {table === null ? (
                first.text
              ) : (
                <details>
                  <summary>
                    e.g. {first.query_id}: {first.text}
                  </summary>
                  <ul class="plain-rows">
                    {rows.map(({ item }) => (
                      <li key={item.change_id}>
                        <QueryLink {...item} />: {item.text}
                      </li>
                    ))}
                  </ul>
                </details>
              )}
            </td>
            <td class={first.worse ? "mark fail" : "mark pass"}>{first.worse ? "▲ worse" : "▼ better"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function QueryLink({ spec, query_id: query }: LevelChange) {
  return (
    <a href={inRange(queryAddress(spec, query))} title={spec}>
      {query}
    </a>
  );
}

function TableLink({ table, rowCount }: { table: Table; rowCount: number }) {
  return (
    <a href={inRange(tableAddress(table))} title={`${table.spec} · ${table.file}`}>
      {counted(rowCount, "row")} of {fileName(table)}
    </a>
  );
}
