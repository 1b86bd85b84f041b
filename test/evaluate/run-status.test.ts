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
  test("the defaults of a spec hold, and the query's own value wins", () => {
    const yaml = `agent: "*"\ndefaults: { correctness: { run_status: any } }\nqueries:\n  - query: "*"`;
    expect(verdictOn(failed, yaml).outcome).toBe("skip");
    expect(verdictOn(failed, `${yaml}\n    correctness: { run_status: ok }`).outcome).toBe("fail");
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
