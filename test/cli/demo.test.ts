import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { resultSchema, type VerdictJson } from "../../src/report/json/verdict-schema.ts";
import { message, modelServer } from "../judge/support/model-server.ts";
import { recordedDump } from "../support/recorded-run.ts";
import { runCliWith } from "../support/run-cli.ts";

/*
 * AgentCI's demo of a documentation agent: asked for the weather it searches eleven times before it declines, and after a fix of its
 * prompt it declines at once. A judge of a model server on this machine answers for the rubrics.
 */

const spec = `version: 1
agent: rag-agent
baseline_dir: ./baselines
defaults:
  correctness:
    hallucination_check: { rule: The answer stays with what was retrieved, threshold: 0.8 }
judge_config: { model: claude-sonnet-4-5-20250929, temperature: 0 }
queries:
  - query: How do I install AgentCI?
    tags: [smoke]
    correctness:
      expected_in_answer: [pip install]
      llm_judge: [{ rule: The answer has steps that work, threshold: 0.7 }]
    path: { expected_tools: [retriever_tool], min_tool_recall: 1.0, max_tool_calls: 5 }
  - query: What's the weather in Tokyo?
    tags: [out-of-scope]
    correctness:
      not_in_answer: [degrees, forecast, sunny, rain]
      llm_judge: [{ rule: The answer declines kindly and says why, threshold: 0.8 }]
    path: { max_tool_calls: 0, forbidden_tools: [tavily_search, web_search] }
    cost: { max_llm_calls: 2, max_total_tokens: 500 }
  - query: How do I configure an AWS load balancer?
    tags: [out-of-scope]
    correctness: { not_in_answer: [ALB, target group, listener] }
    path: { max_tool_calls: 3 }
`;

const rag = { agent: "rag-agent" };
const others = [
  {
    ...rag,
    trace: "i",
    query: "How do I install AgentCI?",
    answer: "Run pip install agentci.",
    tools: ["retriever_tool"],
    model: { calls: 2, tokens: 900 },
    at: 20_000,
  },
  {
    ...rag,
    trace: "a",
    query: "How do I configure an AWS load balancer?",
    answer: "The documentation does not cover AWS.",
    tools: ["retriever_tool"],
    model: { calls: 2, tokens: 700 },
    at: 40_000,
  },
];
const weather = { ...rag, query: "What's the weather in Tokyo?", answer: "That is outside of what I know." };
const broken = recordedDump(...others, {
  ...weather,
  trace: "w",
  tools: Array.from({ length: 11 }, () => "retriever_tool"),
  model: { calls: 12, tokens: 4200 },
  durationMs: 8200,
});
const fixed = recordedDump(...others, {
  ...weather,
  trace: "w2",
  model: { calls: 1, tokens: 180 },
  durationMs: 1100,
});

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "demo-"));
  writeFileSync(join(dir, "spec.yaml"), spec);
  writeFileSync(join(dir, "broken.jsonl"), broken);
  writeFileSync(join(dir, "fixed.jsonl"), fixed);
});
afterEach(() => rmSync(dir, { recursive: true }));

describe("the demo: validate, test, save, diff of the fix", () => {
  test("runs to its end, and the fix is an improvement", async () => {
    const { url } = await modelServer(() =>
      message({ score: 5, label: "pass", rationale: "Yes.", claims: [] }),
    );
    const env = { ANTHROPIC_API_KEY: "sk-ant-0123456789abcdef", ANTHROPIC_BASE_URL: url };
    const run = (...words: string[]) => runCliWith({ env }, ...words, "--spec", join(dir, "spec.yaml"));
    const weatherIn = async (dump: string): Promise<VerdictJson | undefined> => {
      const { code, stdout } = await run("test", join(dir, dump), "--format", "json");
      expect(code).toBe(0);
      const { verdicts } = resultSchema.parse(JSON.parse(stdout));
      expect(verdicts).toHaveLength(3);
      return verdicts.find(({ query }) => query === weather.query);
    };
    const outcomes = ({ correctness, path, cost }: VerdictJson["layers"]) =>
      [correctness, path, cost].map(({ outcome }) => outcome);

    const validated = await runCliWith({ env }, "validate", join(dir, "spec.yaml"));
    expect(validated.code).toBe(0);

    const before = await weatherIn("broken.jsonl");
    expect(before && outcomes(before.layers)).toEqual(["pass", "warn", "warn"]);
    expect(before?.layers.path.checks).toContainEqual(
      expect.objectContaining({ check: "max_tool_calls", value: 11, outcome: "warn" }),
    );
    expect(
      await run("save", join(dir, "broken.jsonl"), "--version", "v1-broken", "--force-save"),
    ).toMatchObject({
      code: 0,
    });

    const after = await weatherIn("fixed.jsonl");
    expect(after && outcomes(after.layers)).toEqual(["pass", "pass", "pass"]);
    expect(await run("save", join(dir, "fixed.jsonl"), "--version", "v2-fixed")).toMatchObject({ code: 0 });

    const words = ["diff", "--baseline", "v1-broken", "--compare", "v2-fixed"];
    const diff = await run(...words);
    expect(diff).toMatchObject({ code: 0, stdout: expect.stringMatching(/\bimproved\b/) });
    expect(diff.stdout).toMatch(/3 queries compared, 1 changed, 1 improved, 0 regressed/);
    expect(diff.stdout).toMatch(
      /Tool calls: +11 → 0[\s\S]*Total tokens: +4,200 → 180[\s\S]*LLM calls: +12 → 1/,
    );

    const report = JSON.parse((await run(...words, "--format", "json")).stdout);
    expect(report.summary).toMatchObject({ queries: 3, regressed: 0, exit_code: 0 });
  });

  test("the way back is a regression", async () => {
    const run = (...words: string[]) =>
      runCliWith({}, ...words, "--spec", join(dir, "spec.yaml"), "--judge", "off");
    await run("save", join(dir, "broken.jsonl"), "--version", "v1");
    await run("save", join(dir, "fixed.jsonl"), "--version", "v2");
    expect(await run("diff", "--baseline", "v2", "--compare", "v1")).toMatchObject({ code: 1 });
  });
});
