import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import type { ToolCall } from "../../src/model/run.ts";
import { type ImportKind, importSpec } from "../../src/interfaces/cli/authoring/import-spec.ts";
import { UserError } from "../../src/support/process/io.ts";
import { runOf } from "../support/run-of.ts";
import { runCli } from "../support/run-cli.ts";
import { specOf } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const dir = temporaryFolder();

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
  expect(stderr).toMatch(/not converted: Order status\.input\.context/);
  expect(stderr).toMatch(/not converted: Order status\.expected\.hallucination/);
});

describe("EvalView", () => {
  const queryOf = async (more: string) => {
    const text = `name: Order status\ninput: { query: "Where is my order?" }\n${more}\n`;
    const { spec, stderr } = await imported("evalview", "one.yaml", text);
    return { query: spec.queries[0], stderr };
  };

  test("a confidence is reported as left out: it would change what the rate is compared with", async () => {
    const { query, stderr } = await queryOf("thresholds: { variance: { confidence: 0.9 } }");

    expect(query.reliability).toEqual({ min_runs: 10, min_pass_rate: 0.8 });
    expect(stderr).toMatch(/not converted: .*variance\.confidence \(EvalView compares the rate itself/);
  });

  test("limits on scores bring a score, with EvalView's weights", async () => {
    const { query } = await queryOf("thresholds: { variance: { min_mean_score: 75 } }");

    expect(query.scoring).toEqual({
      weights: { tool_accuracy: 0.3, output_quality: 0.5, sequence_correctness: 0.2 },
    });
  });

  const weights = "{ tool_accuracy: 0.5, output_quality: 0.3, sequence_correctness: 0.2 }";
  const written = { tool_accuracy: 0.5, output_quality: 0.3, sequence_correctness: 0.2 };

  test("weights and checks of a suite hold for all its tests", async () => {
    const { spec, stderr } = await imported(
      "evalview",
      "suite.yaml",
      `weights: ${weights}
checks: { hallucination: true }
owner: ann
tests:
  - { name: one, input: { query: One? }, thresholds: { min_score: 80 } }
  - { name: two, input: { query: Two? } }
`,
    );

    expect(spec).toMatchObject({
      scoring: { weights: written },
      defaults: { correctness: { hallucination_check: true } },
    });
    expect(spec.queries[0].scoring).toEqual({ min_score: 80 });
    expect(stderr).toMatch(/not converted: .*suite\.owner/);
    expect(stderr).not.toMatch(/weights|checks/);
  });

  test("weights of the configuration beside the tests hold for all of them", async () => {
    const folder = mkdtempSync(join(dir, "evalview-"));
    writeFileSync(join(folder, "config.yaml"), `adapter: http\nweights: ${weights}\n`);
    writeFileSync(join(folder, "one.yaml"), "name: one\ninput: { query: One? }\n");
    const out = mkdtempSync(join(dir, "out-"));
    const ran = await runCli("init", "--from-evalview", folder, "--agent", "shop", "--dir", out);
    const spec = parse(readFileSync(join(out, "specs", "shop.yaml"), "utf8"));

    expect(ran.code).toBe(0);
    expect(spec.scoring).toEqual({ weights: written });
    expect(ran.stderr).toMatch(/not converted: .*config\.yaml: file\.adapter/);
  });

  test("sequence_mode is kept without a sequence", async () => {
    const { query, stderr } = await queryOf(
      "adapter_config: { sequence_mode: unordered }\nexpected: { tools: [find_order] }",
    );

    expect(query.path).toEqual({ expected_tools: ["find_order"], sequence_mode: "unordered" });
    expect(stderr).not.toContain("sequence_mode");
  });
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
        regex_match: "today|tomorrow",
        not_regex_match: "error",
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
  expect(stderr).toMatch(/not converted: order\.assert\[8\] \(javascript\)/);
});

test("promptfoo: a run that calls other tools beside one whose arguments are looked at passes, as it does there", async () => {
  const { spec, stderr } = await imported(
    "promptfoo",
    "args.yaml",
    `prompts: ["{{question}}"]
tests:
  - vars: { question: "Book flight 7" }
    assert:
      - { type: "trajectory:tool-used", value: [search, book] }
      - { type: "trajectory:tool-args-match", value: { name: book, args: { id: 7 } } }
      - { type: "trajectory:tool-args-match", value: { name: book, args: { id: 8 } } }
      - { type: "trajectory:tool-args-match", value: { name: pay, args: { eur: 5 }, mode: exact } }
`,
  );
  expect(stderr).not.toMatch(/not converted/);
  const [query] = specOf(stringify(spec)).queries;
  if (query === undefined) throw new Error("no query");
  const outcome = (...tools: readonly Partial<ToolCall>[]): string => {
    const run = runOf({ query: "Book flight 7", tools: [{ name: "search" }, ...tools] });
    return evaluateQuery(run, query, { reference: { missing: "not-asked", version: null }, judge: "off" })
      .outcome;
  };
  const seven = { name: "book", arguments: { id: 7, seat: "4A" } };
  const eight = { name: "book", arguments: { id: 8 } };
  const pay = { name: "pay", arguments: { eur: 5 } };
  expect(outcome(seven, eight, pay)).toBe("pass");
  expect(outcome(seven, eight, pay, { name: "pay", arguments: { eur: 9 } }, { name: "mail" })).toBe("pass");
  expect(outcome(seven, pay)).toBe("fail");
  expect(outcome(seven, eight, { name: "pay", arguments: { eur: 5, tip: 1 } })).toBe("fail");
});

test("promptfoo: what a test asserts fails it here, too; a question asked twice is one query", async () => {
  const { spec, stderr } = await imported(
    "promptfoo",
    "fails.json",
    JSON.stringify({
      prompts: ["{{q}}"],
      tests: [
        { vars: { q: "Where?" }, assert: [{ type: "contains", value: "OSLO" }] },
        { vars: { q: "where" }, assert: [{ type: "is-json" }, { type: "cost", threshold: 0.1 }] },
      ],
    }),
  );
  expect(stderr).toBe("");
  expect(spec).toMatchObject({
    preset: "promptfoo",
    severity: { path: "fail", cost: "fail" },
    queries: [
      {
        query: "Where?",
        correctness: { regex_match: "OSLO", json_schema: {} },
        cost: { max_cost_usd: 0.1 },
      },
    ],
  });
  expect(spec.queries).toHaveLength(1);
});

test.each<[string, object, string]>([
  [
    "a weight of 0",
    { type: "contains", value: "a", weight: 0 },
    "contains: with weight 0, the assert never fails",
  ],
  ["a transform", { type: "contains", value: "a", transform: "x" }, "contains: checks a transformed answer"],
  ["a filter", { type: "contains", value: "{{q | upper}}" }, "contains: {{q | upper}} is not filled in"],
  ["a file", { type: "is-json", value: "file://a.json" }, "is-json: file://a.json is not filled in"],
  ["no list", { type: "contains-any", value: '"open' }, 'contains-any: not a list: "open'],
  ["another kind", { type: "not-is-json" }, "not-is-json"],
  ["no type", { value: "a" }, "without a type"],
  ["a cost that must be higher", { type: "not-cost", threshold: 1 }, "not-cost"],
  [
    "no words",
    { type: "contains-any", value: " , " },
    "contains-any: without a text, the assert always fails",
  ],
  [
    "one of several texts missing",
    { type: "not-contains-all", value: "a, b" },
    "not-contains-all: the assert passes if one of its texts is missing",
  ],
  [
    "an empty text",
    { type: "not-icontains-any", value: ["a", ""] },
    "not-icontains-any: the text is empty, so the assert always fails",
  ],
  ["nothing to equal", { type: "equals" }, "equals: without a value"],
  ["JSON to differ from", { type: "not-equals", value: { a: 1 } }, "not-equals: JSON that must differ"],
  [
    "no pattern",
    { type: "regex", value: "[" },
    "regex: pattern [: Invalid regular expression: /[/: Unterminated character class",
  ],
  [
    "a pattern without linear time",
    { type: "regex", value: "(?=x)y" },
    "regex: pattern (?=x)y: look-ahead `(?=`: RE2, which runs all patterns in linear time, does not support this construct",
  ],
  ["another order", { type: "not-trajectory:tool-sequence", value: ["a"] }, "not-trajectory:tool-sequence"],
  [
    "other arguments",
    { type: "not-trajectory:tool-args-match", value: { name: "a", args: {} } },
    "not-trajectory:tool-args-match",
  ],
  [
    "steps of any type",
    { type: "trajectory:step-count", value: { max: 2 } },
    "trajectory:step-count: counts steps of other types: any",
  ],
  [
    "two ranges",
    { type: "not-trajectory:step-count", value: { type: "tool", min: 1, max: 2 } },
    "not-trajectory:step-count: the allowed counts are two ranges, below and above the limits",
  ],
  [
    "an impossible limit",
    { type: "trajectory:step-count", value: { type: "tool", max: -1 } },
    "trajectory:step-count: with a limit below 0, the assert always fails",
  ],
  [
    "arguments to leave out",
    { type: "trajectory:tool-args-match", value: { name: "a", args: {}, defaults: { a: 1 } } },
    "trajectory:tool-args-match: `ignore` or `defaults` excludes some arguments",
  ],
])("promptfoo: an assert with %s is listed, not changed", async (_, assert, why) => {
  const tests = [{ vars: { q: "Where?" }, assert: [assert, { type: "icontains", value: "oslo" }] }];
  const { spec, stderr } = await imported(
    "promptfoo",
    "left.json",
    JSON.stringify({ prompts: ["{{q}}"], tests }),
  );
  expect(spec.queries[0].correctness).toEqual({ expected_in_answer: ["oslo"] });
  expect(told(stderr)).toContain(`config.tests[0].assert[0] (${why})`);
});

test("ADK: criteria beside a file, turns of a list, a question asked twice", async () => {
  const folder = mkdtempSync(join(dir, "adk-"));
  const criteria = { tool_trajectory_avg_score: { threshold: 1, match_type: "IN_ORDER", ignore_args: true } };
  writeFileSync(join(folder, "test_config.json"), JSON.stringify({ criteria }));
  const use = (name: string) => [{ tool_name: name, tool_input: { id: 1 } }];
  const turns = [
    { query: "Find it", expected_tool_use: use("find"), reference: "Found." },
    { query: "Buy it", expected_tool_use: [], reference: "Bought." },
  ];
  writeFileSync(join(folder, "a.test.json"), JSON.stringify(turns));
  const out = mkdtempSync(join(dir, "out-"));
  await runCli("init", "--from-adk", join(folder, "a.test.json"), "--agent", "shop", "--dir", out);
  const { severity, queries } = parse(readFileSync(join(out, "specs", "shop.yaml"), "utf8"));
  expect(severity).toEqual({ path: "fail" });
  expect(queries).toEqual([
    {
      query: "Find it",
      scope: "conversation",
      turns: [
        {
          query: "Find it",
          path: { expected_tool_sequence: ["find"], sequence_mode: "contains-in-order" },
        },
        { query: "Buy it" },
      ],
    },
  ]);
  const cases = ["one", "two"].map((eval_id) => ({
    eval_id,
    conversation: [
      { user_content: { parts: [{ text: "Hi" }] }, final_response: { parts: [{ text: "Hello" }] } },
    ],
  }));
  const { spec, stderr } = await imported("adk", "twice.json", JSON.stringify({ eval_cases: cases }));
  expect(spec.queries).toHaveLength(1);
  expect(spec.queries[0].path).toEqual({ max_tool_calls: 0 });
  expect(told(stderr)).toContain('two (has the same query as another test: "Hi")');
});

test("agentevals: the evaluator's settings beside the reference, and turns of a user", async () => {
  const call = (name: string) => ({ name, args: { id: 1 } });
  const messages = [
    { type: "human", content: "Find it" },
    { type: "ai", content: "", tool_calls: [call("find"), call("sort")] },
    { type: "human", content: "Buy it" },
    { type: "ai", content: "", tool_calls: [call("buy")] },
  ];
  const file = { trajectory_match_mode: "unordered", reference_outputs: messages };
  const { spec, stderr } = await imported("agentevals", "turns.json", JSON.stringify(file));
  expect(spec.queries[0]).toMatchObject({
    scope: "conversation",
    turns: [{ query: "Find it", path: { call_mode: "same-calls" } }, { query: "Buy it" }],
  });
  expect(told(stderr)).toEqual([
    "file.reference_outputs (agentevals compares the calls of all turns together; Tracejury compares those of each turn)",
  ]);
  const strict = await imported("agentevals", "strict.json", JSON.stringify(messages.slice(0, 2)));
  expect(strict.spec.queries[0].path).toMatchObject({
    call_mode: "same-order",
    expected_tool_calls: [{ name: "find" }, { name: "sort", with_previous: true }],
  });
});

test("what agentevals and ADK compare in another way is listed", async () => {
  const messages = [
    { role: "user", content: "Q?" },
    {
      role: "assistant",
      content: "",
      tool_calls: ["a", "b"].map((name) => ({ function: { name, arguments: "{}" } })),
    },
  ];
  const left = async (kind: string, content: object): Promise<readonly string[]> =>
    told((await imported(kind, "left.json", JSON.stringify(content))).stderr);
  const trajectory = (trajectory_match_mode: string, tool_args_match_mode: string) =>
    left("agentevals", { reference_outputs: messages, trajectory_match_mode, tool_args_match_mode });
  expect(await trajectory("superset", "superset")).toContain(
    "file.tool_args_match_mode (superset: Tracejury does not compare the arguments of these calls)",
  );
  expect(await trajectory("strict", "ignore")).toContain(
    "file.reference_outputs (agentevals allows calls of one message in any order; Tracejury compares them in the written order)",
  );
  const turn = {
    user_content: { parts: [{ text: "Q?" }] },
    final_response: { parts: [{ text: "A" }] },
    intermediate_data: { tool_uses: [{ name: "t" }] },
  };
  expect(await left("adk", { eval_cases: [{ eval_id: "c", conversation: [turn] }] })).toEqual([
    "c.conversation[0].intermediate_data.tool_uses[0].args (the arguments are absent: ADK distinguishes absent arguments from {}, Tracejury does not)",
  ]);
});

test("promptfoo: patterns that match everything, and a second sequence", async () => {
  const assert = [
    { type: "not-contains-any", value: ["a", ""] },
    { type: "trajectory:tool-sequence", value: ["a", "b"] },
    { type: "trajectory:tool-sequence", value: ["a", "b"] },
    { type: "trajectory:tool-sequence", value: ["b", "a"] },
  ];
  const content = JSON.stringify({ prompts: ["{{q}}"], tests: [{ vars: { q: "Where?" }, assert }] });
  const { spec, stderr } = await imported("promptfoo", "second.json", content);
  expect(spec.queries[0].correctness.not_regex_match).toEqual(["a", "(?:)"]);
  expect(told(stderr)).toEqual([
    "config.tests[0].assert[3] (trajectory:tool-sequence: a second expected_tool_sequence)",
  ]);
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
      correctness: { rouge_1: { reference: "You rolled 4.", min: 0.8 } },
      path: {
        expected_tool_calls: [{ name: "roll_die", arguments: { sides: 6 } }],
        call_mode: "same-order",
      },
    },
  ]);
  const old = [{ query: "Hi", expected_tool_use: [], reference: "Hello!" }];
  expect((await imported("adk", "old.test.json", JSON.stringify(old))).spec.queries).toMatchObject([
    { query: "Hi" },
  ]);
});

