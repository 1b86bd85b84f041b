import { describe, expect, test } from "vitest";
import { consoleReport } from "../../src/report/render/terminal/console.ts";
import { resultJson } from "../support/result-json.ts";
import { type ReportedVerdict, reportVerdict } from "../../src/report/render/findings/reported.ts";
import { plainTheme } from "../../src/report/render/terminal/theme.ts";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import type { Reliability } from "../../src/evaluate/query/blocks.ts";
import { evaluated } from "../support/evaluated.ts";
import { withVerdict } from "../support/with-verdict.ts";
import { resultOf } from "../support/result-of.ts";

const consoleText = (...all: Parameters<typeof consoleReport>) => [...consoleReport(...all)].join("");

const query = {
  id: "order",
  correctness: { expected_in_answer: ["on its way"] },
  path: { forbidden_tools: ["refund"] },
};

/** Verdicts of runs that pass, fail, or use a forbidden tool. */
function runs(kinds: readonly ("pass" | "fail" | "forbidden" | "unknown")[]) {
  return kinds.map((kind, at) =>
    reportVerdict(
      evaluated(query, {
        runId: `run-${at}`,
        startUnixMs: 1_750_000_000_000 + at,
        tools: kind === "forbidden" ? ["refund"] : [],
        answer: kind === "fail" ? "No idea." : kind === "unknown" ? null : "It is on its way.",
      }),
    ),
  );
}

function gatedBy(reliability: Reliability, kinds: Parameters<typeof runs>[0]) {
  return resultOf({
    verdicts: runs(kinds),
    runs: kinds.length,
    gated: [{ spec: "rag-agent", queryId: "order", reliability }],
  });
}

function withScore(reported: ReportedVerdict, score: number | null): ReportedVerdict {
  const { verdict } = reported;
  return withVerdict(reported, { ...verdict, metrics: { ...verdict.metrics, score } });
}

const fourOfFive = ["pass", "pass", "fail", "pass", "pass"] as const;

