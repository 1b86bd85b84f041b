import { describe, expect, test } from "vitest";
import type { CheckResult } from "../../src/model/verdict.ts";
import { layers } from "../../src/model/outcome.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { createJudgeRun } from "../../src/pipeline/judge-run.ts";
import { evaluatedBy } from "../judge/support/judging.ts";
import { replied, said, scriptedPort } from "../judge/support/scripted-port.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { specOf } from "../support/spec-of.ts";

const quota = "429: quota exceeded";
const failed: RunText = { status: "error", error: quota, answer: null };

function specWith(query = ""): string {
  return `agent: "*"\nqueries:\n  - query: "*"\n${query.replace(/^(?=.)/gm, "    ")}`;
}

/** The verdict of a spec with one query; judges are asked nothing unless they are incomplete. */
function verdictOn(run: RunText, yaml: string, judge: "off" | "incomplete" = "incomplete"): Verdict {
  const judgeRun = createJudgeRun({ specs: [specOf(yaml)], judgeSkipPolicy: { judge }, engine: "0" });
  const [verdict] = judgeRun(runOf(run)).verdicts;
  if (verdict === undefined) throw new Error("no verdict");
  return verdict;
}

function checksOf({ layers: results }: Pick<Verdict, "layers">): readonly CheckResult[] {
  return layers.flatMap((layer) => results[layer].checks);
}

function resultOf(key: string, verdict: Pick<Verdict, "layers">): CheckResult | undefined {
  return checksOf(verdict).find(({ check }) => check === key);
}

describe("every query expects that the run ended without an error", () => {
  test("a run that failed fails a query that writes nothing, with the error's text", () => {
    const verdict = verdictOn(failed, specWith());

    expect(verdict).toMatchObject({ outcome: "fail", hardFail: true });
    expect(resultOf("run_status", verdict)).toMatchObject({
      layer: "correctness",
      outcome: "fail",
      value: "error",
      limit: "ok",
      message: quota,
      remedy: null,
      source: { file: "test.yaml", line: 3 },
    });
  });

  test.each([
    ["ok", {}, "pass"],
    ["ok", failed, "fail"],
    ["error", failed, "pass"],
    ["error", {}, "fail"],
    ["any", {}, "skip"],
    ["any", failed, "skip"],
    ["ok", { status: null }, "skip"],
    ["error", { status: null }, "skip"],
    ["ok", { complete: false }, "skip"],
    ["error", { complete: false }, "skip"],
    ["ok", { ...failed, complete: false }, "fail"],
  ] satisfies [string, RunText, string][])("run_status: %s on %j is %s", (limit, run, outcome) => {
    const yaml = specWith(`correctness: { run_status: ${limit} }`);
    expect(resultOf("run_status", verdictOn(run, yaml))?.outcome).toBe(outcome);
  });

  test("the defaults of a spec hold, and the query's own value wins", () => {
    const yaml = `agent: "*"\ndefaults: { correctness: { run_status: any } }\nqueries:\n  - query: "*"`;
    expect(verdictOn(failed, yaml).outcome).toBe("skip");
    expect(verdictOn(failed, `${yaml}\n    correctness: { run_status: ok }`).outcome).toBe("fail");
  });

  test.each([
    ["of the check", "severity: { run_status: warn }"],
    ["of the layer", "correctness: { severity: warn }"],
    ["of the check within its layer", "correctness: { severity: { run_status: warn } }"],
  ])("the severity %s softens it", (_, severity) => {
    const verdict = verdictOn(failed, specWith(severity));
    expect(verdict).toMatchObject({ outcome: "warn", hardFail: false });
    expect(resultOf("run_status", verdict)?.message).toBe(quota);
  });

  test("a conversation failed where one of its turns did", () => {
    const turns = [runOf(), runOf({ ...failed, query: "And now?" })];
    const judgeRun = createJudgeRun({
      specs: [specOf(`agent: "*"\nqueries:\n  - query: "*"\n    scope: conversation`)],
      judgeSkipPolicy: { judge: "off" },
      engine: "0",
    });
    const [verdict] = judgeRun(runOf({ status: "error", error: quota, turns })).verdicts;
    expect(resultOf("run_status", verdict as Verdict)).toMatchObject({ outcome: "fail", message: quota });
  });
});

