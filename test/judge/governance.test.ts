import { describe, expect, test } from "vitest";
import { labelOf, readLabels } from "../../src/evaluate/judge/audit/labels.ts";
import { judgeOutputQuality } from "../../src/evaluate/evaluate-with-judges.ts";
import { judgeProvenance } from "../../src/evaluate/judge/ask/provenance.ts";
import { sessionOf } from "../../src/evaluate/judge/ask/session.ts";
import { judgePrice } from "../../src/judge/providers/price.ts";
import { refusal } from "../../src/judge/resolve.ts";
import { createPricer } from "../../src/model/price/price.ts";
import { runOf } from "../support/run-of.ts";
import { judgesOf, judging } from "./support/judging.ts";
import { replied, said, scriptedPort } from "./support/scripted-port.ts";

test("--judge required lists every judge that can not be asked; other modes do not mind", () => {
  const problems = [
    { model: "claude-x", message: "claude-x needs a key", remedy: "set ANTHROPIC_API_KEY" },
    { model: "gpt-4o", message: "gpt-4o needs a key", remedy: "set OPENAI_API_KEY" },
  ];
  expect(refusal("required", problems)).toMatch(/ANTHROPIC_API_KEY[\s\S]*OPENAI_API_KEY/);
  expect([refusal("auto", problems), refusal("required", [])]).toEqual([null, null]);
});

describe("output quality", () => {
  const ids = ["answers_question", "accurate", "structured", "follows_instructions"];
  const quality = (port: Parameters<typeof judgesOf>[0]) =>
    judgeOutputQuality(sessionOf(runOf(), judgesOf(port), { settings: {}, contextFile: () => undefined }));

  test("is the mean of EvalView's four criteria, of 100", async () => {
    const criteria = ids.map((id, i) => ({ id, reason: "r", applicable: true, score: i / 4 }));
    const port = scriptedPort(() => replied({ criteria, rationale: "r" }));
    expect(await quality(port)).toMatchObject({ value: ((0 + 0.25 + 0.5 + 0.75) / 4) * 100 });
  });

  test("is unknown when the judge fails, not zero", async () => {
    expect(await quality(scriptedPort(() => "down"))).toMatchObject({ value: null });
  });
});

test("provenance names every model with the hash of its instructions, once", async () => {
  const port = scriptedPort(() => replied(said(5)));
  const settings = { ensemble: { enabled: true, models: ["b", "a", "a"] } };
  const results = await judging({ port, settings, correctness: { llm_judge: [{ rule: "r" }] } });
  const hash = results[0]?.judge?.promptHash ?? "";
  expect(judgeProvenance([...results, ...results])).toEqual([`a@${hash}`, `b@${hash}`]);
  expect(hash).toMatch(/^[0-9a-f]{16}$/);
});

test("judge calls are priced by the table that prices the agents' calls", () => {
  const price = judgePrice(createPricer({ "house-judge": { input: 2, output: 10 } }), () => 0);
  expect(price("house-judge", { input: 1_000_000, output: 100_000, cached: null })).toBeCloseTo(3, 12);
  expect(price("nobody-knows", { input: 1, output: 1, cached: null })).toBeNull();
});

describe("labels", () => {
  test("are read from YAML and found by run, query id or text", () => {
    const read = readLabels('"What is your return window?": pass\ngift-cards: fail\nt-1: fail\n');
    const labels = read.ok ? read.labels : new Map<string, "pass" | "fail">();
    expect(labelOf(labels, "t-9", "returns", "What is your return window?")).toBe("pass");
    expect(labelOf(labels, "t-9", "gift-cards", "Gift cards?")).toBe("fail");
    expect(labelOf(labels, "t-1", "returns", "What is your return window?")).toBe("fail");
    expect(labelOf(labels, "t-9", "x", null)).toBeNull();
  });

  test.each(["a: maybe", "- pass", "a: [", "just text"])("that are none are refused: %s", (source) => {
    expect(readLabels(source)).toMatchObject({ ok: false });
  });
});