describe("a query with reliability:", () => {
  test.each([
    ["the rate reached exactly passes, failures of single runs do not count", { min_pass_rate: 0.8 }, 0],
    ["a rate below fails", { min_pass_rate: 0.9 }, 1],
    ["too few runs cannot tell", { min_runs: 6, min_pass_rate: 0.8 }, 2],
    ["an interval that still holds the limit cannot tell", { min_pass_rate: 0.8, confidence: 0.95 }, 2],
    ["pass@2 of 1 is reached", { pass_at_k: { "2": 1 } }, 0],
    ["pass^2 of 0.7 is not", { pass_hat_k: { "2": 0.7 } }, 1],
  ])("%s", (_, reliability, code) => {
    expect(gatedBy(reliability, fourOfFive).exit.code).toBe(code);
  });

  test.each([
    ["mean 80, wanted 80", { min_mean_score: 80 }, 0],
    ["mean 80, wanted 81", { min_mean_score: 81 }, 1],
    ["deviation 10, allowed 10", { max_std_dev: 10 }, 0],
    ["deviation 10, allowed 9", { max_std_dev: 9 }, 1],
  ])("the mean score and its spread are gates: %s", (_, reliability, code) => {
    const scores = [70, 80, 90];
    const verdicts = runs(["pass", "pass", "pass"]).map((one, at) => withScore(one, scores[at] ?? null));
    const gated = [{ spec: "rag-agent", queryId: "order", reliability }];

    expect(resultOf({ verdicts, runs: 3, gated }).exit.code).toBe(code);
  });

  test.each<[string, Reliability]>([
    ["min_runs", { min_runs: 3 }],
    ["confidence", { confidence: 0.95 }],
    ["both", { min_runs: 3, confidence: 0.95 }],
    ["min_mean_score", { min_mean_score: 10 }],
    ["max_std_dev", { max_std_dev: 90 }],
    ["no k", { pass_at_k: {}, pass_hat_k: {} }],
  ])("%s alone replaces no failure of a single run", (_, reliability) => {
    const scored = runs(fourOfFive).map((one) => withScore(one, 80));
    const gated = [{ spec: "rag-agent", queryId: "order", reliability }];
    const result = resultOf({ verdicts: scored, runs: 5, gated });

    expect(result.groups[0]?.report.gate?.outcome).toBe("pass");
    expect(result.exit).toEqual({ code: 1, reasons: ["1 run failed"] });
    expect(consoleText(result, plainTheme)).toContain("failures of single runs count");
  });

  test.each<[string, Reliability]>([
    ["a pass rate", { min_runs: 3, min_pass_rate: 0.8 }],
    ["pass@k", { min_mean_score: 10, pass_at_k: { "2": 0.9 } }],
    ["pass^k", { max_std_dev: 90, pass_hat_k: { "2": 0.5 } }],
  ])("%s replaces them, whatever is beside it", (_, reliability) => {
    const scored = runs(fourOfFive).map((one) => withScore(one, 80));
    const gated = [{ spec: "rag-agent", queryId: "order", reliability }];

    expect(resultOf({ verdicts: scored, runs: 5, gated }).exit.code).toBe(0);
  });

  test("three failing runs stay red under min_runs", () => {
    expect(gatedBy({ min_runs: 3 }, ["fail", "fail", "fail"]).exit.code).toBe(1);
  });

  test.each<[string, Reliability, number]>([
    ["the mean of all, 56", { min_mean_score: 56 }, 0],
    ["the mean of all is not that of those that passed", { min_mean_score: 57 }, 1],
    ["the spread of all, 43.4", { max_std_dev: 43.4 }, 0],
    ["a smaller one", { max_std_dev: 43.3 }, 1],
  ])("scores are those of all runs, failed and undecided ones too: %s", (_, reliability, code) => {
    const scores = [100, 100, 0, 40, 40];
    const verdicts = runs(["pass", "pass", "fail", "pass", "unknown"]).map((one, at) =>
      withScore(one, scores[at] ?? null),
    );
    const gated = [
      { spec: "rag-agent", queryId: "order", reliability: { ...reliability, min_pass_rate: 0.1 } },
    ];
    const result = resultOf({ verdicts, runs: 5, gated }, { onIncomplete: "warn" });

    expect(result.exit.code).toBe(code);
  });

  test("a run without a known score leaves the gate incomplete: exit code 2, and what to do", () => {
    const verdicts = runs(["pass", "pass", "pass"]).map((one, at) => withScore(one, at === 1 ? null : 95));
    const gated = [{ spec: "rag-agent", queryId: "order", reliability: { min_mean_score: 80 } }];
    const result = resultOf({ verdicts, runs: 3, gated });
    const [group] = resultSchema.parse(resultJson(result)).groups;

    expect(result.exit.code).toBe(2);
    expect(group?.gate).toMatchObject({
      outcome: "incomplete",
      runs_needed: null,
      checks: [{ check: "min_mean_score", outcome: "incomplete", value: null, limit: 80 }],
    });
    expect(consoleText(result, plainTheme)).toMatch(
      /order: incomplete: min_mean_score .*1 of 3 have no known score.*let a judge rate/,
    );
  });

  test("the console shows mean, spread and interval of the scores", () => {
    const verdicts = runs(["pass", "pass", "pass", "pass"]).map((one, at) => withScore(one, 80 + 5 * at));
    const gated = [{ spec: "rag-agent", queryId: "order", reliability: { min_mean_score: 80 } }];
    const result = resultOf({ verdicts, runs: 4, gated });
    const { interval } = result.groups[0]?.report.metrics.get("score") ?? {};

    expect(interval?.low).toBeGreaterThan(80);
    expect(interval?.high).toBeLessThan(95);
    expect(consoleText(result, plainTheme)).toMatch(
      /score: mean 87\.5, spread 6\.45, 8\d(\.\d+)? to 9\d(\.\d+)? at 95 % confidence, 4 runs/,
    );
  });

  test("a forbidden tool fails all the same", () => {
    expect(gatedBy({ min_pass_rate: 0.5 }, ["pass", "pass", "forbidden"]).exit.code).toBe(1);
  });

  test("runs that could not be decided stay exit code 2", () => {
    expect(gatedBy({ min_pass_rate: 0.5 }, ["pass", "pass", "unknown"]).exit.code).toBe(2);
  });

  test("its group is in the result, with the limits as written and the runs still needed", () => {
    const result = resultSchema.parse(resultJson(gatedBy({ min_runs: 8, min_pass_rate: 0.8 }, fourOfFive)));

    expect(result.groups).toMatchObject([
      {
        spec: "rag-agent",
        query_id: "order",
        reliability: { min_runs: 8, min_pass_rate: 0.8 },
        runs: 5,
        passed: 4,
        failed: 1,
        gate: { outcome: "not_enough_runs", runs_needed: 3 },
      },
    ]);
    expect(result.summary).toMatchObject({ failed: 1, exit_code: 2 });
  });
});

test("without reliability: there is no group, and every failure counts", () => {
  const result = resultOf({ verdicts: runs(fourOfFive), runs: 5 });

  expect({ groups: result.groups, code: result.exit.code }).toEqual({ groups: [], code: 1 });
});
