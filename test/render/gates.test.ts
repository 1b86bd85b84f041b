import { describe, expect, test } from "vitest";
import { consoleReport } from "../../src/render/console.ts";
import { resultJson } from "../support/result-json.ts";
import { reportVerdict } from "../../src/render/reported.ts";
import { plainTheme } from "../../src/render/theme.ts";
import { resultSchema } from "../../src/render/verdict-schema.ts";
import type { Reliability } from "../../src/spec/blocks.ts";
import { evaluated } from "../support/evaluated.ts";
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
    const verdicts = runs(["pass", "pass", "pass"]).map((reported, at) => ({
      ...reported,
      verdict: { ...reported.verdict, metrics: { ...reported.verdict.metrics, score: scores[at] ?? null } },
    }));
    const gated = [{ spec: "rag-agent", queryId: "order", reliability }];

    expect(resultOf({ verdicts, runs: 3, gated }).exit.code).toBe(code);
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

  test("the console says it, with the runs still needed", () => {
    const text = consoleText(gatedBy({ min_runs: 8 }, fourOfFive), plainTheme);

    expect(text).toMatch(/Reliability\n.*order: not enough runs.*about 3 more runs/);
  });
});

test("without reliability: there is no group, and every failure counts", () => {
  const result = resultOf({ verdicts: runs(fourOfFive), runs: 5 });

  expect({ groups: result.groups, code: result.exit.code }).toEqual({ groups: [], code: 1 });
});
