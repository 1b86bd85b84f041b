import { passRateWords } from "../compare/pass-rate-words.ts";
import type { OneSidedQuery } from "../compare/compare-data.ts";
import { chanceWords, type Difference, metricWords } from "../compare/differences.ts";
import { counted } from "../format.ts";
import { inRange } from "../parts/time-range.tsx";
import { type Folded, foldRows } from "../tables/fold-rows.ts";
import { fileName, type Table, tableAddress, type TableRows } from "../tables/table-rows.ts";
import { queryAddress } from "./problem-row.tsx";

/** A row of the table: a changed measure of a query, or a new or removed query. */
interface Change {
  readonly key: string;
  /** Set if the change concerns several rows of a table. `query` is then the first of these rows. */
  readonly table?: { readonly table: Table; readonly rowCount: number };
  readonly query: { readonly spec: string; readonly query_id: string; readonly text: string | null };
  readonly measure: string;
  readonly before: string;
  readonly after: string;
  readonly change: string;
  readonly verdict: keyof typeof verdicts;
  readonly chance: string;
}

const verdicts = {
  worse: { words: "▲ worse", like: "mark fail" },
  better: { words: "▼ better", like: "mark pass" },
  chance: { words: "≈ chance", like: "quiet" },
  same: { words: "≈ the same", like: "quiet" },
  fails: { words: "✗ fails", like: "mark fail" },
  passes: { words: "✓ passes", like: "mark pass" },
  undecided: { words: "? not decided", like: "mark incomplete" },
  gone: { words: "○ no run", like: "quiet" },
} as const;

/**
 * Returns the changes in this order: new queries that fail, differences with the worst first, removed queries, other new queries. Rows of
 * one table with the same verdict on the same measure are one change.
 */
export function changesOf(
  differences: readonly Difference[],
  oneSided: readonly OneSidedQuery[],
  tableRows: TableRows,
): readonly Change[] {
  const rows = oneSided.map(oneSidedChange);
  const changes = [
    ...rows.filter(({ verdict }) => verdict === "fails"),
    ...differences.map(differenceChange),
    ...rows.filter(({ verdict }) => verdict === "gone"),
    ...rows.filter(({ verdict }) => verdict === "passes" || verdict === "undecided"),
  ];
  return foldRows(
    changes,
    tableRows,
    ({ query }) => query,
    ({ measure, change, verdict }) => JSON.stringify([measure, verdict, change === "new", change === "gone"]),
  ).map(changeOfRows);
}

/** Combines rows into one change. The first row, which is the worst, represents all of them. */
function changeOfRows({ first, table, rows }: Folded<Change>): Change {
  if (table === null) return first;
  const ofOne = (text: string): string => (text === "no run" ? text : `e.g. ${text}`);
  return {
    ...first,
    key: JSON.stringify([table.key, first.key]),
    table: { table, rowCount: rows.length },
    before: ofOne(first.before),
    after: ofOne(first.after),
    change: isOneSided(first) ? first.change : `e.g. ${first.change}`,
  };
}

function isOneSided({ change }: Change): boolean {
  return change === "new" || change === "gone";
}

function differenceChange({ metric, p, ...difference }: Difference): Change {
  return { ...difference, measure: metricWords[metric] ?? metric, chance: chanceWords(p) };
}

function oneSidedChange(query: OneSidedQuery): Change {
  const { side, spec, query_id: id, text, runs, failed, decided } = query;
  const rate = `${passRateWords(query)}, ${counted(runs, "run")}`;
  const isNew = side === "b";
  return {
    key: JSON.stringify([side, spec, id, text]),
    query,
    measure: "pass rate",
    before: isNew ? "no run" : rate,
    after: isNew ? rate : "no run",
    change: isNew ? "new" : "gone",
    verdict: !isNew ? "gone" : failed > 0 ? "fails" : decided > 0 ? "passes" : "undecided",
    chance: "–",
  };
}

/** Returns texts such as `1 new query fails` and `2 queries are gone`. A text whose count would be zero is omitted. */
export function oneSidedWords(oneSided: readonly OneSidedQuery[]): readonly string[] {
  const count = (kind: (change: Change) => boolean): number =>
    oneSided.map(oneSidedChange).filter(kind).length;
  const failing = count(({ verdict }) => verdict === "fails");
  const others = count(({ change, verdict }) => change === "new" && verdict !== "fails");
  const gone = count(({ verdict }) => verdict === "gone");
  return [
    ...(failing > 0 ? [counted(failing, "new query fails", "new queries fail")] : []),
    ...(others > 0 ? [counted(others, "query is new", "queries are new")] : []),
    ...(gone > 0 ? [counted(gone, "query is gone", "queries are gone")] : []),
  ];
}

/** @param address URL of Compare with the same sides; each row adds its query */
export function ChangeTable({ changes, address }: { changes: readonly Change[]; address: string }) {
  return (
    <table class="rows">
      <thead>
        <tr>
          <th scope="col">Query</th>
          <th scope="col">Measure</th>
          <th scope="col" class="num wide-only">
            Before
          </th>
          <th scope="col" class="num wide-only">
            After
          </th>
          <th scope="col" class="num">
            Change
          </th>
          <th scope="col">Verdict</th>
          <th scope="col" class="num wide-only">
            Chance
          </th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ key, query, table, measure, before, after, change, verdict, chance }) => (
          <tr key={key}>
            <th scope="row" class="cut">
              {table === undefined ? (
                <a href={inRange(queryAddress(query.spec, query.query_id))} title={query.text ?? query.spec}>
                  {query.text ?? query.query_id}
                </a>
              ) : (
                <a href={inRange(tableAddress(table.table))} title={`${query.spec} · ${table.table.file}`}>
                  {counted(table.rowCount, "row")} of {fileName(table.table)}
                </a>
              )}
            </th>
            <td>{measure}</td>
            <td class="num wide-only">{before}</td>
            <td class="num wide-only">{after}</td>
            <td class="num">
              {change === "new" || change === "gone" ? (
                <strong>{change}</strong>
              ) : (
                <a href={`${address}&${ofQuery(query)}`}>
                  <strong>{change}</strong>
                  <span class="hidden"> of {query.text ?? query.query_id}: compare</span>
                </a>
              )}
            </td>
            <td class={verdicts[verdict].like}>{verdicts[verdict].words}</td>
            <td class="num quiet wide-only">{chance}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ofQuery({ spec, query_id: query }: Change["query"]): string {
  return new URLSearchParams({ spec, query }).toString();
}
