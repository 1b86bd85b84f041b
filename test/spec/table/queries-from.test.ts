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

  test("a thousand rows are a thousand queries", () => {
    const rows = Array.from({ length: 1000 }, (_, at) => `Question ${at}?,${at % 7}`);
    const found = specOf(
      block.replace(/ {4}id:[^]*$/, '    query: "{q}"\n    path: { max_tool_calls: "{n}" }\n'),
      {
        "specs/cases.csv": `q,n\n${rows.join("\n")}\n`,
      },
    );
    expect(found.queries).toHaveLength(1000);
    expect(new Set(found.queries.map(({ id }) => id)).size).toBe(1000);
  });
});

const wrong: readonly (readonly [name: string, spec: string, table: string, problem: RegExp])[] = [
  [
    "a cell of the wrong kind",
    block,
    csv.replace("Cy,0", "Cy,none"),
    /^specs\/cases\.csv:6:19 `max_tool_calls` must be a number, not "none" \(row 3, column `calls`\)$/,
  ],
  [
    "a number out of range",
    block,
    csv.replace("Cy,0", "Cy,-1"),
    /^specs\/cases\.csv:6:\d+ .*at least 0.*\(row 3, column `calls`\)$/,
  ],
  [
    "a row of too many cells",
    block,
    csv.replace("Ann,3", "Ann,3,x"),
    /^specs\/cases\.csv:2:1 row 1 has 8 cells, the header has 7$/,
  ],
  [
    "a quotation mark that stays open",
    block,
    csv.replace('"smoke; slow"', '"smoke'),
    /^specs\/cases\.csv:\d+:1 not valid CSV: /,
  ],
  [
    "two columns of one name",
    block,
    csv.replace("tags,", "name,"),
    /^specs\/cases\.csv:1:1 two columns are named `name`$/,
  ],
  [
    "a column that is not there",
    block.replace("{name}", "{nam}"),
    csv,
    /^specs\/demo\.yaml:7:\d+ specs\/cases\.csv has no column `nam`$/,
  ],
  [
    "an id without a column",
    block.replace("faq-{id}", "faq"),
    csv,
    /^specs\/demo\.yaml:4:9 every row would have this id$/,
  ],
  [
    "two rows with one id",
    block,
    csv.replace("\n3,", "\n1,"),
    /^specs\/cases\.csv:6:1 the id "faq-1" is already used by the query on line 2 \(row 3\)$/,
  ],
  [
    "an empty question",
    block,
    csv.replace("Is it open?", ""),
    /^specs\/cases\.csv:6:1 `query` is missing \(row 3.*\)$/,
  ],
  ["no row", block, "id,question\n", /^specs\/cases\.csv:0:0 the table has no row$/],
  [
    "no file",
    block.replace("cases.csv", "other.csv"),
    csv,
    /^specs\/demo\.yaml:3:19 cannot read other\.csv: no such file$/,
  ],
  ["a file above the spec", block.replace("cases.csv", "../cases.csv"), csv, /is outside the folder/],
  [
    "no table",
    block.replace("cases.csv", "cases.xlsx"),
    csv,
    /`queries_from` must be the path of one \.csv, \.tsv or \.jsonl file/,
  ],
];

describe("a column with the name of a check", () => {
  const table = "id,query,expected_in_answer,notes\na,Where is it?,here,x\n";
  test.each<[string, string, readonly string[]]>([
    [
      "that no key uses checks nothing, which is a warning",
      "agent: a\nqueries:\n  - queries_from: cases.csv\n",
      [
        "specs/demo.yaml:3:5 no key uses the column `expected_in_answer` of specs/cases.csv, so its cells check nothing",
      ],
    ],
    [
      "may be used by any key",
      'agent: a\nqueries:\n  - queries_from: cases.csv\n    correctness: { exact_match: "{expected_in_answer}" }\n',
      [],
    ],
    [
      "may be a note beside a check that is written out",
      "agent: a\nqueries:\n  - queries_from: cases.csv\n    correctness: { expected_in_answer: [here] }\n",
      [],
    ],
  ])("%s", (_, spec, problems) => {
    const loaded = load(spec, { "specs/cases.csv": table });
    expect(loaded.ok).toBe(true);
    expect(problemsOf(loaded)).toEqual(problems);
  });
});

describe("a table that is wrong", () => {
  test.each(wrong)("%s is named with its file, row and column", (_, spec, table, problem) => {
    const loaded = load(spec, { "specs/cases.csv": table });
    expect(loaded.ok).toBe(false);
    expect(problemsOf(loaded)[0]).toMatch(problem);
  });

  test("lines that are no JSON objects, or have a key twice, are named", () => {
    const loaded = load(block.replace("cases.csv", "cases.jsonl"), {
      "specs/cases.jsonl":
        '{"id":1}\n[2]\n{"id":\n{"id":"a \\"id\\": {", "id" :3}\n{"id":4,"tools":[{"a":1,"\\u0061":2}]}\n{"id":{"id":"id"}}\n',
    });
    expect(problemsOf(loaded)).toEqual([
      "specs/cases.jsonl:2:1 row 2 is not a JSON object",
      "specs/cases.jsonl:3:1 row 2 is not valid JSON",
      'specs/cases.jsonl:4:22 row 2 has the key "id" twice',
      'specs/cases.jsonl:5:25 row 2 has the key "\\u0061" twice',
    ]);
  });
});
