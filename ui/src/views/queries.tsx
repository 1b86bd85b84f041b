import { useLoaded } from "../api.ts";
import { counted } from "../format.ts";
import { useEvery, useState } from "../hooks.ts";
import { Empty, Loaded } from "../parts/notice.tsx";
import { queryState } from "../parts/query-state.ts";
import { parameter, withParameters } from "../route.ts";
import { timeRange } from "../parts/time-range.tsx";
import { queryKey, tableName, tableOf } from "../tables/table-rows.ts";
import { Missing } from "./missing-queries.tsx";
import { loadQueries, type QueryData, type QueryLine } from "./query-data.ts";
import { QueryRow } from "./query-row.tsx";
import { linesOf, TableLines } from "./table-lines.tsx";
import { Unmatched } from "./unmatched.tsx";

/** The results of each query of the specs. */
export function QueriesView() {
  const range = timeRange();
  const [tick, setTick] = useState(0);
  useEvery(15_000, () => setTick(tick + 1), [tick]);
  const loading = useLoaded(() => loadQueries(range), [range.since, range.until, tick]);
  return (
    <section class="view queries">
      <Headline lines={loading.state === "ready" && loading.value !== null ? loading.value.lines : []} />
      <Loaded from={loading}>
        {(data) => (data === null ? <NoSums isWholeView /> : <Queries data={data} />)}
      </Loaded>
    </section>
  );
}

/** The result in one sentence: how many queries fail, and how many could not be decided. */
function Headline({ lines }: { lines: readonly QueryLine[] }) {
  const outcomes = lines.flatMap(({ sums }) => (sums === null ? [] : [sums.outcomes]));
  const failing = outcomes.filter(({ fail = 0 }) => fail > 0).length;
  const undecided = outcomes.filter((of) => queryState(of).like === "incomplete").length;
  const passing = outcomes.length - failing - undecided;
  const of = counted(outcomes.length, "query", "queries");
  const rest = undecided === 0 ? "" : `, ${undecided} could not be decided`;
  const fails = failing === 1 ? "fails" : "fail";
  return (
    <div class="headline">
      <h1>
        {outcomes.length === 0
          ? "Queries"
          : failing === 0
            ? `No query of ${outcomes.length} fails${rest}`
            : `${failing} of ${of} ${fails}${rest}`}
      </h1>
      {outcomes.length > 0 && (
        <p class="quiet">
          {passing} {passing === 1 ? "passes" : "pass"} every decided run · lowest pass rate first
        </p>
      )}
    </div>
  );
}

/** Shown if the collector keeps only the last runs. `isWholeView`: the view has no other heading. */
export function NoSums({ isWholeView = false }: { isWholeView?: boolean }) {
  return (
    <Empty title="No stored runs" isWholeView={isWholeView}>
      <p>
        This collector keeps only the last runs and verdicts, because <code>store.mode</code> is{" "}
        <code>memory</code> or SQLite is not available. Set <code>store.mode: sqlite</code>, use Node 22.13 or
        newer or <code>npm install @photostructure/sqlite</code>, and restart the collector.
      </p>
    </Empty>
  );
}

/** Shown without a spec, because queries are in specs. */
function WithoutSpec() {
  return (
    <Empty title="No spec yet" isWholeView>
      <p>
        This page lists the queries of specs. Write a spec from the received runs:{" "}
        <code>tracejury init --from {window.location.origin}</code>
      </p>
    </Empty>
  );
}

function Queries({ data }: { data: QueryData }) {
  const only = parameter("table");
  const lines = data.lines.filter(({ spec, id }) => {
    const row = data.rows.get(queryKey(spec, id));
    return only === "" || (row !== undefined && tableOf(spec, row).key === only);
  });
  const judged = lines.filter(({ sums }) => sums !== null);
  if (!data.hasSpec && judged.length === 0) return <WithoutSpec />;
  const missing = lines.filter(({ sums }) => sums === null);
  // A query that was removed from its spec keeps its results, but has no text.
  const written = lines.filter(({ text }) => text !== null).length;
  return (
    <>
      {only !== "" && (
        <p class="only">
          Only the rows of {tableName(only)} · <a href={withParameters({ table: "" })}>All queries</a>
        </p>
      )}
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
          {linesOf(judged, data.rows).map((one) =>
            one.table === null ? (
              <QueryRow key={one.line.key} line={one.line} />
            ) : (
              <TableLines key={one.table.key} {...one} table={one.table} missing={missing} data={data} />
            ),
          )}
        </div>
      )}
      {missing.length > 0 && (
        <details class="card coverage">
          <summary>
            Coverage: {written - missing.length} of {counted(written, "query", "queries")} of the specs had
            runs; {missing.length} had none
          </summary>
          <Missing lines={missing} rows={data.rows} />
        </details>
      )}
      <Unmatched runs={data.unjudged} lines={data.lines} />
    </>
  );
}
