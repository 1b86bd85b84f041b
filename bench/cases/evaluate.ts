import { checks } from "../../src/evaluate/checks/registry.ts";
import { type EvaluateOptions, evaluateQuery } from "../../src/evaluate/evaluate.ts";
import { createMatcher, type MatchResult } from "../../src/match/matcher.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { createJudgeRun, type JudgedRun } from "../../src/pipeline/judge-run.ts";
import type { CompiledSpec } from "../../src/evaluate/query/compiled.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { judgedRuns, specText } from "../data/judged-runs.ts";
import { prose } from "../data/prose.ts";
import { Random } from "../data/random.ts";
import type { Case, Settings } from "../harness/case.ts";
import { measure, ratios } from "../harness/paired.ts";
import { conclude, type Result, type Told } from "../harness/result.ts";

/** Runs of a figure: enough that nothing is judged warm from the run before. */
const RUNS = 10_000;
const MANY_RUNS = 100_000;

/** Matching and deterministic checks of runs that are assembled: their cost, and how it grows with runs and queries. */
export const evaluate: Case = {
  name: "evaluate",
  figures: [
    { names: ["evaluate.run", "evaluate.match", "evaluate.verdict"], rows: [], measure: oneRun },
    { names: ["evaluate.runs"], rows: [], measure: manyRuns },
    { names: ["evaluate.queries"], rows: [], measure: manyQueries },
    { names: ["evaluate.near", "evaluate.near.plain"], rows: ["G12"], measure: nearMatch },
  ],
};

async function oneRun(settings: Settings): Promise<Result[]> {
  const few = judgedRuns(RUNS, 200);
  const spec = specOf(200);
  const matcher = createMatcher([spec]);
  const sides = [
    () => few.forEach((run) => check(run, matcher.match(run, spec))),
    () => few.forEach((run) => matcher.match(run, spec)),
    () => judgeAll(spec, few),
  ];
  const rounds = await measure(sides, settings);
  const figure = (told: Told, side: number): Result =>
    conclude(
      { ...told, unit: "µs" },
      rounds.map((costs) => (costs[side] ?? Number.NaN) / RUNS),
    );
  const what = "matching among 200 queries and some fifteen checks, a run";
  return [
    figure({ name: "evaluate.run", what, goal: { atMost: 15 } }, 0),
    figure({ name: "evaluate.match", what: "of that, matching" }, 1),
    figure({ name: "evaluate.verdict", what: "the same with the verdict and the number of its revision" }, 2),
  ];
}

const alone: EvaluateOptions = { reference: { missing: "not-asked", version: null }, judge: "off" };

function check(run: AgentRun, found: MatchResult): void {
  if (found.kind !== "matched") throw new Error(`a run is ${found.kind}`);
  evaluateQuery(run, found.query, alone);
}

async function manyRuns(settings: Settings): Promise<Result[]> {
  const spec = specOf(200);
  const few = judgedRuns(RUNS, 200);
  const many = judgedRuns(MANY_RUNS, 200);
  const sides = [() => judgeAll(spec, many), () => judgeAll(spec, few)] as const;
  const costs = await ratios(...sides, settings);
  const what = "a run among 100,000 against one among 10,000";
  return [
    conclude(
      { name: "evaluate.runs", what, goal: { atMost: 1.5 } },
      costs.map((ratio) => ratio / (MANY_RUNS / RUNS)),
    ),
  ];
}

async function manyQueries(settings: Settings): Promise<Result[]> {
  const [spec, large] = [specOf(200), specOf(3200)];
  const [few, spread] = [judgedRuns(RUNS, 200), judgedRuns(RUNS, 3200)];
  const costs = await ratios(
    () => judgeAll(large, spread),
    () => judgeAll(spec, few),
    settings,
  );
  const what = "a run among 3,200 queries against one among 200";
  return [conclude({ name: "evaluate.queries", what, goal: { atMost: 4 } }, costs)];
}

const NEAR_QUERIES = 10_000;
/** Of those that the plain way looks at: all of them take a second. */
const PLAIN_QUERIES = 1_000;

/** A text that is nearly one of ten thousand queries, against the plain way to find the nearest. */
async function nearMatch(settings: Settings): Promise<Result[]> {
  const texts = Array.from({ length: NEAR_QUERIES }, (_, at) => `${prose(new Random(at + 1), 60)} ${at}`);
  const queries = texts.map(
    (text, at) => `  - { id: q${at}, query: ${JSON.stringify(text)}, match: { similarity: 0.85 } }`,
  );
  const spec = specFrom(["version: 1", "agent: shop-agent", "queries:", ...queries].join("\n"));
  const matcher = createMatcher([spec]);
  const [run] = judgedRuns(1, 1);
  const asked = Array.from({ length: 200 }, (_, at) => {
    const text = texts[(at * 47) % NEAR_QUERIES] ?? "";
    return { ...run, agent: "shop-agent", query: `${text.slice(0, 20)}${text.slice(22)}` } as AgentRun;
  });
  const rounds = await measure(
    [
      () => {
        const found = asked.filter((one) => matcher.match(one, spec).kind === "matched").length;
        if (found !== asked.length) throw new Error(`${found} of ${asked.length} texts were matched`);
      },
      () => void nearest(asked[0]?.query ?? "", texts.slice(0, PLAIN_QUERIES)),
    ],
    settings,
  );
  const ours = rounds.map(([all = Number.NaN]) => all / asked.length);
  const what = `finding the query that a text is nearly, among ${NEAR_QUERIES}`;
  return [
    conclude({ name: "evaluate.near", row: "G12", what, unit: "µs", goal: { atMost: 50 } }, ours),
    conclude(
      {
        name: "evaluate.near.plain",
        row: "G12",
        what: "Levenshtein distance to each / the same",
        goal: { atLeast: 300 },
      },
      rounds.map(
        ([, plain = Number.NaN], round) =>
          (plain * (NEAR_QUERIES / PLAIN_QUERIES)) / (ours[round] ?? Number.NaN),
      ),
    ),
  ];
}

function nearest(text: string, among: readonly string[]): number {
  let best = Infinity;
  for (const other of among) best = Math.min(best, levenshtein(text, other));
  return best;
}

function levenshtein(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, change));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}

const specOf = (queries: number): CompiledSpec => specFrom(specText(queries));

function specFrom(text: string): CompiledSpec {
  const loaded = loadSpec({ file: "bench.yaml", text }, { checks });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.spec;
}

const judges = new Map<CompiledSpec, (run: AgentRun) => JudgedRun>();

function judgeAll(spec: CompiledSpec, runs: readonly AgentRun[]): void {
  let judge = judges.get(spec);
  if (judge === undefined) {
    judges.set(
      spec,
      (judge = createJudgeRun({ specs: [spec], judgeSkipPolicy: { judge: "off" }, engine: "bench" })),
    );
  }
  let verdicts = 0;
  for (const run of runs) verdicts += judge(run).verdicts.length;
  if (verdicts !== runs.length) throw new Error(`${verdicts} verdicts of ${runs.length} runs`);
}
