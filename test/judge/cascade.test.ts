import { describe, expect, test } from "vitest";
import type { CascadeStep } from "../../src/evaluate/judge/ask/cascade-step.ts";
import { type CalibratedScore, surenessOf } from "../../src/evaluate/judge/ask/sureness.ts";
import { auditRubric } from "../../src/evaluate/judge/audit/audit.ts";
import { judgeProvenance } from "../../src/evaluate/judge/ask/provenance.ts";
import type { JsonValue } from "../../src/model/json.ts";
import { runOf } from "../support/run-of.ts";
import { judgedOnce } from "./support/judging.ts";
import { replied, said, type ScriptedPort, scriptedPort } from "./support/scripted-port.ts";

const rubric = { name: "kind", rule: "The answer is kind", threshold: 0.7 };
const settings = { model: "openai/strong", cascade: { first: "openai/cheap" } };

/** Scores by model. */
function scoring(scores: Readonly<Record<string, JsonValue>>): ScriptedPort {
  return scriptedPort(({ model }) => {
    const reply = scores[model];
    return reply === "down" || reply === undefined ? "down" : replied(reply);
  });
}

async function cascaded(
  port: ScriptedPort,
  calibration: readonly CalibratedScore[] = [],
  more: Readonly<Record<string, JsonValue>> = {},
) {
  const steps: CascadeStep[] = [];
  const result = await judgedOnce({
    port,
    correctness: { llm_judge: [{ ...rubric, ...more }] },
    settings,
    judges: { onCascade: (step) => steps.push(step), calibration: () => calibration },
  });
  return { result, steps, asked: port.asked.map(({ model }) => model) };
}

describe("without an audit", () => {
  test.each([
    [5, "pass", "pass"],
    [2, "fail", "fail"],
    [1, "fail", "fail"],
  ])("a cheap score of %i that its label (%s) agrees with decides alone", async (score, label, outcome) => {
    const port = scoring({ "openai/cheap": said(score, label), "openai/strong": said(3) });
    const { result, steps, asked } = await cascaded(port);

    expect(asked).toEqual(["openai/cheap"]);
    expect(result).toMatchObject({ outcome, value: score });
    expect(result.judge).toMatchObject({
      model: "openai/cheap",
      first: { model: "openai/cheap", score, decided: true, why: "the score is far from the limit" },
    });
    expect(result.message).toContain("decided by openai/cheap alone");
    expect(steps).toMatchObject([{ first: "openai/cheap", spared: ["openai/strong"] }]);
  });

  test.each([
    [4, "pass", "close to the limit"],
    [3, "fail", "close to the limit"],
    [5, "borderline", "the label borderline contradicts the score"],
    [2, "pass", "the label pass contradicts the score"],
  ])("a cheap score of %i (%s) asks the strong judge, who decides", async (score, label, why) => {
    const port = scoring({ "openai/cheap": said(score, label), "openai/strong": said(1, "fail") });
    const { result, steps, asked } = await cascaded(port);

    expect(asked).toEqual(["openai/cheap", "openai/strong"]);
    expect(result).toMatchObject({ outcome: "fail", value: 1, judge: { model: "openai/strong" } });
    expect(result.judge?.first).toMatchObject({ score, decided: false, why: expect.stringContaining(why) });
    expect(result.message).toContain("openai/cheap was not sure");
    expect(steps).toMatchObject([{ spared: [] }]);
    expect(judgeProvenance([result])).toHaveLength(2);
  });

  test("of shares and criteria, a score within 0.1 of the threshold is not sure", () => {
    const sure = (score: number) =>
      surenessOf({ score, label: score >= 0.7 ? "pass" : "fail" }, 0.7, true, [], 0.9).isSure;
    expect([0.5, 0.59, 0.65, 0.75, 0.8, 1].map(sure)).toEqual([true, true, false, false, true, true]);
  });
});

