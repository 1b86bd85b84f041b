import { describe, expect, test } from "vitest";
import { checks } from "../../../src/evaluate/checks/registry.ts";
import type { CompiledSpec } from "../../../src/evaluate/query/compiled.ts";
import { loadSpec, type LoadedSpec } from "../../../src/spec/load.ts";

/** Loads `specs/demo.yaml` beside these files. */
function load(text: string, files: Readonly<Record<string, string>>): LoadedSpec {
  const reader = {
    read: (path: string) => {
      const found = files[path];
      return found === undefined
        ? ({ ok: false, reason: "no such file" } as const)
        : ({ ok: true, text: found, realPath: path } as const);
    },
  };
  return loadSpec({ file: "specs/demo.yaml", text }, { checks, reader });
}

function specOf(text: string, files: Readonly<Record<string, string>>): CompiledSpec {
  const loaded = load(text, files);
  if (!loaded.ok) throw new Error(problemsOf(loaded).join("\n"));
  return loaded.spec;
}

function problemsOf({ problems }: LoadedSpec): readonly string[] {
  return problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`);
}

function limitsOf(spec: CompiledSpec, id: string): Record<string, unknown> {
  const query = spec.queries.find((one) => one.id === id);
  return Object.fromEntries((query?.checks ?? []).map(({ check, limit }) => [check.key, limit]));
}

const block = `agent: rag-agent
queries:
  - queries_from: cases.csv
    id: "faq-{id}"
    query: "{question}"
    tags: "{tags}"
    correctness: { expected_in_answer: ["{answer}", "yours, {name}"] }
    path: { max_tool_calls: "{calls}", expected_tools: "{tools}" }
  - query: Hello
`;
const csv = `id,question,answer,name,calls,tags,tools
1,Where is my order?,42,Ann,3,"smoke; slow",search
2,"How do I
cancel, please?","say ""no""",Bob,,,"[""find"", ""cancel""]"

3,Is it open?,,Cy,0,smoke,
`;

describe("queries from a table", () => {
  const spec = specOf(block, { "specs/cases.csv": csv });

  test("each row is a query, beside those that are written out", () => {
    expect(spec.queries.map(({ id, text }) => [id, text])).toEqual([
      ["faq-1", "Where is my order?"],
      ["faq-2", "How do I\ncancel, please?"],
      ["faq-3", "Is it open?"],
      ["hello", "Hello"],
    ]);
  });

  test("a cell is text where the key takes text, a number or list where it takes that", () => {
    expect(limitsOf(spec, "faq-1")).toMatchObject({
      expected_in_answer: ["42", "yours, Ann"],
      max_tool_calls: 3,
      expected_tools: ["search"],
    });
    expect(limitsOf(spec, "faq-2")).toMatchObject({
      expected_in_answer: ['say "no"', "yours, Bob"],
      expected_tools: ["find", "cancel"],
    });
    expect(spec.queries.map(({ tags }) => tags)).toEqual([["smoke", "slow"], [], ["smoke"], []]);
  });

  test("an empty cell leaves out the key or item that is nothing else", () => {
    expect(limitsOf(spec, "faq-2")).not.toHaveProperty("max_tool_calls");
    expect(limitsOf(spec, "faq-3")).not.toHaveProperty("expected_tools");
    expect(limitsOf(spec, "faq-3")).toMatchObject({ expected_in_answer: ["yours, Cy"], max_tool_calls: 0 });
  });

  test.each([
    ["", []],
    ["find", ["expected_tools"]],
  ])("a list of only empty cells is left out: %j", (cell, keys) => {
    const text = `agent: a
queries:
  - queries_from: t.csv
    query: "{q}"
    id: one
    path: { expected_tools: ["{tool}"] }
    correctness: { expected_in_answer: ["{tool}"] }
`;
    const found = limitsOf(specOf(text, { "specs/t.csv": `q,tool\nHi,${cell}\n` }), "one");
    expect(Object.keys(found).filter((key) => key === "expected_tools")).toEqual(keys);
    expect(found).not.toHaveProperty("expected_in_answer", []);
  });

  test("a list that is empty in the block stays", () => {
    const text = `agent: a
queries: [{ queries_from: t.csv, query: "{q}", id: one, path: { expected_tools: [] } }]
`;
    expect(limitsOf(specOf(text, { "specs/t.csv": "q\nHi\n" }), "one")).toHaveProperty("expected_tools", []);
  });

  test.each([
    ["TRUE", true],
    ["False", false],
  ])("truth values of spreadsheets are read: %s", (cell, value) => {
    const path = '{ expected_tools: [find], succeeded: "{ok}" }';
    const text = `agent: a\nqueries: [{ queries_from: t.csv, query: "{q}", id: one, path: ${path} }]\n`;
    const found = specOf(text, { "specs/t.csv": `q,ok\nHi,${cell}\n` }).queries[0];
    expect(found?.settings.path).toMatchObject({ succeeded: value });
  });

  test.each<[string, string, unknown]>([
    ["", '""', undefined],
    ["", "null", undefined],
    ["[]", "[]", []],
    ["[]", '"[]"', []],
    ["a;b", '["a", "b"]', ["a", "b"]],
    ['"[""a;b""]"', '["a;b"]', ["a;b"]],
  ])("the cell %s of a CSV file and the value %s of a JSON line are the same", (cell, value, expected) => {
    const limitIn = (name: string, table: string): unknown => {
      const text = `agent: a\nqueries: [{ queries_from: ${name}, id: one, path: { expected_tools: "{tools}" } }]\n`;
      return limitsOf(specOf(text, { [`specs/${name}`]: table }), "one")["expected_tools"];
    };
    expect(limitIn("t.csv", `query,tools\nHi,${cell}\n`)).toEqual(expected);
    expect(limitIn("t.jsonl", `{ "query": "Hi", "tools": ${value} }\n`)).toEqual(expected);
  });

  test("each query names the line of its row, and so do the checks that the row decides", () => {
    expect(spec.queries.map(({ row }) => row)).toEqual([
      { file: "specs/cases.csv", line: 2 },
      { file: "specs/cases.csv", line: 3 },
      { file: "specs/cases.csv", line: 6 },
      undefined,
    ]);
    const calls = spec.queries[2]?.checks.find(({ check }) => check.key === "max_tool_calls");
    expect(calls?.source).toMatchObject({ file: "specs/cases.csv", line: 6 });
  });

  test("the spec's hash changes with a cell", () => {
    const other = specOf(block, { "specs/cases.csv": csv.replace("Cy", "Di") });
    expect(other.hash).not.toBe(spec.hash);
  });

  test("at the root, the defaults are the block, and `query` and `id` are columns", () => {
    const root = `agent: a
queries_from: cases.jsonl
defaults:
  correctness: { expected_in_answer: "{expected}" }
`;
    const lines = [
      { id: "a", query: "One?", expected: ["1", "one"] },
      { id: "b", query: "Two?", expected: "2" },
    ];
    const found = specOf(root, { "specs/cases.jsonl": lines.map((line) => JSON.stringify(line)).join("\n") });
    expect(found.queries.map(({ id, text, row }) => [id, text, row?.line])).toEqual([
      ["a", "One?", 1],
      ["b", "Two?", 2],
    ]);
    expect(limitsOf(found, "a")["expected_in_answer"]).toEqual(["1", "one"]);
    expect(limitsOf(found, "b")["expected_in_answer"]).toEqual(["2"]);
  });

  test("a cell inside of a pattern stands for its own characters, and captured variables are left", () => {
    const found = specOf(
      `agent: a
queries:
  - queries_from: t.csv
    query: "{q}"
    match: { pattern: "Refund order {number}" }
    correctness: { regex_match: "^about {q}$", expected_in_answer: ["{number}"] }
`,
      { "specs/t.csv": "q\nWhat is 1+1?\n" },
    );
    const limits = limitsOf(found, found.queries[0]?.id ?? "");
    expect(limits["regex_match"]).toBe(String.raw`^about What is 1\+1\?$`);
    expect(limits["expected_in_answer"]).toEqual(["{number}"]);
  });

  test("semicolons, tabs, byte-order marks and Windows line ends are read", () => {
    const text = "agent: a\nqueries:\n  - { queries_from: FILE }\n";
    const tables = {
      "t.csv": "\ufeffid;query\r\na;x, y\r\nb;z\r\n",
      "t.tsv": "id\tquery\na\tx, y\nb\tz\n",
      "t.jsonl": '{"id":"a","query":"x, y"}\n\n{"id":"b","query":"z"}\n',
    };
    for (const [name, table] of Object.entries(tables)) {
      const found = specOf(text.replace("FILE", name), { [`specs/${name}`]: table });
      expect(found.queries.map((one) => [one.id, one.text])).toEqual([
        ["a", "x, y"],
        ["b", "z"],
      ]);
    }
  });
});
