import { periodWords } from "../parts/time-words.ts";
import { brief, counted, number } from "../format.ts";
import { useEffect, useState } from "../hooks.ts";
import { Empty, Problem, Skeleton } from "../parts/notice.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { cameFrom, setParameters, withParameters } from "../route.ts";
import { PointingLines } from "../views/pointing.tsx";
import { type Facets, FacetPanel, useFacets } from "./facets.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { facetNames, filterInAddress, isNarrowed, noFilter, type RunFilter } from "./filter.ts";
import { type Live, useLiveRuns } from "./live-runs.ts";
import { NotJudged, useUnjudged } from "./not-judged.tsx";
import { Mark, MarkedRuns } from "./marks.tsx";
import { columns, RunRow } from "./run-row.tsx";
import { WithoutReason, isWithoutReason } from "./without-reason.tsx";

const narrowWidth = 720;

/** The list of runs, with the reason why each did not pass. */
export function RunsView() {
  const filter = filterInAddress();
  const [isPaused, setPaused] = useState(false);
  const [isReading, setReading] = useState(false);
  const live = useLiveRuns(filter, isPaused || isReading);
  const facets = useFacets(filter, live.changes);
  const unjudged = useUnjudged();
  const showsAgents = new Set(live.runs.map(({ agent }) => agent)).size > 1;
  useEffect(() => {
    // After the user goes back from a run to the list, sets the focus on the row of this run.
    if (!live.loaded || document.activeElement !== document.body) return;
    const row = document.querySelector<HTMLElement>(`a[href="${CSS.escape(cameFrom())}"]`);
    row?.focus({ preventScroll: true });
  }, [live.loaded]);
  const [showsFacets, setShowsFacets] = useState(false);
  const chosen = facetNames.reduce((sum, name) => sum + filter[name].length, 0);
  return (
    <section class="view runs">
      <div class="headline">
        <h1>Runs</h1>
        <p class="quiet" role="status">
          {live.loaded ? summary(live, facets) : "loading"}
        </p>
        <div class="tools">
          {live.waiting > 0 && (
            <button type="button" class="primary" onClick={() => live.showWaiting()}>
              {live.waiting} new
            </button>
          )}
          <TextFilter filter={filter} />
          <TimeFilter filter={filter} />
          <button
            type="button"
            class="facets-button"
            aria-expanded={showsFacets}
            onClick={() => setShowsFacets(!showsFacets)}
          >
            Filters{chosen > 0 && ` · ${chosen}`}
          </button>
          <button type="button" class="pause" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {isPaused ? "▶ Go on" : "❚❚ Pause"}
          </button>
        </div>
      </div>
      <FilterChips filter={filter} />
      <div class={`with-facets${showsFacets ? " open" : ""}`}>
        <FacetPanel facets={facets} filter={filter} />
        <div class="list">
          {live.error !== null && <Problem error={live.error} />}
          {!live.loaded && live.error === null && <Skeleton />}
          {live.loaded && live.runs.length === 0 && <NoRuns filter={filter} facets={facets} />}
          {live.runs.length > 0 && (
            <VirtualList
              items={live.runs}
              rowHeight={matchMedia(`(max-width: ${narrowWidth}px)`).matches ? 58 : 36}
              label="Runs"
              head={<Heads filter={filter} />}
              keyOf={(run) => run.run_id}
              hasMore={live.more}
              onEnd={live.loadMore}
              onTop={(isTop) => setReading(!isTop)}
              scrollKey={live.key}
            >
              {(run) => (
                <>
                  <RunRow
                    run={run}
                    withAgent={showsAgents}
                    isWithoutReason={unjudged !== undefined && isWithoutReason(run.run_id, unjudged)}
                  />
                  <Mark runId={run.run_id} name={brief(run.query ?? "query unknown", 80)} />
                </>
              )}
            </VirtualList>
          )}
          {live.loaded && unjudged !== undefined && (
            <>
              <NotJudged runs={unjudged} />
              <WithoutReason unjudged={unjudged} />
            </>
          )}
          <MarkedRuns />
        </div>
      </div>
    </section>
  );
}