describe("with labels in the audit", () => {
  const calibration = [
    { score: 2, cases: 4, right: 4 },
    { score: 4, cases: 20, right: 19 },
    { score: 5, cases: 10, right: 8 },
  ];

  test("the share of answers with this score that it was right about decides, whatever the rule says", async () => {
    const near = scoring({ "openai/cheap": said(4, "pass"), "openai/strong": said(1) });
    const { result, asked } = await cascaded(near, calibration);
    expect(asked).toEqual(["openai/cheap"]);
    expect(result.message).toContain("labels agreed with 19 of 20 answers that the model scored 4");

    const clear = scoring({ "openai/cheap": said(5, "pass"), "openai/strong": said(1, "fail") });
    expect((await cascaded(clear, calibration)).asked).toEqual(["openai/cheap", "openai/strong"]);
  });

  test.each([
    [2, "fewer than five answers had it"],
    [1, "no answer had it"],
  ])("a score of %i is not sure: %s", async (score) => {
    const port = scoring({ "openai/cheap": said(score, "fail"), "openai/strong": said(5) });
    expect((await cascaded(port, calibration)).result).toMatchObject({ outcome: "pass", value: 5 });
  });

  test("fewer than five labels in all leave it to the rule", async () => {
    const port = scoring({ "openai/cheap": said(5), "openai/strong": said(1) });
    const { result } = await cascaded(port, [{ score: 5, cases: 4, right: 0 }]);
    expect(result.judge?.first?.why).toBe("the score is far from the limit");
  });

  test("what judge-audit writes is counted by the first reply to each labelled case", () => {
    const labelled = (score: number, outcome: "pass" | "fail", label: "pass" | "fail" | null) => ({
      id: `${score}`,
      outcomes: [outcome, outcome],
      score,
      label,
      checks: null,
    });
    const audit = auditRubric("r@1", "m", [
      labelled(5, "pass", "pass"),
      labelled(5, "pass", "fail"),
      labelled(1, "fail", "fail"),
      labelled(4, "pass", null),
    ]);
    expect(audit.calibration).toEqual([
      { score: 1, cases: 1, right: 1 },
      { score: 5, cases: 2, right: 1 },
    ]);
  });
});

describe("a first model that is no help changes nothing", () => {
  test("when it fails", async () => {
    const { result, asked, steps } = await cascaded(
      scoring({ "openai/cheap": "down", "openai/strong": said(5) }),
    );
    expect(result).toMatchObject({ outcome: "pass", judge: { model: "openai/strong", votes: [] } });
    expect(result.judge?.first).toBeUndefined();
    expect({ asked, steps }).toEqual({ asked: ["openai/cheap", "openai/strong"], steps: [] });
  });

  test("when it has no key", async () => {
    const port = scoring({ "openai/strong": said(5) });
    const keyless = {
      ...port,
      unavailable: (model: string) =>
        model === "openai/cheap" ? { message: "needs a key", remedy: "set KEY" } : null,
    };
    expect((await cascaded(keyless)).asked).toEqual(["openai/strong"]);
  });

  test("when it is the rubric's own judge", async () => {
    const { asked } = await cascaded(scoring({ "openai/cheap": said(4) }), [], { model: "openai/cheap" });
    expect(asked).toEqual(["openai/cheap"]);
  });

  test("when the strong judge fails, its failure is the result", async () => {
    const { result } = await cascaded(scoring({ "openai/cheap": said(4), "openai/strong": "down" }));
    expect(result).toMatchObject({ outcome: "error", value: null });
  });
});

test("a rubric that blocks only when audited looks at the judge that decided", async () => {
  const port = scoring({ "openai/cheap": said(1, "fail"), "openai/strong": said(1, "fail") });
  const result = await judgedOnce({
    port,
    run: runOf(),
    correctness: { llm_judge: [{ ...rubric, blocking: "only-if-audited" }] },
    settings,
    judges: { audited: (_, models) => models.join() === "openai/strong" },
  });
  expect(result.outcome).toBe("warn");
});
