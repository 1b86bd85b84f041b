import { checks } from "../../src/evaluate/checks/registry.ts";
import { createJudgeRun } from "../../src/pipeline/judge-run.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { judgedRuns, specText } from "../data/judged-runs.ts";
import { measure } from "../harness/paired.ts";
import type { Result } from "../harness/result.ts";
import { figuresOf, stepsOf } from "./growth.ts";

const SIZES = [1, 10, 100, 1_000, 5_000] as const;
const RUNS = 2_000;

/** Matching and evaluating runs by specs of more and more queries. */
export async function queries(rounds: number): Promise<Result[]> {
  const sides = SIZES.map((size) => {
    const loaded = loadSpec({ file: "growth.yaml", text: specText(size) }, { checks });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const judge = createJudgeRun({
      specs: [loaded.spec],
      judgeSkipPolicy: { judge: "off" },
      engine: "bench",
    });
    const runs = judgedRuns(RUNS, Math.max(1, size - 1));
    return () => runs.forEach((run) => void judge(run));
  });
  const all = await measure(sides, { rounds, sampleMs: 200 });
  return figuresOf({
    name: "growth.queries",
    what: "matching and evaluating, a run",
    unit: "µs",
    steps: stepsOf(SIZES, all, () => RUNS),
    of: "queries",
    costs: "of all",
    atMost: 0.5,
    from: 10,
  });
}