describe("evidence that a failed run could not leave", () => {
  const yaml = specWith(
    `correctness:
  expected_in_answer: [way]
  not_in_answer: [sorry]
  exact_match: a
  regex_match: a
  json_schema: {}
  grounded: {}
  llm_judge: [{ rule: It is kind. }]
  safety_check: true
path: { max_tool_calls: 3, expected_handoffs_available: [billing] }
cost: { max_total_tokens: 5000, max_llm_calls: 3, max_cost_usd: 1 }`,
  );

  test("skips the checks that need it, and none speaks of content capture", () => {
    const found = checksOf(verdictOn({ ...failed, llm: [{ error: quota }], llmCalls: null }, yaml));

    expect(found.map(({ outcome }) => outcome)).not.toContain("incomplete");
    const skipped = found.filter(({ outcome }) => outcome === "skip");
    expect(skipped.length).toBeGreaterThan(8);
    for (const { message, remedy, missing } of skipped) {
      expect([remedy, missing]).toEqual([null, []]);
      expect(message).toMatch(/the run ended in an error|failed/);
    }
  });

  test("skips them where the failure is accepted, too", () => {
    const accepted = yaml.replace("correctness:", "correctness:\n      run_status: any");
    const verdict = verdictOn({ ...failed, llmCalls: null }, accepted);

    expect(checksOf(verdict).map(({ outcome }) => outcome)).not.toContain("incomplete");
    expect(resultOf("llm_judge", verdict)).toMatchObject({ outcome: "skip", remedy: null });
    expect(verdict.outcome).toBe("pass");
  });

  test.each([
    ["correctness: { run_status: any, expected_in_answer: [way] }", "skip", "skip"],
    [
      "severity: { run_status: warn }\ncorrectness: { expected_in_answer: [way] }",
      "incomplete",
      "incomplete",
    ],
  ])("an expected answer that the error prevented, with %s, is %s", (lines, outcome, whole) => {
    const verdict = verdictOn(failed, specWith(lines));
    expect(resultOf("expected_in_answer", verdict)?.outcome).toBe(outcome);
    expect(verdict.outcome).toBe(whole);
  });

  test("evidence that the run had and the telemetry left out stays missing", () => {
    const calls = {
      llm: [{ usage: {} }, { usage: { input: 1, output: 1 } }, { error: quota }],
      llmCalls: null,
      tools: [{ arguments: undefined }],
    };
    const found = verdictOn(
      { ...failed, ...calls },
      specWith(
        "path: { expected_tool_calls: [{ name: search, arguments: { a: 1 } }] }\ncost: { max_total_tokens: 5 }",
      ).replace("name: search", 'name: "tool"'),
    );
    expect(resultOf("max_total_tokens", found)).toMatchObject({ outcome: "incomplete", missing: ["usage"] });
  });
});

