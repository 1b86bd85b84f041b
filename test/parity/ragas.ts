import { expect } from "vitest";
import { completion } from "../judge/support/model-server.ts";
import type { ToolText } from "./agent-dump.ts";
import { type Bench, correctnessOf, matches, type Section } from "./harness.ts";

const achieved = (yes: boolean) => completion({ achieved: yes, rationale: "r" });

const judges = (goal: string, models = "openai/a, openai/b, openai/c") => `version: 1
agent: "*"
judge_config: { ensemble: { enabled: true, models: [${models}] } }
queries: [{ query: "*", id: any, correctness: { ${goal} } }]
`;

async function accuracy(
  bench: Bench,
  expected: string,
  called: readonly (string | ToolText)[],
  rules = "{ mode: strict, min: 1 }",
) {
  const blocks = `path: { expected_tool_calls: ${expected}, tool_call_accuracy: ${rules} }`;
  return (await bench.test(blocks, { tools: called })).metrics["tool_call_accuracy"];
}

const flexible = "{ mode: flexible, argument_match_threshold: 0.5, min: 1 }";

/** A judge that finds these topics and puts each to some of the allowed ones. */
async function topics(bench: Bench, mode: string, ...allowed: readonly (readonly number[])[]) {
  await bench.judge((_, n) =>
    completion(
      n === 0
        ? { topics: allowed.map((_one, at) => `topic ${at}`) }
        : { topics: allowed.map((of, at) => ({ topic: at + 1, allowed: [...of] })), rationale: "r" },
    ),
  );
  const written = `correctness: { topic_adherence: { topics: [billing, delivery, returns], mode: ${mode} } }`;
  return (await bench.test(written, {})).checks["topic_adherence"];
}

