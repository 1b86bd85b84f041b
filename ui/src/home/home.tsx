import { ask, useLoaded } from "../api.ts";
import { counted, number } from "../format.ts";
import { useEvery, useState } from "../hooks.ts";
import { Empty, Loaded } from "../parts/notice.tsx";
import {
  inRange,
  rangeWords,
  runsInRange,
  timeRange,
  type TimeRange,
  unixMsOf,
} from "../parts/time-range.tsx";
import { duringWords } from "../parts/time-words.ts";
import { withParameters } from "../route.ts";
import { type UnjudgedJson, unjudgedRuns } from "../runs/not-judged.tsx";
import { WithoutReason } from "../runs/without-reason.tsx";
import { useVerdictEvents } from "../runs/verdict-events.ts";
import { queryKey, tableOf } from "../tables/table-rows.ts";
import { NoSums } from "../views/queries.tsx";
import { Changed } from "./changed.tsx";
import type { Status } from "./collector-status.ts";
import { countsOf, type HomeData, loadHome } from "./home-data.ts";
import type { HomeGroup } from "./home-groups.ts";
import { LevelChanges } from "./level-changes.tsx";
import { NoneMatched, SomeUnmatched } from "./none-matched.tsx";
import { NoSpec } from "./no-spec.tsx";
import { ProblemRow } from "./problem-row.tsx";
import { TimeBars } from "./time-bars.tsx";
import { Waiting } from "./waiting.tsx";
import { WorstQueries } from "./worst-queries.tsx";

/** The Home view: the problems and their reasons, the changes, and the worst queries. */
export function HomeView() {
  const range = timeRange();
  const [tick, setTick] = useState(0);
  const again = (): void => setTick((before) => before + 1);
  useVerdictEvents(again, "", 1_500);
  useEvery(20_000, again, []);
  const loading = useLoaded(() => loadHome(range), [range.since, range.until, tick]);
  return (
    <section class="view home">
      <Loaded from={loading}>
        {(data) =>
          data === null ? (
            <NoSums isWholeView />
          ) : data.queries.length === 0 ? (
            <Nothing again={again} tick={tick} />
          ) : (
            <Panels data={data} tick={tick} />
          )
        }
      </Loaded>
    </section>
  );
}

/**
 * Shown if there is no verdict. If there is no run, shows the receivers' addresses. If there is no spec, shows the command that writes one.
 * Otherwise shows the runs that match no query, or proposes a longer period.
 */
function Nothing({ again, tick }: { again: () => void; tick: number }) {
  const loading = useLoaded(() => ask<Status>("/api/v1/status"), [tick]);
  return (
    <Loaded from={loading}>
      {({ store, specs }) => {
        const runs = store?.["runs"] ?? 0;
        if (runs === 0) return <Waiting onRun={again} />;
        return specs.length === 0 ? <NoSpec runs={runs} /> : <NoneInRange tick={tick} />;
      }}
    </Loaded>
  );
}

/** Shown if no run in this period has a verdict. Shows the runs that match no query, or proposes a longer period. */
function NoneInRange({ tick }: { tick: number }) {
  const range = timeRange();
  const loading = useLoaded(unjudgedRuns, [tick]);
  return (
    <Loaded from={loading}>
      {(all) => {
        const runs = all.filter(isIn(range));
        return (
          <>
            {runs.length === 0 ? <LookFurther range={range} /> : <NoneMatched runs={runs} />}
            <WithoutReason unjudged={all} period={range} isPanel />
          </>
        );
      }}
    </Loaded>
  );
}

/** The runs of this period without a verdict; nothing if each run has a verdict. */
function UnmatchedInRange({ tick }: { tick: number }) {
  const loading = useLoaded(unjudgedRuns, [tick]);
  if (loading.state !== "ready") return null;
  const runs = loading.value.filter(isIn(timeRange()));
  return (
    <>
      {runs.length > 0 && <SomeUnmatched runs={runs} />}
      <WithoutReason unjudged={loading.value} period={timeRange()} isPanel />
    </>
  );
}

function isIn({ since, until }: TimeRange): (run: UnjudgedJson) => boolean {
  const last = until === "" ? Infinity : unixMsOf(until);
  const first = unixMsOf(since);
  return ({ judged_unix_ms: ms }) => ms >= first && ms <= last;
}

function LookFurther({ range }: { range: TimeRange }) {
  return (
    <Empty title={`No run was judged ${duringWords(range.since, range.until)}`} isWholeView>
      <p>
        Look further back: <a href={withParameters({ since: "7d", until: "" })}>7 days</a>,{" "}
        <a href={withParameters({ since: "30d", until: "" })}>30 days</a>. Runs that match no query are in{" "}
        <a href={inRange("/runs")}>Runs</a>.
      </p>
    </Empty>
  );
}

