import { useLoaded } from "../api.ts";
import { brief, counted, money, number, time } from "../format.ts";
import { useMemo } from "../hooks.ts";
import { Empty, Loaded } from "../parts/notice.tsx";
import { ExpectedFail, OutcomeMark } from "../parts/outcome.tsx";
import { parameter, withParameters } from "../route.ts";
import { loadRun, type WholeRun } from "../run/load-run.ts";
import { type Row, stepRows } from "../run/rows.ts";
import type { RunJson } from "../types.ts";
import { compareSteps, foldEqual, isEqual, type StepPair } from "./compare-steps.ts";
import { PartDiff, StepPairRow } from "./step-pair.tsx";

export function SideBySideView() {
  const [a, b] = [parameter("a"), parameter("b")];
  if (a === "" || b === "") {
    return (
      <Empty title="Two runs side by side" isWholeView>
        <p>
          Mark two runs in the <a href="/runs">list of runs</a> (<kbd>x</kbd> on a row), or use “Compare with
          last pass” on a run's page.
        </p>
      </Empty>
    );
  }
  return (
    <section class="view side-by-side">
      <p class="crumbs">
        <a href="/runs">Runs</a> › two runs
      </p>
      <Pair a={a} b={b} />
    </section>
  );
}

/** Two runs side by side. `a` and `b` are run ids. */
function Pair({ a, b }: { a: string; b: string }) {
  const loading = useLoaded(() => Promise.all([loadRun(a), loadRun(b)]), [a, b]);
  return <Loaded from={loading}>{([runA, runB]) => <Compared wholeA={runA} wholeB={runB} />}</Loaded>;
}

function Compared({ wholeA, wholeB }: { wholeA: WholeRun; wholeB: WholeRun }) {
  const [a, b] = [wholeA.run, wholeB.run];
  const pairs = useMemo(() => compareSteps({ a, b }, stepsOf(wholeA), stepsOf(wholeB)), [a, b]);
  const stretches = useMemo(() => foldEqual(pairs), [pairs]);
  return (
    <>
      <div class="headline">
        <h1>{heading(a, b, pairs)}</h1>
        <a class="button" href={withParameters({ a: b.run_id, b: a.run_id })}>
          Swap A and B
        </a>
      </div>
      <div class="pair-heads">
        <RunHead side="A" run={a} />
        <RunHead side="B" run={b} />
      </div>
      <Figures a={a} b={b} />
      <section class="card pairs" aria-labelledby="pairs-title">
        <h2 id="pairs-title">Steps</h2>
        {stretches.length === 0 && <p class="quiet">Neither run has a step.</p>}
        {stretches.map((stretch, at) =>
          "pair" in stretch ? (
            <StepPairRow key={at} pair={stretch.pair} />
          ) : (
            <details key={at} class="equal-stretch">
              <summary>{stretch.equal.length} steps are the same</summary>
              {stretch.equal.map((pair, place) => (
                <StepPairRow key={place} pair={pair} />
              ))}
            </details>
          ),
        )}
      </section>
      <section class="card pair-parts" aria-label="Answers">
        <PartDiff part={{ name: "answer", a: a.answer, b: b.answer }} />
        {a.query !== b.query && <PartDiff part={{ name: "query", a: a.query, b: b.query }} />}
      </section>
    </>
  );
}

function stepsOf({ run, spans }: WholeRun): readonly Row[] {
  return stepRows(run, spans).filter(({ kind }) => kind !== "run");
}

/** Returns a text such as `A fails, B passes: 3 of 22 steps differ, first tavily_search`. */
function heading(a: RunJson, b: RunJson, pairs: readonly StepPair[]): string {
  const differing = pairs.filter((pair) => !isEqual(pair));
  // Prefers a different tool call to a different model call, because a tool call is more informative than the model call that requested it.
  const first = differing.find(({ a: row, b: other }) => (row ?? other)?.kind !== "model") ?? differing[0];
  const outcomes = `${outcomeWords(a, "A")}, ${outcomeWords(b, "B")}`;
  if (first === undefined) return `${outcomes}: all ${counted(pairs.length, "step")} are the same`;
  const name = (first.a ?? first.b)?.name ?? "unknown";
  const where = first.a === null ? " only in B" : first.b === null ? " only in A" : "";
  return `${outcomes}: ${differing.length} of ${counted(pairs.length, "step")} differ, first ${name}${where}`;
}

function outcomeWords({ verdicts }: RunJson, side: string): string {
  const words = { pass: "passes", fail: "fails", warn: "warns", skip: "is skipped" } as const;
  const outcome = verdicts[0]?.outcome;
  if (outcome === undefined) return `${side} is not judged`;
  return `${side} ${outcome === "incomplete" || outcome === "error" ? "is not decided" : words[outcome]}`;
}

function RunHead({ side, run }: { side: "A" | "B"; run: RunJson }) {
  const [verdict] = run.verdicts;
  return (
    <div class={`card side-${side.toLowerCase()}`}>
      <p class="headline">
        <strong class={`dot side-${side.toLowerCase()}`}>{side}</strong>
        <OutcomeMark outcome={verdict?.outcome ?? null} />
        {verdict?.expected_fail === true && <ExpectedFail />}
        <a href={`/runs/${encodeURIComponent(run.run_id)}`}>
          {run.query === null ? "(query unknown)" : brief(run.query, 120)}
        </a>
      </p>
      <p class="quiet">
        {[run.agent, verdict?.query_id, run.models.join(", ")]
          .filter((text) => text != null && text !== "")
          .join(" · ")}
      </p>
    </div>
  );
}

function Figures({ a, b }: { a: RunJson; b: RunJson }) {
  const rows: readonly (readonly [string, number | null, number | null, (value: number | null) => string])[] =
    [
      ["time", a.duration_ms, b.duration_ms, time],
      ["tokens", a.total_tokens, b.total_tokens, number],
      ["cost", a.cost_usd, b.cost_usd, money],
      ["model calls", a.llm_calls, b.llm_calls, number],
      ["tool calls", a.tools.length, b.tools.length, number],
    ];
  return (
    <dl class="card facts pair-figures">
      {rows.map(([name, ofA, ofB, show]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {show(ofA)} → <strong>{show(ofB)}</strong> <span class="quiet">{ratio(ofA, ofB)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the ratio of B to A as text, such as `×2.4`; empty if a value is unknown, A is 0, or both are equal. */
function ratio(a: number | null, b: number | null): string {
  if (a === null || b === null || a === 0 || a === b) return "";
  return `×${Number((b / a).toPrecision(2))}`;
}
