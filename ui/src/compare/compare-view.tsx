import { ask, useLoaded } from "../api.ts";
import { counted } from "../format.ts";
import { useBaselines } from "./baselines.ts";
import { Empty, Loaded } from "../parts/notice.tsx";
import { parameter, setParameters } from "../route.ts";
import { NoSums } from "../views/queries.tsx";
import { ByQuery } from "./by-query.tsx";
import { compare, type Compared } from "./compare-data.ts";
import { metricWords } from "./differences.ts";
import { Distribution } from "./distribution.tsx";
import { Overall, overallSentence } from "./overall.tsx";
import { Paths } from "./paths.tsx";
import { PresetList } from "./preset-list.tsx";
import type { Facets } from "./presets.ts";
import { addressWords, comparisonParameters, isChosen, SidePickers, sides } from "./sides.tsx";

/** Compares two versions, models, agents, services, baselines or periods, query by query. */
export function CompareView() {
  const parameters = comparisonParameters();
  const chosen = sides.some(isChosen);
  const loading = useLoaded(
    () => (chosen ? compare(parameters) : Promise.resolve(undefined)),
    [JSON.stringify(parameters)],
  );
  const query = parameter("query");
  const seen = useLoaded(() => ask<Facets>("/api/v1/facets"), []);
  const facets = seen.state === "ready" ? seen.value : undefined;
  const baselines = useBaselines();
  return (
    <section class="view compare">
      <div class="headline">
        <h1>{headingOf(loading.state === "ready" ? loading.value : undefined)}</h1>
        {query !== "" && (
          <p class="quiet">
            query {query} only{" "}
            <button type="button" class="plain" onClick={() => setParameters({ query: "", spec: "" })}>
              all queries
            </button>
          </p>
        )}
      </div>
      <SidePickers facets={facets?.facets} baselines={baselines} />
      <Loaded from={loading}>
        {(compared) =>
          compared === undefined ? (
            <PresetList facets={facets} baselines={baselines} />
          ) : compared === null ? (
            <NoSums />
          ) : (
            <Result compared={compared} />
          )
        }
      </Loaded>
    </section>
  );
}

function headingOf(compared: Compared | null | undefined): string {
  if (compared == null || compared.a.runs === 0 || compared.b.runs === 0) return "Compare";
  return overallSentence(compared);
}

function Result({ compared }: { compared: Compared }) {
  const { a, b, sides: both } = compared;
  if (a.runs === 0 || b.runs === 0) {
    if (both.overlap > 0) {
      const [rest] = sides.filter((side) => !isChosen(side));
      const title =
        rest === undefined
          ? "All runs of one side are also in the other"
          : `All runs are in ${rest === "a" ? "B" : "A"}, so there are no other runs to compare with`;
      return (
        <Empty title={title}>
          <p>
            {counted(both.overlap, "run")} match both sides. Pick another version, model or time for one side.
          </p>
        </Empty>
      );
    }
    const empty = a.runs === 0 ? (b.runs === 0 ? "Neither A nor B has" : "A has") : "B has";
    return (
      <Empty title={`${empty} ${empty.startsWith("Neither") ? "any" : "no"} judged run`}>
        <p>Pick another value; each value shows its number of runs.</p>
      </Empty>
    );
  }
  return (
    <>
      <SideSentence compared={compared} />
      <Overall compared={compared} />
      <ByQuery compared={compared} />
      <div class="plots">
        {Object.keys(a.metrics).map((metric) => (
          <section key={metric} class="card" aria-label={metricWords[metric] ?? metric}>
            <h2>{`${(metricWords[metric] ?? metric).replace(/^./, (letter) => letter.toUpperCase())} of all runs`}</h2>
            <Distribution
              a={a.metrics[metric]?.values ?? []}
              b={b.metrics[metric]?.values ?? []}
              metric={metric}
            />
          </section>
        ))}
      </div>
      <Paths a={a} b={b} />
    </>
  );
}

/** Shows the names of A and B with the number of their runs, and a warning about runs that belong to both sides. */
function SideSentence({ compared: { a, b, sides: both } }: { compared: Compared }) {
  const [rest] = sides.filter((side) => !isChosen(side));
  const runs = { a: a.runs, b: b.runs };
  return (
    <p class="sides-say" aria-label="What is compared">
      {rest !== undefined ? (
        <span class="mark pass">
          ✓ {rest.toUpperCase()} has all other runs: those that are not in {rest === "a" ? "B" : "A"}
        </span>
      ) : both.overlap === 0 ? (
        <span class="mark pass">✓ no run on both sides</span>
      ) : (
        <span class="mark warn">
          ▲ {counted(both.overlap, "run")} on both sides: counted for the side with fewer runs only
        </span>
      )}
      <span class="quiet">
        {sides.map((side) => (
          <span key={side}>
            {" "}
            · {side.toUpperCase()} {side === rest ? "all other runs" : addressWords(side)},{" "}
            {counted(runs[side], "judged run")}
          </span>
        ))}{" "}
        ·{" "}
        {both.queries === 0
          ? "no query has runs on both sides, so nothing can be compared"
          : `${counted(both.queries, "query", "queries")} in common, each counts once`}
      </span>
    </p>
  );
}
