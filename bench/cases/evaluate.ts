import { checks } from "../../src/evaluate/checks/registry.ts";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import type { CompiledSpec } from "../../src/evaluate/query/compiled.ts";
import { createMatcher } from "../../src/match/matcher.ts";
import { createJudgeRun } from "../../src/pipeline/judge-run.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { judgedRuns, specText } from "../data/judged-runs.ts";
import type { Case, Settings } from "../harness/case.ts";
import { measure } from "../harness/paired.ts";
import { conclude, type Result } from "../harness/result.ts";

const RUNS = 10_000;

/** CPU of matching and of deterministic checks on assembled runs, and its growth with the number of queries. */
export const evaluate: Case = {
  name: "evaluate",
  figures: [
    {
      names: ["evaluate.run", "evaluate.match", "evaluate.verdict", "evaluate.queries"],
      rows: [],
      measure: measured,
    },
  ],
};

async function measured(settings: Settings): Promise<Result[]> {
  const [runs, spread] = [judgedRuns(RUNS, 200), judgedRuns(RUNS, 3200)];
  const [spec, large] = [specOf(200), specOf(3200)];
  const matcher = createMatcher([spec]);
  const [judge, judgeLarge] = [spec, large].map((one) =>
    createJudgeRun({ specs: [one], judgeSkipPolicy: { judge: "off" }, engine: "bench" }),
  );
  const sides = [
    () => {
      for (const run of runs) {
        const found = matcher.match(run, spec);
        if (found.kind !== "matched") throw new Error(`a run is ${found.kind}`);
        evaluateQuery(run, found.query, { reference: { missing: "not-asked", version: null }, judge: "off" });
      }
    },
    () => runs.forEach((run) => matcher.match(run, spec)),
    () => runs.forEach((run) => void judge?.(run)),
    () => spread.forEach((run) => void judgeLarge?.(run)),
  ];
  const rounds = await measure(sides, settings);
  const figure = (name: string, side: number, what: string, atMost?: number): Result =>
    conclude(
      { name: `evaluate.${name}`, what, unit: "µs", ...(atMost === undefined ? {} : { goal: { atMost } }) },
      rounds.map((costs) => (costs[side] ?? Number.NaN) / RUNS),
    );
  return [
    figure("run", 0, "one run: matching against 200 queries, and about 15 checks", 15),
    figure("match", 1, "one run: matching against 200 queries"),
    figure("verdict", 2, "one run: matching, checks, the verdict and its revision number"),
    conclude(
      {
        name: "evaluate.queries",
        what: "one run with 3,200 queries / one run with 200 queries",
        goal: { atMost: 4 },
      },
      rounds.map(([, , few = Number.NaN, many = Number.NaN]) => many / few),
    ),
  ];
}

function specOf(queries: number): CompiledSpec {
  const loaded = loadSpec({ file: "bench.yaml", text: specText(queries) }, { checks });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.spec;
}