/** Returns a text such as `440 runs: 2 failed, 1 with a warning`. */
function summary(live: Live, facets: Facets | null): string {
  if (facets === null) return `${counted(live.runs.length, "run")}${live.more ? ", more below" : ""}`;
  const { total, is_partial: isPartial, facets: values } = facets;
  const words = Object.entries(outcomeWords).flatMap(([outcome, word]) => {
    const count = values.outcome.find(({ value }) => value === outcome)?.runs ?? 0;
    return count === 0 ? [] : [`${number(count)} ${word}`];
  });
  const all = `${counted(total, "run")}${isPartial ? " of the newest 100,000" : ""}`;
  return words.length === 0 || filterHasOutcome() ? all : `${all}: ${words.join(", ")}`;
}

function filterHasOutcome(): boolean {
  return filterInAddress().outcome.length > 0;
}

const outcomeWords: Readonly<Record<string, string>> = {
  fail: "failed",
  error: "with an error",
  incomplete: "not decided",
  warn: "with a warning",
  none: "not judged",
};

const sorts: Readonly<Partial<Record<(typeof columns)[number], string>>> = {
  Took: "took",
  Tokens: "tokens",
  Cost: "cost",
  Began: "began",
};

/** Names of the columns. The names of columns with figures are links that sort the list. */
function Heads({ filter: { sort, order } }: { filter: RunFilter }) {
  return (
    <div class="run-row heads">
      {columns.map((name) => {
        const by = sorts[name];
        if (by === undefined) return <span key={name}>{name}</span>;
        const isChosen = sort === by;
        const isAscending = isChosen && order === "asc";
        const changes = { sort: by, order: isChosen && !isAscending ? "asc" : "" };
        return (
          <a
            key={name}
            class="num"
            href={withParameters(changes)}
            aria-current={isChosen ? "true" : undefined}
          >
            {name}
            {isChosen && (
              <>
                <span aria-hidden="true"> {isAscending ? "↑" : "↓"}</span>
                <span class="hidden">{isAscending ? ", lowest first" : ", highest first"}</span>
              </>
            )}
          </a>
        );
      })}
    </div>
  );
}

let typing: ReturnType<typeof setTimeout> | undefined;

function TextFilter({ filter }: { filter: RunFilter }) {
  const change = (text: string, waitMs: number): void => {
    clearTimeout(typing);
    typing = setTimeout(() => setParameters({ text: text.trim() }), waitMs);
  };
  return (
    <input
      type="search"
      aria-label="Text of the query"
      placeholder="Search queries"
      data-search
      value={filter.text}
      onInput={(event) => change(event.currentTarget.value, 300)}
      onChange={(event) => change(event.currentTarget.value, 0)}
    />
  );
}

const ranges: Readonly<Record<string, string>> = {
  "": "any time",
  "1h": "last hour",
  "24h": "last 24 hours",
  "7d": "last 7 days",
  "30d": "last 30 days",
};

function TimeFilter({ filter: { since, until } }: { filter: RunFilter }) {
  const isUsual = until === "" && since in ranges;
  return (
    <label>
      <span class="hidden">Time range</span>
      <select
        value={isUsual ? since : "custom"}
        onChange={({ currentTarget: { value } }) => setParameters({ since: value, until: "" })}
      >
        {Object.entries(ranges).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
        {!isUsual && <option value="custom">{periodWords(since, until)}</option>}
      </select>
    </label>
  );
}

/** Shown if no run is listed: how to send runs, or which filters to remove. */
function NoRuns({ filter, facets }: { filter: RunFilter; facets: Facets | null }) {
  if (!isNarrowed(filter)) return <PointingLines />;
  const without = facetNames.flatMap((name) => {
    const found = facets?.facets[name].reduce((sum, { runs }) => sum + runs, 0) ?? 0;
    return filter[name].length > 0 && found > 0 ? [{ name, found }] : [];
  });
  return (
    <Empty title="No run matches these filters">
      {without.map(({ name, found }) => (
        <p key={name}>
          <a href={withParameters({ [name]: "" })}>
            Without {name} {filter[name].join(", ")}: {counted(found, "run")}
          </a>
        </p>
      ))}
      {filter.since !== "" && (
        <p>
          <a href={withParameters({ since: "", until: "" })}>Show all stored runs</a>
        </p>
      )}
      <p>
        <a href={withParameters(noFilter)}>Clear all filters</a>, or wait: matching runs appear when they
        arrive.
      </p>
    </Empty>
  );
}
