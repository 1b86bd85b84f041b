import { expect, test } from "vitest";
import type { JudgePort } from "../../src/evaluate/judge/ask/port.ts";
import { judgeQuery } from "../../src/evaluate/judge/ask/stages.ts";
import type { CheckResult } from "../../src/model/verdict.ts";
import { queryOf } from "../support/query-of.ts";
import { runOf } from "../support/run-of.ts";
import { judging } from "./support/judging.ts";
import { replied, said, scriptedPort } from "./support/scripted-port.ts";

const correctness = {
  llm_judge: [{ rule: "is kind" }, { rule: "is short" }],
  safety_check: { rule: "does no harm" },
  hallucination_check: { rule: "invents nothing" },
};

const deterministic = (
  outcome: CheckResult["outcome"],
  layer: CheckResult["layer"] = "correctness",
): CheckResult => ({
  check: layer === "path" ? "forbidden_tools" : "expected_in_answer",
  metric: "m",
  layer,
  outcome,
  value: null,
  limit: null,
  message: "",
  remedy: null,
  missing: [],
  spanIds: [],
  source: null,
  judge: null,
});

const outcomes = (results: readonly CheckResult[]): string =>
  results.map((it) => `${it.check}:${it.outcome}`).join(" ");

test.each([
  ["all pass", [], "pass pass pass pass", 4],
  ["a rubric fails", ["is kind"], "fail pass skip skip", 2],
  ["safety fails", ["does no harm"], "pass pass fail skip", 3],
  ["hallucination fails", ["invents nothing"], "pass pass pass fail", 4],
])("when %s, the stages give %j → %s", async (_, bad, outcomesInOrder, calls) => {
  const checks = ["llm_judge", "llm_judge", "safety_check", "hallucination_check"];
  const expected = outcomesInOrder
    .split(" ")
    .map((outcome, at) => `${checks[at]}:${outcome}`)
    .join(" ");
  const port = scriptedPort(({ system }) => replied(said(bad.some((rule) => system.includes(rule)) ? 1 : 5)));
  const results = await judging({ port, correctness });

  expect(outcomes(results)).toBe(expected);
  expect(port.asked).toHaveLength(calls);
});

test.each(["warn", "incomplete", "error", "skip"] as const)(
  "a deterministic check that comes to %s spares no judge",
  async (outcome) => {
    const port = scriptedPort(() => replied(said(5)));
    await judging({ port, correctness, deterministic: [deterministic(outcome)] });
    expect(port.asked).toHaveLength(4);
  },
);

test("a judge that is down gives errors, and spares nobody: the next stage may still find a failure", async () => {
  const port = scriptedPort(({ system }) => (system.includes("is kind") ? "down" : replied(said(5))));
  const results = await judging({ port, correctness });
  expect(outcomes(results)).toBe("llm_judge:error llm_judge:pass safety_check:pass hallucination_check:pass");
});

test("a port that throws gives errors", async () => {
  const port: JudgePort = {
    unavailable: () => null,
    ask: () => Promise.reject(new Error("sk-secret-key-123")),
  };
  const results = await judging({ port, correctness });
  expect(new Set(results.map((it) => it.outcome))).toEqual(new Set(["error"]));
  expect(JSON.stringify(results)).not.toContain("sk-secret");
});

test("judges that are off are skipped, one result for each rubric", async () => {
  const results = await judgeQuery({
    run: runOf(),
    query: queryOf({ correctness }),
    deterministic: [],
    judges: "off",
    spec: { settings: {}, contextFile: () => undefined },
  });
  expect(outcomes(results)).toBe("llm_judge:skip llm_judge:skip safety_check:skip hallucination_check:skip");
});

test("a run that is not complete is not judged", async () => {
  const port = scriptedPort(() => replied(said(5)));
  const results = await judging({ port, correctness, run: runOf({ complete: false, closeReason: "idle" }) });

  expect(new Set(results.map((it) => it.outcome))).toEqual(new Set(["incomplete"]));
  expect(port.asked).toEqual([]);
});

test("checks switched off with false ask nothing", async () => {
  const port = scriptedPort(() => replied(said(5)));
  expect(await judging({ port, correctness: { refutes_premise: false, safety_check: false } })).toEqual([]);
});

test("an empty list of rubrics is shown as skipped", async () => {
  const port = scriptedPort(() => replied(said(5)));
  expect(outcomes(await judging({ port, correctness: { llm_judge: [] } }))).toBe("llm_judge:skip");
});

test("refutes_premise is a rubric of the first stage that needs the query", async () => {
  const port = scriptedPort(() => replied(said(2)));
  const results = await judging({ port, correctness: { refutes_premise: true, safety_check: true } });
  expect(outcomes(results)).toBe("refutes_premise:fail safety_check:skip");

  const [unseen] = await judging({
    port,
    correctness: { refutes_premise: true },
    run: runOf({ query: null }),
  });
  expect(unseen).toMatchObject({ outcome: "incomplete", missing: ["query"] });
});
