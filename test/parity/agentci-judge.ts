import { expect } from "vitest";
import { completion } from "../judge/support/model-server.ts";
import { correctnessOf, matches, type Section } from "./harness.ts";

const says = (score: number, label = score >= 4 ? "pass" : "fail") =>
  completion({ score, label, rationale: `because ${score}` });

const ensemble = (models: string, more = "") => `version: 1
agent: "*"
judge_config: { ensemble: { enabled: true, models: [${models}]${more} } }
queries:
  - query: "*"
    id: any
    correctness: { llm_judge: [{ rule: Is polite., threshold: 0.7 }] }
`;

/** Scores by the model that is asked. */
const byModel =
  (scores: Readonly<Record<string, number>>, label?: (score: number) => string) =>
  ({ body }: { readonly body: { readonly model: string } }) => {
    const score = scores[body.model] ?? 1;
    return says(score, label?.(score));
  };

export const judge: Section = {
  "a judge replies with score 1–5, label and rationale, at temperature 0": async (bench) => {
    const server = await bench.judge(() => says(4));
    const { checks } = await bench.test("correctness: { llm_judge: [{ rule: Is polite. }] }", {});
    expect(server.received[0]?.body).toMatchObject({ temperature: 0 });
    matches(checks["llm_judge"], { judge: { score: 4, label: "pass", rationale: "because 4" } });
  },
  "a threshold becomes a minimum score: 0 → 1 … 1 → 5": async (bench) => {
    await bench.judge(() => says(3));
    const rules = [0, 0.2, 0.5, 0.7, 0.9, 1].map((at) => `{ rule: At ${at}., threshold: ${at} }`);
    const { verdict } = await bench.test(`correctness: { llm_judge: [${rules.join(", ")}] }`, {});
    const rubrics = correctnessOf(verdict);
    expect(rubrics.map(({ limit }) => limit)).toEqual([1, 1, 3, 4, 5, 5]);
    expect(rubrics.map(({ outcome }) => outcome)).toEqual(["pass", "pass", "pass", "fail", "fail", "fail"]);
  },
  "a judge's label contradicts its score": async (bench) => {
    await bench.judge(() => says(5, "fail"));
    const { checks } = await bench.test("correctness: { llm_judge: [{ rule: Is polite. }] }", {});
    matches(checks["llm_judge"], { outcome: "pass", judge: { label: "fail" } });
  },
  "an ensemble passes by majority and mean": async (bench) => {
    await bench.judge(byModel({ a: 5, b: 4, c: 2 }));
    const { checks } = await bench.test(ensemble("openai/a, openai/b, openai/c"), {});
    // Two of three labels pass, but the mean of 3.67 is below the score of 4 that a threshold of 0.7 asks for.
    matches(checks["llm_judge"], { outcome: "fail", value: 11 / 3, limit: 4 });
  },
  "`--sample-ensemble`": async (bench) => {
    const server = await bench.judge(() => says(5));
    const spec = ensemble("openai/a, openai/b").replace("enabled: true", "enabled: false");
    await bench.test(spec, {}, "--sample-ensemble", "1");
    expect(server.received).toHaveLength(2);
  },
  "judges of different model families are recommended": async (bench) => {
    const { stdout, stderr } = await bench.validate(ensemble("openai/gpt-4o, openai/gpt-4o-mini"));
    expect(stdout + stderr).toMatch(/famil/);
  },
  "templates polite_refusal, factual_grounded, actionable_steps": async (bench) => {
    await bench.judge(() => completion({ score: 5, label: "pass", rationale: "r", claims: [] }));
    const names = ["polite_refusal", "factual_grounded", "actionable_steps"];
    const { verdict } = await bench.test(
      `correctness: { llm_judge: [${names.map((name) => `{ rubric: ${name}@1 }`).join(", ")}] }`,
      {},
    );
    expect(correctnessOf(verdict).map(({ judge: said }) => said?.rubric)).toEqual(
      names.map((name) => `${name}@1`),
    );
  },
  "recommended thresholds: refusal 0.8, grounding 0.8, steps 0.7": async (bench) => {
    await bench.judge(() => completion({ score: 5, label: "pass", rationale: "r", claims: [] }));
    const { verdict } = await bench.test(
      "correctness: { llm_judge: [{ rubric: polite_refusal@1 }, { rubric: factual_grounded@1 }, { rubric: actionable_steps@1 }] }",
      {},
    );
    // 0.8 and 0.7 both ask for a score of 4.
    expect(correctnessOf(verdict).map(({ limit }) => limit)).toEqual([4, 4, 4]);
  },
  "the result contains the mean, the votes and each judge's verdict": async (bench) => {
    await bench.judge(byModel({ a: 5, b: 4, c: 4 }));
    const { checks } = await bench.test(ensemble("openai/a, openai/b, openai/c"), {});
    matches(checks["llm_judge"], {
      value: 13 / 3,
      judge: {
        votes: [
          { model: "openai/a", score: 5, label: "pass", rationale: "because 5" },
          { model: "openai/b", score: 4 },
          { model: "openai/c", score: 4 },
        ],
      },
    });
  },
  "a judge's reply is unusable": async (bench) => {
    const server = await bench.judge(() => completion("I would say it is fine."));
    const { code, checks } = await bench.test("correctness: { llm_judge: [{ rule: Is polite. }] }", {});
    matches(checks["llm_judge"], { outcome: "error" });
    expect([code, server.received.length]).toEqual([2, 2]);
  },
  "rubric, anchors and examples are in the prompt": async (bench) => {
    const server = await bench.judge(() => says(5));
    const rubric =
      "{ rule: Is polite., scale: ['1: rude', '5: kind'], few_shot_examples: [{ input: Hi, output: Go away., score: 1 }] }";
    await bench.test(`correctness: { llm_judge: [${rubric}] }`, {});
    expect(JSON.stringify(server.received[0]?.body)).toMatch(/Is polite\..*rude.*kind.*Go away\./s);
  },
};
