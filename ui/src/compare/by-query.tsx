import { counted } from "../format.ts";
import { useState } from "../hooks.ts";
import { inRange } from "../parts/time-range.tsx";
import { foldRows, type RowItem } from "../tables/fold-rows.ts";
import { fileName, type Table, useTableRows } from "../tables/table-rows.ts";
import { queryAddress } from "../home/problem-row.tsx";
import {
  type Compared,
  type Comparison,
  countsOfA,
  countsOfB,
  type OneSidedQuery,
  type QueryComparison,
} from "./compare-data.ts";
import { type PassCounts, passRatesWords } from "./pass-rate-words.ts";
import { changeWords, differencesOf, figure, isRealDifference } from "./differences.ts";

const metrics = ["cost_usd", "latency_ms"] as const;
/** Labels within the cells of a metric's column, for narrow screens, on which the head of the table is hidden. */
const labels: Readonly<Record<string, string>> = { cost_usd: "Cost", latency_ms: "Time" };

/**
 * All queries that both sides have, the worst change first. Shows pass rates, and the changes of cost and time with their confidence
 * intervals. Queries that are rows of a table are folded into one line, at the place of the worst row.
 */
export function ByQuery({ compared }: { compared: Compared }) {
  const tableRows = useTableRows();
  const { by_query: queries, sides, one_side: oneSided } = compared;
  if (queries.length === 0) return null;
  const order = new Map(
    differencesOf(queries)
      .map(({ query }, at) => [query, at] as const)
      .reverse(),
  );
  const sorted = queries.toSorted((a, b) => (order.get(a) ?? Infinity) - (order.get(b) ?? Infinity));
  const alone = sides.only_a + sides.only_b;
  return (
    <section class="panel" aria-labelledby="by-query-title">
      <header>
        <h2 id="by-query-title">By query, worst first</h2>
        <span class="quiet">
          ● more than chance (p &lt; 0.05, corrected for the number of comparisons) · ○ within chance · line:
          95 % interval
        </span>
      </header>
      <div class="scroll" role="region" aria-label="Table by query" tabIndex={0}>
        <table class="rows by-query">
          <thead>
            <tr>
              <th scope="col">Query, runs A / B</th>
              <th scope="col">Pass rate</th>
              <th scope="col">Cost, B against A</th>
              <th scope="col" class="num">
                median A → B
              </th>
              <th scope="col">Time, B against A</th>
              <th scope="col" class="num">
                median A → B
              </th>
            </tr>
          </thead>
          <tbody>
            {foldRows(sorted, tableRows, (query) => query).map(({ first, table, rows }) =>
              table === null ? (
                <QueryRow key={keyOf(first)} query={first} />
              ) : (
                <RowsOfTable key={table.key} table={table} rows={rows} />
              ),
            )}
          </tbody>
        </table>
      </div>
      {(alone > 0 || sides.without_query > 0) && (
        <footer>
          {alone > 0 && `Left out, because only one side has runs: ${aloneWords(oneSided, alone)}. `}
          {sides.without_query > 0 &&
            `${counted(sides.without_query, "run")} without a known query left out.`}
        </footer>
      )}
    </section>
  );
}

const mostNamed = 8;

/** Returns a text such as `install, weather (A only); review (B only)`, with the number of further queries. */
function aloneWords(oneSided: readonly OneSidedQuery[], count: number): string {
  const named = oneSided.slice(0, mostNamed);
  const more = count - named.length;
  const parts = (["a", "b"] as const).flatMap((side) => {
    const names = named.filter((one) => one.side === side).map(({ query_id: id, text }) => text ?? id);
    return names.length === 0 ? [] : [`${names.join(", ")} (${side.toUpperCase()} only)`];
  });
  return [...parts, ...(more > 0 ? [counted(more, "more query", "more queries")] : [])].join("; ");
}

function keyOf({ spec, query_id: id, text }: QueryComparison): string {
  return JSON.stringify([spec, id, text]);
}

/** Number of rows of an unfolded table that are shown at first. A click shows the others. */
const rowsAtFirst = 20;