test.each([String.raw`\p{L}`, String.raw`a\\\PN`])(
  "EvalView: %s, which Python rejects, is listed: the test always fails there",
  async (pattern) => {
    const expected = { output: { regex_patterns: [pattern, String.raw`\d\w\.\-`] } };
    const { spec, stderr } = await imported(
      "evalview",
      "python.json",
      JSON.stringify({ name: "a", input: { query: "Q?" }, expected, thresholds: { min_score: 0 } }),
    );
    expect(spec.queries[0].correctness).toEqual({ regex_match: String.raw`\d\w\.\-` });
    expect(stderr).toContain("Python rejects");
  },
);

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
  const { spec, stderr } = await imported(
    "agentevals",
    "reference.json",
    JSON.stringify({ reference_outputs: messages }),
  );
  expect(spec.queries).toMatchObject([
    {
      query: "What is the weather?",
      path: {
        expected_tool_calls: [{ name: "get_weather", arguments: { city: "SF" } }],
        call_mode: "same-order",
      },
    },
  ]);
  expect(told(stderr)).toEqual([
    "file.reference_outputs[2].content (of a tool message)",
    "file.reference_outputs[3].content (of an assistant message)",
    "strict: agentevals also compares number and roles of messages; telemetry shows the calls only",
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

function told(stderr: string): string[] {
  return stderr
    .split("\n")
    .filter(Boolean)
    .map((line) => line.replace("not converted: ", ""));
}

/** What follows the parts that may change a verdict. */
function others(...keys: readonly string[]): string {
  return `${keys.length} keys without effect on a verdict: ${keys.join(", ")}`;
}

test("whatever is not carried over is told, with its place: EvalView", async () => {
  const { spec, stderr } = await imported(
    "evalview",
    "all.yaml",
    `name: status
description: Order status
model: gpt-5
adapter: http
endpoint: http://localhost:8000
difficulty: hard
gate: strict
input: { query: "Where is it?", context: { user: 7 } }
expected:
  output: { contains: [shipped], regex_patterns: ["a+", "b+"], no_pii: true }
  metrics: { loops: { value: 1, tolerance: 0 } }
thresholds:
  min_score: 80
  weights: { tool_accuracy: 0.5, output_quality: 0.4, sequence_correctness: 0.1 }
  variance: { runs: 5, pass_rate: 0.8, max_std_dev: 3 }
checks: { pii: true }
adapter_config: { timeout: 3 }
`,
  );
  expect(spec.queries).toMatchObject([
    {
      description: "status: Order status",
      tags: ["hard"],
      correctness: { regex_match: ["a+", "b+"] },
      scoring: { min_score: 80, weights: { tool_accuracy: 0.5, output_quality: 0.4 } },
    },
  ]);
  const [last, ...first] = told(stderr).reverse();
  expect(first.sort()).toEqual([
    "status.expected.metrics",
    "status.expected.output.no_pii",
    "status.gate",
    "status.input.context",
  ]);
  expect(last).toBe(
    others("status.model", "status.adapter", "status.endpoint", "status.adapter_config.timeout"),
  );
});

test("whatever is not carried over is told, with its place: promptfoo", async () => {
  const { spec, stderr } = await imported(
    "promptfoo",
    "all.yaml",
    `description: shop
prompts: ["Say: {{question}}", "Tell: {{question}}"]
providers: [openai:gpt-5]
assertTemplates: { polite: { type: llm-rubric, value: is polite }, unused: { type: cost, threshold: 1 } }
defaultTest: { options: { provider: openai:gpt-5 }, assert: [{ $ref: "#/assertTemplates/polite" }] }
tests:
  - vars: { question: [One, Two], answer: "{{nothing}}", context: x }
    threshold: 0.5
    assert:
      - { type: contains, value: "{{answer}}", weight: 2, metric: accuracy }
      - { type: regex, value: a }
      - { type: regex, value: b }
      - { type: "trajectory:tool-used", value: { pattern: "search_*", min: 1 } }
      - { type: assert-set, threshold: 0.5, assert: [{ type: latency, threshold: 10 }] }
  - { description: rude, vars: { question: Three }, assert: [{ type: not-llm-rubric, value: is rude }] }
`,
  );
  expect(spec.queries).toMatchObject([
    {
      query: "Say: One",
      correctness: {
        regex_match: [String.raw`\{\{nothing\}\}`, "a", "b"],
        llm_judge: [{ rule: "is polite" }],
      },
      cost: { max_latency_ms: 10 },
    },
    { query: "Say: Two" },
    { query: "Say: Three" },
  ]);
  const [last, ...first] = told(stderr).reverse();
  expect(last).toBe(
    others(
      "config.description",
      "config.providers",
      "config.defaultTest.options.provider",
      "config.tests[0].vars.context (x)",
      "config.tests[0].assert[0].metric",
    ),
  );
  expect(first.sort()).toEqual([
    "config.assertTemplates.unused",
    "config.prompts[1] (only the first prompt is used)",
    "config.tests[0].assert[0].weight",
    "config.tests[0].assert[4].threshold",
    "config.tests[0].threshold (0.5: a spec requires every assert to pass)",
    "rude.assert[0] (not-llm-rubric)",
  ]);
});

test("whatever is not carried over is told, with its place: ADK, in either of its spellings", async () => {
  const one = {
    evalId: "roll",
    creationTimestamp: 5,
    sessionInput: { appName: "dice" },
    rubrics: [{ rubricId: "r" }],
    conversation: [
      {
        invocationId: "1",
        userContent: { role: "user", parts: [{ text: "Roll" }, { inlineData: { data: "x" } }] },
        intermediateData: {
          toolUses: [{ id: "c1", name: "roll_die", args: { a_b: 1 } }],
          toolResponses: [{ name: "roll_die" }],
        },
      },
    ],
  };
  const { spec, stderr } = await imported(
    "adk",
    "set.json",
    JSON.stringify({ evalSetId: "s", evalCases: [one] }),
  );

  expect(spec.queries).toMatchObject([
    { query: "Roll", path: { expected_tool_calls: [{ name: "roll_die", arguments: { a_b: 1 } }] } },
  ]);
  const [last, ...first] = told(stderr).reverse();
  expect(last).toBe(
    others(
      "eval set.evalSetId",
      "roll.creationTimestamp",
      "roll.conversation[0].invocationId",
      "roll.conversation[0].intermediateData.toolUses[0].id",
    ),
  );
  expect(first.sort()).toEqual([
    "roll.conversation[0] (no final response, for which ADK's response_match_score is always 0)",
    "roll.conversation[0].intermediateData.toolResponses",
    "roll.conversation[0].userContent.parts[1].inlineData",
    "roll.rubrics",
    "roll.sessionInput",
  ]);
});

test("a file without a test says what it has instead", async () => {
  const file = join(dir, "config.yaml");
  writeFileSync(file, "adapter: http\nmodel: gpt-5\n");
  const { code, stderr } = await runCli("init", "--from-evalview", file, "--dir", join(dir, "none"));

  expect(code).toBe(2);
  expect(stderr).toContain("that can become a query; not converted: file.adapter, file.model");
});

test("promptfoo removes blanks around tools' names, and never finds a pattern with one", async () => {
  const { spec, stderr } = await imported(
    "promptfoo",
    "blank.yaml",
    `prompts: ["Where is it?"]
tests:
  - assert:
      - { type: "trajectory:tool-used", value: "search " }
      - { type: "not-trajectory:tool-used", value: bash }
`,
  );
  expect(told(stderr)).toEqual([
    'config.tests[0].assert[0] (trajectory:tool-used: the tool name "search " begins or ends with white space, so promptfoo matches no tool)',
  ]);
  const [query] = specOf(stringify(spec)).queries;
  if (query === undefined) throw new Error("no query");
  const tool = (name: string): ToolCall => runOf({ tools: [{ name, result: "" }] }).tools[0] as ToolCall;
  const reference = { missing: "not-asked", version: null } as const;
  const outcomes = ["bash ", "bash\u200b", "basher"].map((name) => {
    const { layers } = evaluateQuery({ ...runOf({}), tools: [tool(name)] }, query, {
      reference,
      judge: "off",
    });
    return layers.path.checks.map(({ outcome }) => outcome);
  });
  expect(outcomes).toEqual([["fail"], ["fail"], ["pass"]]);
});

describe("null in a file of AgentCI, where it means not set,", () => {
  const spec = `# mine
version: 1
agent: shop
baseline_dir: null
defaults: ~
queries:
  - query: one # first
    tags: null
    path:
    cost: { max_total_tokens: null, max_llm_calls: 3 }
  - query: two
    correctness: { expected_in_answer: null, json_schema: { const: null } }
`;

  test("is left out of a spec, which is otherwise unchanged", async () => {
    const { spec: made } = await imported("agentci", "nulls.yaml", spec);
    expect(made).toEqual({
      version: 1,
      agent: "shop",
      queries: [
        { query: "one", cost: { max_llm_calls: 3 } },
        { query: "two", correctness: { json_schema: { const: null } } },
      ],
    });
  });

  test("changes nothing in a spec without null", async () => {
    const text = '# mine\nversion:   1\nagent: "shop"\nqueries: [ { query: one } ]\n';
    const file = join(dir, "no-nulls.yaml");
    writeFileSync(file, text);
    const out = mkdtempSync(join(dir, "out-"));
    await runCli("init", "--from-agentci", file, "--dir", out);
    expect(readFileSync(join(out, "specs", "shop.yaml"), "utf8")).toBe(text);
  });
});

const tests: Readonly<Record<string, object>> = {
  agentci: {
    agent: "shop",
    tests: [
      {
        name: "book",
        input: "Book it",
        tags: ["fast"],
        assertions: [
          { type: "tool_called", tool: "book" },
          { type: "output_contains", value: "done" },
          { type: "cost_under", threshold: 1 },
          { type: "llm_judge", rule: "is kind" },
          { type: "handoff_target", target: "desk" },
        ],
      },
    ],
  },
  evalview: {
    name: "Status",
    input: { query: "Where?" },
    expected: {
      tools: ["find"],
      tool_sequence: ["login", "find"],
      forbidden_tools: ["drop"],
      output: { contains: ["way"], not_contains: ["error"] },
    },
    thresholds: { min_score: 80, max_cost: 0.05 },
  },
  promptfoo: {
    prompts: ["{{q}}"],
    tests: [
      {
        vars: { q: "Where?" },
        assert: [
          { type: "contains", value: "way" },
          { type: "trajectory:tool-used", value: ["find"] },
          { type: "not-trajectory:tool-used", value: "drop*" },
        ],
      },
    ],
  },
};

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  const own = path.length === 0 ? [] : [path];
  if (typeof value !== "object" || value === null) return own;
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [...own, ...entries.flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

function replaced(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value))
    return value.map((item: unknown, at) => (at === first ? replaced(item, rest, by) : item));
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [first]: replaced(object[first], rest, by) };
}

/** Specs made from the file; none if it has no test that can be converted. */
function specsIn(kind: string, file: string): readonly string[] {
  try {
    return importSpec(kind as ImportKind, file, "shop").specs.map(({ text }) => text);
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}

describe.each(Object.entries(tests))(
  "a file of %s with null, a list or an object anywhere",
  (kind, whole) => {
    test.each([[null], [[null]], [{ a: null }], [[]]])("in place of a value: %j", (by) => {
      const file = join(dir, `${kind}-mutated.yaml`);
      const wrong: string[] = [];
      for (const path of pathsIn(whole)) {
        writeFileSync(file, stringify(replaced(whole, path, by)));
        for (const text of specsIn(kind, file)) {
          specOf(text);
          const paths = (parse(text) as { queries: { path?: object }[] }).queries.map(
            (query) => query.path ?? {},
          );
          if (JSON.stringify(paths).includes("null")) wrong.push(path.join("."));
        }
      }
      expect(wrong).toEqual([]);
    });
  },
);
