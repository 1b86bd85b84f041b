import { describe, expect, test } from "vitest";
import { loadSpec, type LoadedSpec } from "../../src/spec/load.ts";
import type { CompiledQuery, CompiledSpec } from "../../src/evaluate/query/compiled.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { sampleChecks } from "./sample-checks.ts";

function load(text: string): LoadedSpec {
  return loadSpec({ file: "specs/demo.yaml", text }, { checks: sampleChecks });
}

function specOf(text: string): CompiledSpec {
  const loaded = load(text);
  if (!loaded.ok)
    throw new Error(loaded.problems.map((problem) => `${problem.line}: ${problem.message}`).join("\n"));
  return loaded.spec;
}

function queryOf(text: string, index = 0): CompiledQuery {
  const query = specOf(text).queries[index];
  if (!query) throw new Error("no such query");
  return query;
}

/** Each check's key with its limit and the line it is written on. */
function checksOf(query: CompiledQuery): Record<string, [limit: unknown, line: number]> {
  return Object.fromEntries(
    query.checks.map(({ check, limit, source }) => [check.key, [limit, source.line]]),
  );
}

const agentci = `# a spec as AgentCI users have it
version: 1
agent: rag-agent
baseline_dir: ./baselines/rag

defaults:
  correctness:
    hallucination_check:
      rule: "Only what the documents say"
      threshold: 0.8
  cost:
    max_cost_multiplier: 2.0

judge_config:
  model: claude-sonnet-4-5-20250929
  temperature: 0
  structured_output: true
  ensemble:
    enabled: false
    models: ["claude-sonnet-4-5-20250929", "gpt-4o-mini", "gpt-4o-mini"]
    strategy: majority_vote

queries:
  - query: "How do I install it?"
    description: "in scope"
    tags: [smoke, happy-path]
    correctness:
      expected_in_answer: ["pip install"]
      llm_judge:
        - rule: "Says which steps to take"
          threshold: 0.7
  - query: "What's the weather in Tokyo?"
    tags: [edge-case]
    correctness:
      hallucination_check:
        rule: "Nothing about the weather"
      not_in_answer: ["degrees", "forecast"]
    path:
      max_tool_calls: 0
      forbidden_tools: [tavily_search]
    cost:
      max_llm_calls: 2
`;

describe("an AgentCI spec", () => {
  test("is valid as it is", () => {
    const spec = specOf(agentci);
    expect(spec).toMatchObject({
      name: "demo",
      agent: "rag-agent",
      baselineDir: "./baselines/rag",
      judgeConfig: { model: "claude-sonnet-4-5-20250929", ensemble: { strategy: "majority_vote" } },
    });
    expect(spec.queries.map((query) => query.id)).toEqual([
      "how-do-i-install-it",
      "what-s-the-weather-in-tokyo",
    ]);
    expect(spec.queries[0]).toMatchObject({
      tags: ["smoke", "happy-path"],
      description: "in scope",
      scope: "run",
    });
  });

  test("each check keeps the line it is written on, inherited ones that of the defaults", () => {
    expect(checksOf(queryOf(agentci))).toEqual({
      expected_in_answer: [["pip install"], 28],
      llm_judge: [[{ rule: "Says which steps to take", threshold: 0.7 }], 29],
      hallucination_check: [{ rule: "Only what the documents say", threshold: 0.8 }, 8],
      max_cost_multiplier: [2, 12],
    });
  });

  test("defaults merge deeply, and what the query says wins", () => {
    const query = queryOf(agentci, 1);
    expect(checksOf(query)["hallucination_check"]).toEqual([
      { rule: "Nothing about the weather", threshold: 0.8 },
      35,
    ]);
    expect(query.settings.cost).toEqual({ max_cost_multiplier: 2, max_llm_calls: 2 });
  });
});

test("lists of a query replace those of the defaults", () => {
  const query = queryOf(`agent: a
defaults: { tags: [all], path: { expected_tools: [x, y], max_loops: 1 } }
queries:
  - query: q
    path: { expected_tools: [z] }
`);
  expect(query.tags).toEqual(["all"]);
  expect(query.settings.path).toEqual({ expected_tools: ["z"], max_loops: 1 });
});