function RowsOfTable({ table, rows }: { table: Table; rows: readonly RowItem<QueryComparison>[] }) {
  const [shown, setShown] = useState(0);
  const queries = rows.map(({ item }) => item);
  const sum = (of: (query: QueryComparison) => number): number =>
    queries.reduce((all, query) => all + of(query), 0);
  const pooled = (of: (query: QueryComparison) => PassCounts): PassCounts => ({
    passed: sum((one) => of(one).passed),
    warned: sum((one) => of(one).warned),
    decided: sum((one) => of(one).decided),
  });
  return (
    <>
      <tr>
        <th scope="row" class="cut">
          <button
            type="button"
            class="plain"
            aria-expanded={shown > 0}
            title={`${table.spec} · ${table.file}`}
            onClick={() => setShown(shown > 0 ? 0 : rowsAtFirst)}
          >
            {counted(rows.length, "row")} of {fileName(table)}
          </button>{" "}
          <span class="quiet">
            {sum((one) => one.runs_a)} / {sum((one) => one.runs_b)}
          </span>
        </th>
        <td data-label="Passed" class={realIn(queries, "pass_rate", -1) > 0 ? "mark fail" : ""}>
          {passRatesWords(pooled(countsOfA), pooled(countsOfB))}
        </td>
        {metrics.map((metric) => (
          <td key={metric} colSpan={2} data-label={labels[metric]}>
            <RealRows queries={queries} metric={metric} />
          </td>
        ))}
      </tr>
      {queries.slice(0, shown).map((query) => (
        <QueryRow key={keyOf(query)} query={query} />
      ))}
      {shown > 0 && queries.length > shown && (
        <tr>
          <td colSpan={6}>
            <button type="button" class="plain" onClick={() => setShown(queries.length)}>
              {counted(queries.length - shown, "more row")}
            </button>
          </td>
        </tr>
      )}
    </>
  );
}

/** Shows a text such as `2 rows higher 1 row lower`. It counts rows whose difference is statistically significant. */
function RealRows({ queries, metric }: { queries: readonly QueryComparison[]; metric: string }) {
  const [higher, lower] = [realIn(queries, metric, 1), realIn(queries, metric, -1)];
  if (higher + lower === 0) return <span class="quiet">no row beyond chance</span>;
  return (
    <>
      {higher > 0 && <span class="mark fail">{counted(higher, "row")} higher</span>}{" "}
      {lower > 0 && <span class="mark pass">{counted(lower, "row")} lower</span>}
    </>
  );
}

function realIn(queries: readonly QueryComparison[], metric: string, sign: 1 | -1): number {
  const comparisons = queries.flatMap((query) => query.comparisons.filter((one) => one.metric === metric));
  return comparisons.filter((one) => isRealDifference(one) && Math.sign(one.effect ?? 0) === sign).length;
}

function QueryRow({ query }: { query: QueryComparison }) {
  const of = (metric: string): Comparison | undefined =>
    query.comparisons.find((one) => one.metric === metric);
  const [rateA, rateB] = [
    query.decided_a === 0 ? null : query.passed_a / query.decided_a,
    query.decided_b === 0 ? null : query.passed_b / query.decided_b,
  ];
  const isWorse = isRealDifference(of("pass_rate")) && (rateB ?? 0) < (rateA ?? 0);
  return (
    <tr>
      <th scope="row" class="cut">
        <a href={inRange(queryAddress(query.spec, query.query_id))}>{query.text ?? query.query_id}</a>{" "}
        <span class="quiet">
          {query.runs_a} / {query.runs_b}
        </span>
      </th>
      <td data-label="Passed" class={isWorse ? "mark fail" : ""}>
        {passRatesWords(countsOfA(query), countsOfB(query))}
      </td>
      {metrics.map((metric) => (
        <Change key={metric} query={query} comparison={of(metric)} metric={metric} />
      ))}
    </tr>
  );
}

function Change(props: { query: QueryComparison; comparison: Comparison | undefined; metric: string }) {
  const { query, comparison, metric } = props;
  const medians = query.metrics[metric];
  const isReal = isRealDifference(comparison);
  const tone = !isReal ? "quiet" : (comparison?.effect ?? 0) > 0 ? "mark fail" : "mark pass";
  return (
    <>
      <td data-label={labels[metric]}>
        <Interval comparison={comparison} isReal={isReal} />{" "}
        <span class={tone}>{comparison === undefined ? "–" : changeWords(comparison)}</span>
      </td>
      <td class="num">
        {figure(metric, medians?.median_a ?? null)} → {figure(metric, medians?.median_b ?? null)}
      </td>
    </>
  );
}

const width = 96;
/** The axis shows ratios from 1/4 to 4. An interval beyond this range is cut off at the edge. */
const edge = Math.log(4);

/** A ratio with its confidence interval on a logarithmic axis. The middle of the axis means no change. */
function Interval({ comparison, isReal }: { comparison: Comparison | undefined; isReal: boolean }) {
  const change = comparison?.change;
  if (change?.scale !== "ratio") return null;
  const x = (ratio: number): number => {
    const at = Math.log(Math.max(1e-6, 1 + ratio)) / edge;
    return width / 2 + Math.max(-1, Math.min(1, at)) * (width / 2 - 5);
  };
  const isWorse = change.estimate > 0;
  return (
    <svg
      class={`interval ${isReal ? (isWorse ? "is-worse" : "is-better") : ""}`}
      width={width}
      height="16"
      aria-hidden="true"
    >
      <path class="axis-line" d={`M${width / 2} 1V15`} />
      {change.low !== null && change.high !== null && <path d={`M${x(change.low)} 8H${x(change.high)}`} />}
      <circle cx={x(change.estimate)} cy="8" r="4" />
    </svg>
  );
}
