import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { runCli } from "../support/run-cli.ts";
import { specOf } from "../support/spec-of.ts";

let dir = "";
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "import-"));
});
afterAll(() => rmSync(dir, { recursive: true }));

async function imported(kind: string, name: string, text: string) {
  const file = join(dir, name);
  writeFileSync(file, text);
  const out = mkdtempSync(join(dir, "out-"));
  const { code, stderr } = await runCli("init", `--from-${kind}`, file, "--agent", "shop", "--dir", out);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const spec = readFileSync(join(out, "specs", "shop.yaml"), "utf8");
  specOf(spec);
  return { spec: parse(spec), stderr };
}

test("EvalView test cases", async () => {
  const { spec, stderr } = await imported(
    "evalview",
    "ev.yaml",
    `name: Order status
input: { query: "Where is my order?", context: { user: 7 } }
expected:
  tools: [find_order]
  tool_sequence: [login, find_order]
  forbidden_tools: [delete_order]
  output: { contains: [shipped], not_contains: [error] }
  hallucination: { check: true }
thresholds: { min_score: 80, max_cost: 0.05, max_latency: 5000, variance: { runs: 5, pass_rate: 0.8 } }
`,
  );
  expect(spec).toMatchObject({
    preset: "evalview",
    queries: [
      {
        query: "Where is my order?",
        correctness: { expected_in_answer: ["shipped"], not_in_answer: ["error"] },
        path: {
          expected_tools: ["find_order"],
          expected_tool_sequence: ["login", "find_order"],
          forbidden_tools: ["delete_order"],
        },
        cost: { max_cost_usd: 0.05, max_latency_ms: 5000 },
        scoring: { min_score: 80 },
        reliability: { min_runs: 5, min_pass_rate: 0.8 },
      },
    ],
  });
  expect(stderr).toMatch(/not carried over: Order status\.input\.context/);
  expect(stderr).toMatch(/not carried over: Order status\.expected\.hallucination/);
});

test("promptfoo asserts, trajectories among them", async () => {
  const { spec, stderr } = await imported(
    "promptfoo",
    "pf.yaml",
    `prompts: ["Answer: {{question}}"]
providers: [openai:gpt-5]
defaultTest: { assert: [{ type: latency, threshold: 4000 }] }
tests:
  - description: order
    vars: { question: "Where is my order?" }
    assert:
      - { type: icontains, value: shipped }
      - { type: contains-any, value: [today, tomorrow] }
      - { type: not-contains, value: error }
      - { type: llm-rubric, value: is polite, threshold: 0.7 }
      - { type: "trajectory:tool-used", value: find_order }
      - { type: "trajectory:tool-sequence", value: { mode: exact, steps: [login, find_order] } }
      - { type: "trajectory:step-count", value: { type: tool, max: 4 } }
      - { type: cost, threshold: 0.01 }
      - { type: javascript, value: "output.length > 3" }
`,
  );
  expect(spec.queries).toMatchObject([
    {
      query: "Answer: Where is my order?",
      correctness: {
        expected_in_answer: ["shipped"],
        any_expected_in_answer: ["today", "tomorrow"],
        not_in_answer: ["error"],
        llm_judge: [{ rule: "is polite", threshold: 0.7 }],
      },
      path: {
        expected_tools: ["find_order"],
        expected_tool_sequence: ["login", "find_order"],
        sequence_mode: "same-order",
        max_tool_calls: 4,
      },
      cost: { max_cost_usd: 0.01, max_latency_ms: 4000 },
    },
  ]);
  expect(stderr).toMatch(/not carried over: order\.assert\[9\] \(javascript\)/);
});

test("ADK EvalSets, new and old", async () => {
  const evalSet = {
    eval_set_id: "set",
    eval_cases: [
      {
        eval_id: "roll",
        conversation: [
          {
            invocation_id: "1",
            user_content: { parts: [{ text: "Roll a die" }], role: "user" },
            final_response: { parts: [{ text: "You rolled 4." }] },
            intermediate_data: {
              tool_uses: [{ name: "roll_die", args: { sides: 6 } }],
              intermediate_responses: [],
            },
          },
        ],
      },
    ],
  };
  const { spec } = await imported("adk", "set.evalset.json", JSON.stringify(evalSet));
  expect(spec.queries).toMatchObject([
    {
      query: "Roll a die",
      correctness: { llm_judge: [{ rule: "The answer says the same as: You rolled 4." }] },
      path: {
        expected_tool_sequence: ["roll_die"],
        expected_tool_calls: [{ name: "roll_die", arguments: { sides: 6 } }],
      },
    },
  ]);
  const old = [{ query: "Hi", expected_tool_use: [], reference: "Hello!" }];
  expect((await imported("adk", "old.test.json", JSON.stringify(old))).spec.queries).toMatchObject([
    { query: "Hi" },
  ]);
});

test("reference trajectories of agentevals", async () => {
  const messages = [
    { role: "user", content: "What is the weather?" },
    {
      role: "assistant",
      content: "",
      tool_calls: [{ function: { name: "get_weather", arguments: '{"city": "SF"}' } }],
    },
    { role: "tool", content: "sunny" },
    { role: "assistant", content: "It is sunny." },
  ];
  const { spec } = await imported(
    "agentevals",
    "reference.json",
    JSON.stringify({ reference_outputs: messages }),
  );
  expect(spec.queries).toMatchObject([
    {
      query: "What is the weather?",
      path: {
        expected_tools: ["get_weather"],
        expected_tool_calls: [{ name: "get_weather", arguments: { city: "SF" } }],
      },
    },
  ]);
});

test("AgentCI: a spec stays as it is, a suite of the first kind is turned into one", async () => {
  const text = "# ours\nagent: shop\nqueries:\n  - query: Hi\n";
  expect((await imported("agentci", "v2.yaml", text)).spec).toEqual({
    agent: "shop",
    queries: [{ query: "Hi" }],
  });
  const { spec, stderr } = await imported(
    "agentci",
    "v1.yaml",
    `agent: shop
tests:
  - name: book
    input: Book a flight
    max_steps: 5
    assertions:
      - { type: tool_called, tool: book_flight }
      - { type: cost_under, threshold: 0.1 }
      - { type: arg_equals, tool: book_flight, arg: to, value: JFK }
`,
  );
  expect(spec.queries).toMatchObject([
    {
      query: "Book a flight",
      path: { expected_tools: ["book_flight"], max_tool_calls: 5 },
      cost: { max_cost_usd: 0.1 },
    },
  ]);
  expect(stderr).toMatch(/assertion arg_equals/);
});
