import { useState } from "../hooks.ts";
import { counted } from "../format.ts";
import { Empty, Problem, Skeleton } from "../parts/notice.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { parameter, setParameters } from "../route.ts";
import { filterNames, type RunFilter } from "../runs.ts";
import { outcomes } from "../types.ts";
import { useLiveRuns } from "./live-runs.ts";
import { NotJudged } from "./not-judged.tsx";
import { PointingLines } from "./pointing.tsx";
import { RunRow } from "./run-row.tsx";

/** Runs as they come. */
export function LiveView() {
  const filter = Object.fromEntries(filterNames.map((name) => [name, parameter(name)])) as RunFilter;
  const [paused, setPaused] = useState(false);
  const { runs, waiting, more, loadMore, error, loaded } = useLiveRuns(filter, paused);
  const narrowed = filterNames.some((name) => filter[name] !== "");
  const narrow = matchMedia("(max-width: 720px)").matches;
  return (
    <section class="view live">
      <div class="headline">
        <h1>Runs</h1>
        <p class="quiet" role="status">
          {loaded ? `${counted(runs.length, "run")}${more ? " loaded, more below" : ""}` : "loading"}
          {waiting > 0 && ` · ${waiting} new`}
        </p>
        <button type="button" class="pause" aria-pressed={paused} onClick={() => setPaused(!paused)}>
          {paused ? "▶ Go on" : "❚❚ Pause"}
        </button>
      </div>
      <Filters filter={filter} narrowed={narrowed} />
      <NotJudged />
      {error !== null && <Problem error={error} />}
      {!loaded && error === null && <Skeleton />}
      {loaded && runs.length === 0 && (narrowed ? <NothingFits /> : <PointingLines />)}
      {runs.length > 0 && (
        <VirtualList
          items={runs}
          rowHeight={narrow ? 112 : 68}
          label="Runs, newest first"
          keyOf={(run) => run.run_id}
          onEnd={loadMore}
        >
          {(run) => <RunRow run={run} />}
        </VirtualList>
      )}
    </section>
  );
}

const hints: Readonly<Record<string, string>> = {
  agent: "Agent",
  query: "Query id",
  model: "Model",
  text: "Text of the query",
};

function Filters({ filter, narrowed }: { filter: RunFilter; narrowed: boolean }) {
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        Outcome
        <select
          value={filter.outcome}
          onChange={(event) => setParameters({ outcome: event.currentTarget.value })}
        >
          <option value="">any</option>
          {outcomes.map((outcome) => (
            <option key={outcome}>{outcome}</option>
          ))}
          <option value="none">not judged</option>
        </select>
      </label>
      {filterNames
        .filter((name) => name !== "outcome")
        .map((name) => (
          <label key={name}>
            {hints[name]}
            <input
              type="search"
              value={filter[name]}
              onChange={(event) => setParameters({ [name]: event.currentTarget.value.trim() })}
            />
          </label>
        ))}
      {narrowed && (
        <button
          type="button"
          onClick={() => setParameters(Object.fromEntries(filterNames.map((name) => [name, ""])))}
        >
          Clear
        </button>
      )}
    </form>
  );
}

function NothingFits() {
  return (
    <Empty title="No run fits these filters">
      <p>Clear them, or wait: runs that fit appear as they come.</p>
    </Empty>
  );
}
