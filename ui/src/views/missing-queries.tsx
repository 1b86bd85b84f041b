import { brief, counted } from "../format.ts";
import { foldRows } from "../tables/fold-rows.ts";
import type { TableRows } from "../tables/table-rows.ts";
import type { QueryLine } from "./query-data.ts";

/** The queries without runs. Rows of a table are folded into one line. */
export function Missing({ lines, rows }: { lines: readonly QueryLine[]; rows: TableRows }) {
  const folded = foldRows(lines, rows, ({ spec, id }) => ({ spec, query_id: id }));
  return (
    <ul>
      {folded.map(({ first, table, rows: of }) =>
        table === null ? (
          <MissingQuery key={first.key} line={first} />
        ) : (
          <li key={table.key}>
            <details>
              <summary>
                <strong>
                  {table.spec} / {table.file}
                </strong>{" "}
                <span class="quiet">{counted(of.length, "row")}</span>
              </summary>
              <ul>
                {of.map(({ item }) => (
                  <MissingQuery key={item.key} line={item} />
                ))}
              </ul>
            </details>
          </li>
        ),
      )}
    </ul>
  );
}

function MissingQuery({ line: { spec, id, text } }: { line: QueryLine }) {
  return (
    <li>
      <strong>
        {spec} / {id}
      </strong>{" "}
      <span class="quiet">{text === null ? "" : brief(text, 120)}</span>
    </li>
  );
}
