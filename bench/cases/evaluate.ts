import { checks } from "../../src/evaluate/registry.ts";
import { createMatcher } from "../../src/match/matcher.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { createJudgeRun, type JudgedRun } from "../../src/pipeline/judge-run.ts";
import type { CompiledSpec } from "../../src/spec/compiled.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { judgedRuns, specText } from "../data/judged-runs.ts";
import type { Case } from "../harness/case.ts";
import { measure, ratios } from "../harness/paired.ts";
import { conclude, type Result } from "../harness/result.ts";

/** Runs of a figure: enough that nothing is judged warm from the run before. */
const RUNS = 10_000;
const MANY_RUNS = 100_000;

/** Matching and deterministic checks of runs that are assembled: their cost, and how it grows with runs and queries. */
export const evaluate: Case = {
  name: "evaluate",
  run: async (settings) => {
    const few = judgedRuns(RUNS, 200);
    const spec = specOf(200);
    const results: Result[] = [];
    const matcher = createMatcher([spec]);
    const rounds = await measure(
      [() => judgeAll(spec, few), () => few.forEach((run) => matcher.match(run, spec))],
      settings,
    );
    results.push(
      conclude(
        {
          name: "evaluate.run",
          what: "matching among 200 queries, some fifteen checks and the verdict, a run",
          unit: "µs",
          goal: { atMost: 15 },
        },
        rounds.map(([judged = Number.NaN]) => judged / RUNS),
      ),
      conclude(
        { name: "evaluate.match", what: "of that, matching", unit: "µs" },
        rounds.map(([, matched = Number.NaN]) => matched / RUNS),
      ),
    );
    const many = judgedRuns(MANY_RUNS, 200);
    const byRuns = await ratios(
      () => judgeAll(spec, many),
      () => judgeAll(spec, few),
      settings,
    );
    results.push(
      conclude(
        {
          name: "evaluate.runs",
          what: "a run among 100,000 against one among 10,000",
          goal: { atMost: 1.5 },
        },
        byRuns.map((ratio) => ratio / (MANY_RUNS / RUNS)),
      ),
    );
    const large = specOf(3200);
    const spread = judgedRuns(RUNS, 3200);
    results.push(
      conclude(
        {
          name: "evaluate.queries",
          what: "a run among 3,200 queries against one among 200",
          goal: { atMost: 4 },
        },
        await ratios(
          () => judgeAll(large, spread),
          () => judgeAll(spec, few),
          settings,
        ),
      ),
    );
    return results;
  },
};

function specOf(queries: number): CompiledSpec {
  const loaded = loadSpec({ file: "bench.yaml", text: specText(queries) }, { checks });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.spec;
}

const judges = new Map<CompiledSpec, (run: AgentRun) => JudgedRun>();

function judgeAll(spec: CompiledSpec, runs: readonly AgentRun[]): void {
  let judge = judges.get(spec);
  if (judge === undefined) {
    judges.set(spec, (judge = createJudgeRun({ specs: [spec], unasked: { judge: "off" }, engine: "bench" })));
  }
  let verdicts = 0;
  for (const run of runs) verdicts += judge(run).verdicts.length;
  if (verdicts !== runs.length) throw new Error(`${verdicts} verdicts of ${runs.length} runs`);
}