function Panels({ data, tick }: { data: HomeData; tick: number }) {
  const failing = data.groups.filter(({ outcome }) => outcome === "fail" || outcome === "error");
  const others = data.groups.filter((group) => !failing.includes(group));
  return (
    <>
      <Headline data={data} failing={failing} />
      <TimeBars data={data} />
      <UnmatchedInRange tick={tick} />
      {failing.length > 0 && (
        <section class="panel" aria-labelledby="failing-title">
          <header>
            <h2 id="failing-title">Failing now</h2>
            <span class="quiet">{groupsAndVerdicts(failing)}</span>
            <a class="right" href={runsInRange("/runs?outcome=fail")}>
              All failed runs
            </a>
          </header>
          <ProblemRows groups={failing} data={data} />
        </section>
      )}
      <LevelChanges tick={tick} />
      <div class="two">
        <Changed rows={data.rows} />
        <WorstQueries data={data} />
      </div>
      {others.length > 0 && (
        <section class="panel" aria-labelledby="others-title">
          <header>
            <h2 id="others-title">Not failing, and worth a look</h2>
            <span class="quiet">{othersWords(others)}</span>
          </header>
          <ProblemRows groups={others} data={data} />
        </section>
      )}
    </>
  );
}

const shownAtFirst = 6;

/** The groups of problems. The most frequent ones are shown, the others are folded. */
function ProblemRows({ groups, data }: { groups: readonly HomeGroup[]; data: HomeData }) {
  const verdictsByKey = new Map<string, number>();
  for (const { spec, query_id: id, verdicts } of data.queries) {
    const row = data.rows.get(queryKey(spec, id));
    for (const key of [queryKey(spec, id), ...(row === undefined ? [] : [tableOf(spec, row).key])])
      verdictsByKey.set(key, (verdictsByKey.get(key) ?? 0) + verdicts);
  }
  const row = (group: HomeGroup) => (
    <ProblemRow
      key={JSON.stringify([keyOf(group), group.outcome, group.checks])}
      group={group}
      of={verdictsByKey.get(keyOf(group)) ?? 0}
    />
  );
  return (
    <>
      <div class="group group-heads" aria-hidden="true">
        <span>Outcome</span>
        <span>Query</span>
        <span>Check, and what happened</span>
        <span>Verdicts</span>
        <span>First – last</span>
      </div>
      <ul>{groups.slice(0, shownAtFirst).map(row)}</ul>
      {groups.length > shownAtFirst && (
        <details class="more-groups">
          <summary>{groups.length - shownAtFirst} more groups</summary>
          <ul>{groups.slice(shownAtFirst).map(row)}</ul>
        </details>
      )}
    </>
  );
}

function keyOf({ table, spec, query_id: id }: HomeGroup): string {
  return table?.key ?? queryKey(spec, id);
}

function groupsAndVerdicts(groups: readonly HomeGroup[]): string {
  return `${counted(groups.length, "group")}, ${counted(verdictsOf(groups), "verdict")}`;
}

function verdictsOf(groups: readonly HomeGroup[]): number {
  return groups.reduce((all, { verdicts }) => all + verdicts, 0);
}

function othersWords(groups: readonly HomeGroup[]): string {
  const of = (wanted: string): number => verdictsOf(groups.filter(({ outcome }) => outcome === wanted));
  const parts = [
    of("incomplete") > 0 ? `${of("incomplete")} not decided, because evidence is missing` : "",
    of("warn") > 0 ? `${of("warn")} with a warning` : "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

/** One sentence that says what fails, and why. */
function Headline({ data, failing }: { data: HomeData; failing: readonly HomeGroup[] }) {
  const counts = countsOf(data.queries);
  const all = data.queries.reduce((sum, { verdicts }) => sum + verdicts, 0);
  const failed = (counts.fail ?? 0) + (counts.error ?? 0);
  const queries = new Set(failing.flatMap(queriesOf)).size;
  return (
    <div class="headline">
      <h1>{sentence(all, failed, counts.incomplete ?? 0, failing)}</h1>
      <p class="quiet" role="status">
        {queries > 0 && `${counted(queries, "query", "queries")} affected · `}
        {rangeWords(timeRange())}
      </p>
    </div>
  );
}

function queriesOf({ spec, query_id: id, rows }: HomeGroup): readonly string[] {
  return rows.length === 0 ? [queryKey(spec, id)] : rows.map(({ queryId }) => queryKey(spec, queryId));
}

function sentence(all: number, failed: number, undecided: number, failing: readonly HomeGroup[]): string {
  if (all === 1) {
    const reason = failing[0]?.reasons[0]?.text ?? failing[0]?.checks?.join(", ");
    if (failed === 1) return `1 run, failed${reason === undefined ? "" : `: ${reason}`}`;
    return undecided === 1 ? "1 run, which could not be decided" : "1 run, and it passed";
  }
  const of = `of ${counted(all, "verdict")}`;
  if (failed === 0) {
    return undecided === 0
      ? `None ${of} is a failure`
      : `None ${of} is a failure, ${undecided} could not be decided`;
  }
  const checks = new Set(failing.map((group) => group.checks?.join(" and ") ?? ""));
  const [only] = checks;
  const why = checks.size === 1 && only !== "" ? `${failed === 1 ? ", by" : ", all by"} ${only}` : "";
  return `${number(failed)} ${of} ${failed === 1 ? "is a failure" : "are failures"}${why}`;
}