test("nothing is asserted that is not written", () => {
  expect(queryOf("agent: a\nqueries: [{ query: q, path: { } }]").checks).toEqual([]);
});

test("preset agentci asserts what AgentCI's code assumes of a path block, and nothing without one", () => {
  const text =
    "preset: agentci\nagent: a\nqueries:\n  - { query: q, path: { max_tool_calls: 3 } }\n  - query: r\n  - { query: s, path: { max_loops: 0 } }\n";
  expect(checksOf(queryOf(text))).toEqual({
    max_tool_calls: [3, 4],
    max_loops: [3, 1],
    match_mode: ["subset", 1],
  });
  expect(queryOf(text, 1).checks).toEqual([]);
  expect(checksOf(queryOf(text, 2))["max_loops"]).toEqual([0, 6]);
});

test("checks come in the registry's order, qualifiers only as settings", () => {
  const query = queryOf(
    "agent: a\nqueries: [{ query: q, path: { sequence_metric: edit, max_loops: 1, max_tool_calls: 2 } }]",
  );
  expect(query.checks.map(({ check }) => check.key)).toEqual(["max_tool_calls", "max_loops"]);
  expect(query.settings.path["sequence_metric"]).toBe("edit");
});

describe("severity", () => {
  function severities(yaml: string): Record<string, string | undefined> {
    const query = queryOf(yaml);
    return Object.fromEntries(query.checks.map(({ check, severity }) => [check.key, severity]));
  }

  test.each([
    ["of a layer, in the layer", "path: { severity: fail, max_loops: 1 }", "fail"],
    ["of a check, in the layer", "path: { severity: { max_loops: fail }, max_loops: 1 }", "fail"],
    ["of a layer, in the query", "severity: { path: fail }\n    path: { max_loops: 1 }", "fail"],
    ["of a check, in the query", "severity: { max_loops: fail }\n    path: { max_loops: 1 }", "fail"],
    [
      "of a check below its layer",
      "severity: { path: { max_loops: fail } }\n    path: { max_loops: 1 }",
      "fail",
    ],
    ["of another check", "severity: { max_tool_calls: fail }\n    path: { max_loops: 1 }", undefined],
    [
      "of a check beats its layer",
      "severity: { max_loops: warn }\n    path: { severity: fail, max_loops: 1 }",
      "warn",
    ],
  ])("%s", (_, yaml, expected) => {
    expect(severities(`agent: a\nqueries:\n  - query: q\n    ${yaml}\n`)["max_loops"]).toBe(expected);
  });

  test("of the spec holds for all queries, that of the defaults and the query over it", () => {
    const text =
      "agent: a\nseverity: { path: fail, cost: fail }\ndefaults: { severity: { cost: warn } }\nqueries: [{ query: q, path: { max_loops: 1 }, cost: { max_llm_calls: 1 } }]";
    expect(severities(text)).toEqual({ max_loops: "fail", max_llm_calls: "warn" });
  });
});

describe("ids", () => {
  const ids = (...texts: string[]) =>
    specOf(`agent: a\nqueries:\n${texts.map((text) => `  - ${text}\n`).join("")}`).queries.map(
      (query) => query.id,
    );

  test("a written id stays, a default id is the slug of the text", () => {
    expect(ids("{ id: weather.tokyo, query: x }", "{ query: 'Où est la Tour Eiffel ?' }")).toEqual([
      "weather.tokyo",
      "ou-est-la-tour-eiffel",
    ]);
  });

  test("a slug that is empty, cut, or not alone has a hash behind it", () => {
    const [japanese, long, a, b] = ids(
      "query: '返品したい'",
      `query: ${"very long ".repeat(20)}`,
      "query: 'Hello, you'",
      "query: 'hello you'",
    );
    expect(japanese).toMatch(/^query-[0-9a-f]{8}$/);
    expect(long).toMatch(/^(very-long-){5}very-long-[0-9a-f]{8}$/);
    expect(a).toMatch(/^hello-you-[0-9a-f]{8}$/);
    expect(b).toMatch(/^hello-you-[0-9a-f]{8}$/);
    expect(a).not.toBe(b);
  });

  test("do not depend on the order of the queries", () => {
    const texts = ["query: 'Hello, you'", "query: 'hello you'", "query: '???'"];
    expect(ids(...texts.toReversed())).toEqual(ids(...texts).toReversed());
  });

  test("differ even for equal texts, and from written ids", () => {
    const all = ids("query: x", "query: x", "{ id: x, query: y }");
    expect(new Set(all).size).toBe(3);
    expect(all[2]).toBe("x");
  });
});

