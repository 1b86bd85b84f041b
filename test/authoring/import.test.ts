import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import type { ToolCall } from "../../src/model/run.ts";
import { type ImportKind, importSpec } from "../../src/interfaces/cli/authoring/import-spec.ts";
import { UserError } from "../../src/support/process/io.ts";
import { evaluationOf, queryIn } from "../support/evaluation-of.ts";
import { runOf } from "../support/run-of.ts";
import { runCli } from "../support/run-cli.ts";
import { specOf } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const dir = temporaryFolder();

/** The spec that `init` makes of a file or folder, which is valid. */
async function written(kind: string, path: string) {
  const out = mkdtempSync(join(dir, "out-"));
  const { code, stderr } = await runCli("init", `--from-${kind}`, path, "--agent", "shop", "--dir", out);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const text = readFileSync(join(out, "specs", "shop.yaml"), "utf8");
  specOf(text);
  return { spec: parse(text), text, stderr };
}

async function imported(kind: string, name: string, text: string) {
  const file = join(dir, name);
  writeFileSync(file, text);
  return await written(kind, file);
}

function told(stderr: string): string[] {
  return stderr
    .split("\n")
    .filter(Boolean)
    .map((line) => line.replace("not converted: ", ""));
}

const folder = "test/fixtures/imports";

interface Case {
  readonly from: string;
  readonly text: string;
  readonly spec: unknown;
  readonly left?: readonly string[];
}

/** Files of other tools, each with the spec that it becomes and what is listed as not converted. */
test.each(readdirSync(folder))("%s", async (name) => {
  const { from, text, spec, left = [] } = parse(readFileSync(join(folder, name), "utf8")) as Case;
  const made = await imported(from, name, text);
  expect({ spec: made.spec, left: told(made.stderr) }).toEqual({ spec, left });
});

test("EvalView: weights of the configuration beside the tests hold for all of them", async () => {
  const folder = mkdtempSync(join(dir, "evalview-"));
  const weights = { tool_accuracy: 0.5, output_quality: 0.3, sequence_correctness: 0.2 };
  writeFileSync(join(folder, "config.yaml"), stringify({ adapter: "http", weights }));
  writeFileSync(join(folder, "one.yaml"), "name: one\ninput: { query: One? }\n");
  const { spec, stderr } = await written("evalview", folder);
  expect(spec.scoring).toEqual({ weights });
  expect(stderr).toMatch(/not converted: .*config\.yaml: file\.adapter/);
});

test("ADK: criteria beside a file, and turns of a list", async () => {
  const folder = mkdtempSync(join(dir, "adk-"));
  const criteria = { tool_trajectory_avg_score: { threshold: 1, match_type: "IN_ORDER", ignore_args: true } };
  writeFileSync(join(folder, "test_config.json"), JSON.stringify({ criteria }));
  const turns = [
    {
      query: "Find it",
      expected_tool_use: [{ tool_name: "find", tool_input: { id: 1 } }],
      reference: "Found.",
    },
    { query: "Buy it", expected_tool_use: [], reference: "Bought." },
  ];
  writeFileSync(join(folder, "a.test.json"), JSON.stringify(turns));
  const { spec } = await written("adk", join(folder, "a.test.json"));
  const path = { expected_tool_sequence: ["find"], sequence_mode: "contains-in-order" };
  expect(spec.severity).toEqual({ path: "fail" });
  expect(spec.queries).toEqual([
    {
      query: "Find it",
      scope: "conversation",
      turns: [{ query: "Find it", path }, { query: "Buy it" }],
    },
  ]);
});

test("AgentCI: a spec without null stays as it is written", async () => {
  const text = '# mine\nversion:   1\nagent: "shop"\nqueries: [ { query: one } ]\n';
  const file = join(dir, "no-nulls.yaml");
  writeFileSync(file, text);
  expect((await written("agentci", file)).text).toBe(text);
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
  const query = queryIn(specOf(stringify(spec)));
  const outcome = (...tools: readonly Partial<ToolCall>[]): string => {
    const run = runOf({ query: "Book flight 7", tools: [{ name: "search" }, ...tools] });
    return evaluationOf(run, query).outcome;
  };
  const seven = { name: "book", arguments: { id: 7, seat: "4A" } };
  const eight = { name: "book", arguments: { id: 8 } };
  const pay = { name: "pay", arguments: { eur: 5 } };
  expect(outcome(seven, eight, pay)).toBe("pass");
  expect(outcome(seven, eight, pay, { name: "pay", arguments: { eur: 9 } }, { name: "mail" })).toBe("pass");
  expect(outcome(seven, pay)).toBe("fail");
  expect(outcome(seven, eight, { name: "pay", arguments: { eur: 5, tip: 1 } })).toBe("fail");
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
  const query = queryIn(specOf(stringify(spec)));
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

test("a file without a test says what it has instead", async () => {
  const file = join(dir, "config.yaml");
  writeFileSync(file, "adapter: http\nmodel: gpt-5\n");
  const { code, stderr } = await runCli("init", "--from-evalview", file, "--dir", join(dir, "none"));

  expect(code).toBe(2);
  expect(stderr).toContain("that can become a query; not converted: file.adapter, file.model");
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