describe("evidence that a failure did not prevent is incomplete, as in any run", () => {
  const used = { usage: { input: 10, output: 5 } };
  const counted = { llm: [used], llmCalls: 1, usage: { input: 10, output: 5 } };

  const noPrice = "cost: { max_cost_usd: 0 }";
  const inAnswer = "correctness: { expected_in_answer: [a] }";
  const bySide = { gives: ["query", "answer"], set: "unset HIDE_OUTPUTS", bySide: true as const };
  const noSpans: RunText = { ...counted, missing: [{ what: "tools", why: "no spans" }] };
  const negative: RunText = { llm: [{ usage: { input: -10, output: 5 } }], totalTokens: -5 };
  const ofTool = "path: { expected_tool_calls: [{ name: t, arguments: { a: 1 } }] }";

  test.each([
    ["a model without a price", { ...counted }, noPrice, "cost"],
    ["a failed call with tokens and no price", { llm: [{ ...used, error: quota }] }, noPrice, "cost"],
    ["negative tokens", negative, "cost: { max_total_tokens: 9 }", "usage"],
    ["content capture switched off", { ...counted, query: null }, inAnswer, "answer"],
    ["a switch for outputs only", { ...counted, settings: [bySide] }, inAnswer, "answer"],
    ["tools that the instrumentation hides", noSpans, "path: { forbidden_tools: [drop] }", "tools"],
    [
      "arguments of a tool that worked",
      { tools: [{ name: "t", arguments: undefined }] },
      ofTool,
      "tool_arguments",
    ],
    ["agents on offer", { ...counted }, "path: { expected_handoffs_available: [b] }", "handoffs_available"],
  ] satisfies [string, RunText, string, string][])("%s", (_, run, checks, missing) => {
    const yaml = specWith(
      checks.includes("correctness")
        ? checks.replace("{", "{ run_status: any,")
        : `correctness: { run_status: any }\n${checks}`,
    );
    const verdict = verdictOn({ ...failed, ...run }, yaml);
    const key = /\{ (\w+):/.exec(checks)?.[1] ?? "";
    expect(resultOf(key, verdict)).toMatchObject({ outcome: "incomplete", missing: [missing] });
  });
});

describe("an answer that was captured before the run failed", () => {
  const answered = { ...failed, answer: "Sorry, it is 20 degrees." };

  test.each([
    ["complete", true],
    ["incomplete", false],
  ])("no judge is asked about it, be the run %s", async (_, complete) => {
    const port = scriptedPort(() => replied(said(5)));
    const spec = specOf(specWith("correctness: { llm_judge: [{ rule: It is kind. }] }"));
    const evaluation = await evaluatedBy(spec, port, runOf({ ...answered, complete }));

    expect(port.asked).toHaveLength(0);
    expect(resultOf("llm_judge", evaluation)).toMatchObject({
      outcome: "skip",
      message: "not judged: run_status failed in an earlier stage",
    });
  });

  test("a judge that needs no answer is asked where the failure is accepted; one that does is not", async () => {
    const port = scriptedPort(() => replied(said(5)));
    const spec = specOf(
      specWith(
        "correctness: { run_status: any, llm_judge: [{ rule: It asked first., inputs: [query, tools] }, { rule: It is kind. }] }",
      ),
    );
    const { layers: found } = await evaluatedBy(spec, port, runOf({ ...failed, tools: ["ask"] }));

    const [first, second] = found.correctness.checks.filter(({ check }) => check === "llm_judge");
    expect(second).toMatchObject({ outcome: "skip", remedy: null });
    expect(second?.message).toContain("the run ended in an error and gave no answer");
    expect(first?.outcome).not.toBe("skip");
  });
});

describe("a run that is not complete", () => {
  const exceeded = { complete: false, tools: ["a", "b"], totalTokens: 900 };
  const budgets = "path: { max_tool_calls: 0 }\ncost: { max_total_tokens: 1 }";

  test("is never better than incomplete, even where every budget is exceeded already", () => {
    const verdict = verdictOn(exceeded, specWith(budgets));

    expect(verdict.outcome).toBe("incomplete");
    expect(resultOf("max_tool_calls", verdict)?.outcome).toBe("warn");
    expect(verdict.layers.cost.outcome).toBe("warn");
  });

  test("keeps the failures that more spans cannot undo", () => {
    const verdict = verdictOn(exceeded, specWith(`${budgets}\nseverity: { max_tool_calls: fail }`));
    expect(verdict.outcome).toBe("fail");
  });

  test("stays incomplete where its failure is waived", () => {
    const waiver = '\nwaivers: [{ check: max_tool_calls, owner: ann, reason: known, expires: "2099-01-01" }]';
    const spec = specOf(specWith(`path: { max_tool_calls: 0 }\nseverity: { path: fail }`) + waiver);
    const judgeRun = createJudgeRun({
      specs: [spec],
      judgeSkipPolicy: { judge: "off" },
      engine: "0",
      today: () => "2026-01-01",
    });
    const [verdict] = judgeRun(runOf(exceeded)).verdicts;

    expect(verdict?.outcome).toBe("incomplete");
    expect(resultOf("max_tool_calls", verdict as Verdict)?.waiver).toMatchObject({ owner: "ann" });
  });
});
