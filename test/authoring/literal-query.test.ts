import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { isLiteral, variableIn } from "../../src/authoring/query-text/literal-query.ts";
import { specText } from "../../src/authoring/query-text/spec-text.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { withVariables } from "../../src/evaluate/rules/variables.ts";
import { proposeQuery } from "../../src/report/render/json/query-block.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { anyText } from "../support/any-text.ts";

const reader = { read: () => ({ ok: false, reason: "no files here" }) as const };

function loaded(text: string) {
  const read = loadSpec({ file: "spec.yaml", text, realPath: "spec.yaml" }, { checks, reader });
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join("\n"));
  return read.spec;
}

/** Texts that are something else where YAML or a spec reads them. */
const hostile = [
  "{number}",
  "Refund order {number}",
  "/refund .*/i",
  "^refund.*$",
  "**",
  "*.",
  "* ",
  "*anchor",
  "&anchor x",
  "!include /etc/hostname",
  "!!js/function x",
  "<<: *x",
  "x\n    correctness: {}\n  - query: '*'",
  'x"\n  - query: "*"',
  "- a\n- b",
  "key: value",
  "null",
  "~",
  "true",
  "1e3",
  "2026-01-01",
  "# a comment",
  "a # b",
  "---\nx",
  "%YAML 1.1",
  "${HOME}",
  "{{ env.HOME }}",
  "\u200b*\u200b",
  "a\u202eb\u00adc\u200bd",
  "queries:",
  "two lines\nand a space ",
  "two lines\nand two more\n\n",
];

describe("a text of telemetry in a spec", () => {
  test.each(hostile)("%j is read back as it is, in one query", (text) => {
    const spec = loaded(specText("agent", [{ query: { id: "q", query: text }, remarks: [text] }], [text]));

    expect(spec.queries.map((query) => query.text)).toEqual([text]);
    expect(spec.queries[0]?.match.pattern).toBeUndefined();
  });

  test("any text, as question or agent, is either read back unchanged or not written", () => {
    const part = fc.oneof(fc.constantFrom(...hostile, "*", "\n", " ", "'", '"', ":"), anyText());
    const text = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (question, agent) => {
        fc.pre(question.trim() !== "" && agent.trim() !== "");
        const written = specText(
          agent,
          [{ query: { id: "q", query: question }, remarks: [question] }],
          [agent],
        );
        const spec = loaded(written);
        expect([spec.agent, ...spec.queries.map((query) => query.text)]).toEqual([agent, question]);
        expect(isLiteral(question)).toBe(question.trim() !== "*");
      }),
      { numRuns: 30 },
    );
  });

  test.each(["{number}", "id {a} of {b}", String.raw`\{a}`, "{{a}}", "{ a }"])(
    "%j as an expected term means these characters",
    (term) => {
      const query = { id: "q", query: "Hello", correctness: { expected_in_answer: [term] } };
      const [compiled] = loaded(specText("agent", [{ query, remarks: [] }], [])).queries;
      const filled = compiled && withVariables(compiled, new Map());
      expect(filled?.checks.find(({ check }) => check.key === "expected_in_answer")?.limit).toEqual([term]);
    },
  );

  test("the wildcard has no literal form", () => {
    expect(["*", " * ", "\n*"].map(isLiteral)).toEqual([false, false, false]);
    expect(proposeQuery({ query: "*", tools: [] })).toBeNull();
  });

  test("a name that a query's pattern would replace is found", () => {
    const edits = [{ path: ["path", "expected_tools"], value: ["search", "{city}"] }];
    expect(variableIn(edits, new Set(["number", "city"]))).toBe("city");
    expect(variableIn(edits, new Set(["number"]))).toBeUndefined();
  });
});

describe("a run that was asked *", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    const recorded = readFileSync("test/fixtures/runs/rag-weather-fixed.langgraph.jsonl", "utf8");
    writeFileSync(join(folder, "dump.jsonl"), recorded.replaceAll("What's the weather in Tokyo?", "*"));
    writeFileSync(
      join(folder, "spec.yaml"),
      'version: 1\nagent: "*"\nqueries:\n  - query: Something else\n    path: { max_tool_calls: 0 }\n',
    );
  });

  test("is no query of promote, propose or init", async () => {
    const dump = join(folder, "dump.jsonl");
    const spec = join(folder, "spec.yaml");
    const before = readFileSync(spec, "utf8");

    const promoted = await runCli("promote", dump, "--spec", spec, "--forbid", "search");
    expect(promoted.code).toBe(2);
    expect(promoted.stderr).toContain('in a spec, "*" matches any text');
    expect(readFileSync(spec, "utf8")).toBe(before);

    const proposed = await runCli("propose", dump, "--spec", spec);
    expect(proposed.code).toBe(2);
    expect(proposed.stdout + proposed.stderr).toContain('in a spec, "*" matches any text');

    const made = await runCli("init", "--from", dump, "--dir", join(folder, "made"));
    expect(made.stderr).toContain('in a spec, "*" matches any text');
    const specs = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.startsWith("made/specs/"),
    );
    for (const name of specs) expect(readFileSync(join(folder, name), "utf8")).not.toMatch(/query: ["']?\*/);
  });
});