describe("the hash", () => {
  const hash = (text: string) => specOf(text).hash;
  const plain = "agent: a\nqueries:\n  - query: q\n    path: { max_loops: 1 }\n";

  test("is twelve hex digits of what the spec says, not of how it is written", () => {
    expect(hash(plain)).toMatch(/^[0-9a-f]{12}$/);
    expect(hash(`# comment\nqueries: [ { path: { max_loops: 1 }, "query": "q" } ]\nagent: a`)).toBe(
      hash(plain),
    );
    expect(hash(`x-shared: &p { max_loops: 1 }\nagent: a\nqueries:\n  - query: q\n    path: *p\n`)).toBe(
      hash(plain),
    );
  });

  test("changes with any value", () => {
    expect(hash(plain.replace("1", "2"))).not.toBe(hash(plain));
  });
});

test("blocks that are not checks are kept with their query", () => {
  const query = queryOf(`agent: a
reliability: { min_runs: 5, min_pass_rate: 0.8, pass_at_k: { 3: 0.95 } }
scoring: { weights: { tool_accuracy: 0.3, output_quality: 0.5, sequence_correctness: 0.2 }, min_score: 80 }
queries:
  - query: q
    reliability: { min_runs: 10 }
    retrieval: { tool: retriever_tool, min_results: 1 }
    spans: [{ kind: TOOL, name: refund, field: result.status, equals: null }]
    match: { pattern: "refund {order}", similarity: 0.9, where: { env: [prod, staging] } }
`);
  expect(query.reliability).toEqual({ min_runs: 10, min_pass_rate: 0.8, pass_at_k: { "3": 0.95 } });
  expect(query.scoring?.min_score).toBe(80);
  expect(query.retrieval).toEqual({ tool: "retriever_tool", min_results: 1 });
  expect(query.spans).toEqual([{ kind: "TOOL", name: "refund", field: "result.status", equals: null }]);
  expect(query.match).toEqual({
    pattern: "refund {order}",
    similarity: 0.9,
    where: new Map([["env", ["prod", "staging"]]]),
  });
});

test("a conversation has turns with checks of their own", () => {
  const query = queryOf(`agent: a
queries:
  - query: books a table
    turns:
      - { query: hello, path: { max_tool_calls: 0 } }
      - { query: "a table for two", correctness: { expected_in_answer: [booked] } }
`);
  expect(query.scope).toBe("conversation");
  expect(query.turns.map((turn) => [turn.text, Object.keys(checksOf({ ...query, ...turn }))])).toEqual([
    ["hello", ["max_tool_calls"]],
    ["a table for two", ["expected_in_answer"]],
  ]);
});

describe("what the configuration adds", () => {
  const text = `agent: a
queries:
  - query: q
    path: { expected_tool_categories: [search], tool_categories: { search: [own_search] } }
  - query: r
    path: { max_tool_calls: 1 }
`;

  test("is tools by category, beside those of the query, where categories are expected", () => {
    const loaded = loadSpec(
      { file: "s.yaml", text },
      { checks, toolCategories: { search: ["vector"], mail: ["send"] } },
    );
    if (!loaded.ok) throw new Error("invalid");
    const [first, second] = loaded.spec.queries;

    expect(first?.settings.path["tool_categories"]).toEqual({
      search: ["vector", "own_search"],
      mail: ["send"],
    });
    expect(second?.settings.path["tool_categories"]).toBeUndefined();
  });
});

test("coherence of a single run is pointed out, unless a conversation inherits it, too", () => {
  const said = (queries: string): readonly string[] => {
    const text = `agent: a\ndefaults: { path: { min_coherence: 1 } }\nqueries: [${queries}]`;
    return loadSpec({ file: "s.yaml", text }, { checks }).problems.map(({ message }) => message);
  };
  expect(said("{ query: a }, { query: b }")).toEqual([
    "`min_coherence` judges conversations, but this query judges single runs",
  ]);
  expect(said("{ query: a }, { query: b, scope: conversation }")).toEqual([]);
});