export const ragas: Section = {
  "AgentGoalAccuracy with reference": async (bench) => {
    const server = await bench.judge(() => achieved(true));
    const { checks } = await bench.test("correctness: { goal_accuracy: the order is found }", {
      tools: ["search"],
    });
    matches(checks["goal_accuracy"], { outcome: "pass", value: 1, limit: 0.5 });
    expect(JSON.stringify(server.received[0]?.body)).toMatch(/the order is found/);
  },
  "AgentGoalAccuracy without reference infers the goal": async (bench) => {
    const server = await bench.judge((_, n) =>
      n === 0 ? completion({ goal: "find the order" }) : achieved(true),
    );
    const { checks } = await bench.test("correctness: { goal_accuracy: 0.5 }", {});
    expect(checks["goal_accuracy"]?.value).toBe(1);
    expect(JSON.stringify(server.received[1]?.body)).toContain("find the order");
  },
  "mode with_reference without a reference": async (bench) => {
    const server = await bench.judge((_, n) => (n === 0 ? completion({ goal: "g" }) : achieved(false)));
    const { checks } = await bench.test("correctness: { goal_accuracy: { mode: with_reference } }", {});
    expect([checks["goal_accuracy"]?.outcome, server.received.length]).toEqual(["fail", 2]);
  },
  "judge models that fail do not count": async (bench) => {
    await bench.judge(({ body }) =>
      body.model === "b" ? { status: 400, body: { error: { message: "no" } } } : achieved(body.model === "a"),
    );
    matches((await bench.test(judges("goal_accuracy: the order is found"), {})).checks["goal_accuracy"], {
      value: 0.5,
      outcome: "pass",
    });
  },
  "ToolCallAccuracy strict, flexible": async (bench) => {
    const expected = "[{ name: a, arguments: { q: 1, n: 2 } }]";
    const called = [{ name: "a", arguments: { q: 1, n: 3 } }];
    expect(await accuracy(bench, expected, called)).toBe(0);
    expect(await accuracy(bench, expected, called, flexible)).toBe(1);
  },
  "two calls without arguments score 1.0; if only the expected call has none, they score 0.5; null matches nothing":
    async (bench) => {
      expect(await accuracy(bench, "[{ name: a, arguments: {} }]", ["a"], flexible)).toBe(1);
      expect(
        await accuracy(bench, "[{ name: a, arguments: { q: null } }]", [{ name: "a", arguments: { q: 1 } }]),
      ).toBe(0);
    },
  "without expected calls the metric is null; without actual calls it is 0.0": async (bench) => {
    expect(await accuracy(bench, "[{ name: a, arguments: {} }]", [])).toBe(0);
    const { checks } = await bench.test("path: { expected_tool_calls: [] }", { tools: ["a"] });
    expect(checks["expected_tool_calls"]?.outcome).toBe("warn");
  },
  "tool calls are read from messages if they are not given": async (bench) => {
    expect(
      await accuracy(bench, "[{ name: a, arguments: { q: x } }]", [{ name: "a", arguments: { q: "x" } }]),
    ).toBe(1);
  },
  "Python RAGAS: order, share of arguments, coverage": async (bench) => {
    const rules = "{ variant: ragas-python, min: 1 }";
    const expected = "[{ name: a, arguments: { q: 1, n: 2 } }, { name: b, arguments: {} }]";
    const half = { name: "a", arguments: { q: 1, n: 3 } };
    expect(await accuracy(bench, expected, ["b", half], rules)).toBe(0);
    expect(await accuracy(bench, expected, [half, "b"], rules)).toBeCloseTo(0.75, 9);
  },
  "TopicAdherence precision, recall, F1": async (bench) => {
    expect((await topics(bench, "precision", [1], [], [2], []))?.value).toBeCloseTo(0.5, 9);
    expect((await topics(bench, "recall", [1], [], [2], []))?.value).toBeCloseTo(2 / 3, 9);
    expect((await topics(bench, "f1", [1], [], [2], []))?.value).toBeCloseTo(4 / 7, 9);
  },
  "recall counts each reference topic once": async (bench) => {
    expect((await topics(bench, "recall", [1], [1], [1]))?.value).toBeCloseTo(1 / 3, 9);
  },
  "a conversation without topics; a spec without reference topics": async (bench) => {
    matches(await topics(bench, "f1"), { value: 0, outcome: "fail" });
    const { checks } = await bench.test("correctness: { topic_adherence: { topics: [] } }", {});
    expect(checks["topic_adherence"]?.outcome).toBe("skip");
  },
  "aggregators over models": async (bench) => {
    await bench.judge(({ body }) => {
      const score = { a: 5, b: 4, c: 1 }[String(body.model)] ?? 1;
      return completion({ score, label: "pass", rationale: "r" });
    });
    const of = async (strategy: string) => {
      const text = judges("llm_judge: [{ rule: Is polite. }]").replace(
        "enabled: true",
        `enabled: true, strategy: ${strategy}`,
      );
      return (await bench.test(text, {})).checks["llm_judge"]?.value;
    };
    expect([await of("median"), await of("min"), await of("max")]).toEqual([4, 1, 5]);
    expect(await of("mean")).toBeCloseTo(10 / 3, 9);
  },
  "consensus with a tolerance, majority voting at 0.5": async (bench) => {
    await bench.judge(({ body }) => {
      const score = body.model === "c" ? 1 : 5;
      return completion({ score, label: score === 5 ? "pass" : "fail", rationale: "r", confidence: 0.9 });
    });
    const { checks } = await bench.test(judges("llm_judge: [{ rule: Is polite., threshold: 0.6 }]"), {});
    matches(checks["llm_judge"], { outcome: "pass", value: 11 / 3 });
  },
  "`models` of a metric": async (bench) => {
    const server = await bench.judge(() => achieved(true));
    const written = "correctness: { goal_accuracy: { reference: found, models: [openai/x, openai/y] } }";
    await bench.test(written, {});
    expect(new Set(server.received.map(({ body }) => body.model))).toEqual(new Set(["x", "y"]));
  },
  "the metric of a sample without messages is null": async (bench) => {
    const server = await bench.judge(() => achieved(true));
    const { checks } = await bench.test("correctness: { goal_accuracy: 0.5 }", { answer: null, query: "" });
    expect([checks["goal_accuracy"]?.outcome, server.received.length]).toEqual(["incomplete", 0]);
  },
  "requests above the rate limit wait (WAIT) or fail (REJECT)": async (bench) => {
    await bench.judge(() => achieved(true));
    const config = bench.file("tracejury.yaml", "judge: { requests_per_minute: 100 }\n");
    const text = judges("goal_accuracy: found", "openai/a");
    const { checks } = await bench.test(text, {}, "--config", config);
    expect(checks["goal_accuracy"]?.outcome).toBe("pass");
  },
  "judge calls are retried after 429 and client errors, first after 2 s, then doubled up to 30 s": async (
    bench,
  ) => {
    const server = await bench.judge((_, n) =>
      n === 0
        ? { status: 429, headers: { "retry-after": "0" }, body: { error: { message: "slow" } } }
        : achieved(true),
    );
    const { checks } = await bench.test("correctness: { goal_accuracy: found }", {});
    expect([checks["goal_accuracy"]?.outcome, server.received.length]).toEqual(["pass", 2]);
  },
  "judge defaults: temperature 0, 1000 tokens": async (bench) => {
    const server = await bench.judge(() => achieved(true));
    await bench.test("correctness: { goal_accuracy: found }", {});
    expect(server.received[0]?.body.temperature).toBe(0);
    expect(JSON.stringify(server.received[0]?.body)).toMatch(/"max_(completion_)?tokens":1024/);
  },
  "OpenAI-compatible endpoints, several models": async (bench) => {
    const server = await bench.judge(() => achieved(true));
    const config = bench.file(
      "tracejury.yaml",
      `judge: { providers: { local: { kind: openai, base_url: "${server.url}/v1" } } }\n`,
    );
    const text = judges("goal_accuracy: found", "local/one, local/two");
    const { checks } = await bench.test(text, {}, "--config", config);
    expect(checks["goal_accuracy"]?.value).toBe(1);
    expect(new Set(server.received.map(({ body }) => body.model))).toEqual(new Set(["one", "two"]));
  },
  "a result has score, explanation, scores of each model, duration and metadata": async (bench) => {
    await bench.judge(() => achieved(true));
    const { checks } = await bench.test(judges("goal_accuracy: found"), {});
    matches(checks["goal_accuracy"]?.judge, {
      votes: [{ model: "openai/a" }, { model: "openai/b" }, { model: "openai/c" }],
      duration_ms: expect.any(Number),
      prompt_hash: expect.any(String),
    });
  },
  "multi-turn samples": async (bench) => {
    const spec = `version: 1
agent: "*"
queries:
  - id: talk
    query: Where is order 7?
    scope: conversation
    turns:
      - { query: Where is order 7?, correctness: { expected_in_answer: [way] } }
      - { query: Cancel it., correctness: { expected_in_answer: [cancelled] } }
`;
    const { verdict } = await bench.test(spec, [
      { query: "Where is order 7?", conversation: "c" },
      { query: "Cancel it.", answer: "It is cancelled.", conversation: "c" },
    ]);
    expect(verdict.turn_run_ids).toHaveLength(2);
    expect(correctnessOf(verdict).map(({ turn, outcome }) => [turn, outcome])).toEqual(
      expect.arrayContaining([
        [1, "pass"],
        [2, "pass"],
      ]),
    );
  },
};
