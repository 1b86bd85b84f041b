import { describe, expect, test } from "vitest";
import { loadSpec, type LoadedSpec } from "../../src/spec/load.ts";
import type { CompiledQuery, CompiledSpec } from "../../src/evaluate/query/compiled.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";

function load(text: string): LoadedSpec {
  return loadSpec({ file: "specs/demo.yaml", text }, { checks });
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

/** Each check's key with its limit and the line it is written on; `run_status` is one of every query. */
function checksOf({ checks: all }: CompiledQuery): Record<string, [limit: unknown, line: number]> {
  const written = all.filter(({ check }) => check.key !== "run_status");
  return Object.fromEntries(written.map(({ check, limit, source }) => [check.key, [limit, source.line]]));
}

const inherited = `agent: rag-agent
defaults:
  correctness: { hallucination_check: { rule: "Only what the documents say", threshold: 0.8 } }
  cost: { max_cost_multiplier: 2.0 }
queries:
  - query: "How do I install it?"
    correctness: { expected_in_answer: ["pip install"] }
  - query: "What's the weather in Tokyo?"
    correctness:
      hallucination_check: { rule: "Nothing about the weather" }
    cost:
      max_llm_calls: 2
`;

test("each check keeps the line it is written on, inherited ones that of the defaults", () => {
  expect(checksOf(queryOf(inherited))).toEqual({
    expected_in_answer: [["pip install"], 7],
    hallucination_check: [{ rule: "Only what the documents say", threshold: 0.8 }, 3],
    max_cost_multiplier: [2, 4],
  });
});

test("defaults merge deeply, and what the query says wins", () => {
  const query = queryOf(inherited, 1);
  expect(checksOf(query)["hallucination_check"]).toEqual([
    { rule: "Nothing about the weather", threshold: 0.8 },
    10,
  ]);
  expect(query.settings.cost).toEqual({ max_cost_multiplier: 2, max_llm_calls: 2 });
});

test("nothing is asserted that is not written", () => {
  expect(checksOf(queryOf("agent: a\nqueries: [{ query: q, path: { } }]"))).toEqual({});
});

test("preset agentci asserts what AgentCI's code assumes of a path block, and nothing without one", () => {
  const text =
    "preset: agentci\nagent: a\nqueries:\n  - { query: q, path: { max_tool_calls: 3 } }\n  - query: r\n  - { query: s, path: { max_loops: 0 } }\n";
  expect(checksOf(queryOf(text))).toEqual({
    max_tool_calls: [3, 4],
    max_loops: [3, 1],
    match_mode: ["subset", 1],
  });
  expect(checksOf(queryOf(text, 1))).toEqual({});
  expect(checksOf(queryOf(text, 2))["max_loops"]).toEqual([0, 6]);
});

test("checks come in the registry's order, qualifiers only as settings", () => {
  const query = queryOf(
    "agent: a\nqueries: [{ query: q, path: { sequence_metric: edit, max_loops: 1, max_tool_calls: 2 } }]",
  );
  expect(Object.keys(checksOf(query))).toEqual(["max_tool_calls", "max_loops"]);
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
