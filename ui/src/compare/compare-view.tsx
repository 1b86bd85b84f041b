import { useLoaded } from "../api.ts";
import { counted } from "../format.ts";
import { Empty, Loaded } from "../parts/notice.tsx";
import { parameter, setParameters } from "../route.ts";
import { NoSums } from "../views/queries.tsx";
import { ByQuery } from "./by-query.tsx";
import { compare, type Compared } from "./compare-data.ts";
import { metricWords } from "./differences.ts";
import { Distribution } from "./distribution.tsx";
import { Overall, overallSentence } from "./overall.tsx";
import { Paths } from "./paths.tsx";
import { comparisonParameters, isChosen, SidePickers, sides } from "./sides.tsx";

/** Two versions, models, agents, services, baselines or times side by side, query by query. */
export function CompareView() {
  const parameters = comparisonParameters();
  const chosen = sides.some(isChosen);
  const loading = useLoaded(
    () => (chosen ? compare(parameters) : Promise.resolve(undefined)),
    [JSON.stringify(parameters)],
  );
  const query = parameter("query");
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
      <SidePickers />
      <Loaded from={loading}>
        {(compared) =>
          compared === undefined ? (
            <Teaching />
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

function Teaching() {
  return (
    <Empty title="Pick A and B">
      <p>
        By version, model, agent, service, saved baseline or time, for example{" "}
        <a href="/compare?a_since=48h&a_until=24h&b_since=24h">the last 24 hours against the 24 before</a>.
        Runs are only compared with runs of the same query. A difference counts when chance would show it in
        fewer than 5 of 100.
      </p>
    </Empty>
  );
}

function Result({ compared }: { compared: Compared }) {
  const { a, b, sides: both } = compared;
  if (a.runs === 0 || b.runs === 0) {
    if (both.overlap > 0) {
      return (
        <Empty title="All runs of one side fit the other, too">
          <p>
            {counted(both.overlap, "run")} fit both sides. Pick another version, model or time for one of
            them.
          </p>
        </Empty>
      );
    }
    const empty = a.runs === 0 ? (b.runs === 0 ? "Neither A nor B has" : "A has") : "B has";
    return (
      <Empty title={`${empty} ${empty.startsWith("Neither") ? "any" : "no"} judged run`}>
        <p>Pick one that has: the number of runs stands beside each.</p>
      </Empty>
    );
  }
  return (
    <>
      <p class="sides-say" aria-label="What is compared">
        {both.overlap === 0 ? (
          <span class="mark pass">✓ no run on both sides</span>
        ) : (
          <span class="mark warn">
            ▲ {counted(both.overlap, "run")} on both sides: counted for the side with fewer runs only
          </span>
        )}
        <span class="quiet">
          {" "}
          · A {counted(a.runs, "run")}, B {counted(b.runs, "run")} ·{" "}
          {both.queries === 0
            ? "no query has runs on both sides, so there is nothing to compare like with like"
            : `${counted(both.queries, "query", "queries")} in common, each counts once`}
        </span>
      </p>
      <Overall compared={compared} />
      <ByQuery compared={compared} />
      <div class="plots">
        {Object.keys(a.metrics).map((metric) => (
          <section key={metric} class="card" aria-label={metricWords[metric] ?? metric}>
            <h2>{`${(metricWords[metric] ?? metric).replace(/^./, (letter) => letter.toUpperCase())} of all runs`}</h2>
            <Distribution
              a={a.metrics[metric]?.values ?? []}
              b={b.metrics[metric]?.values ?? []}
              name={metricWords[metric] ?? metric}
            />
          </section>
        ))}
      </div>
      <Paths a={a} b={b} />
    </>
  );
}
