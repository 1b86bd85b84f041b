import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/model/json.ts";
import type { CheckResult } from "../../src/model/verdict.ts";
import { specOf } from "../support/spec-of.ts";
import { evaluationOf, queryIn } from "../support/evaluation-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";

/** What the blocks of a query, written as YAML, say of a run. */
function said(yaml: string, run: RunText, judge: "off" | "incomplete" = "off"): readonly CheckResult[] {
  const spec = specOf(`agent: "*"\nqueries:\n  - query: "*"\n${yaml.replace(/^/gm, "    ")}\n`);
  return evaluationOf(runOf(run), queryIn(spec), { judge }).layers.path.checks;
}

/** JSON texts beyond the bounds of what is parsed: what is in them is not known. */
const excessive: readonly (readonly [string, string])[] = [
  ["101 levels", `{"status":${"[".repeat(100)}${"]".repeat(100)}}`],
  ["five thousand levels", `{"status":${'{"a":'.repeat(5_000)}1${"}".repeat(5_001)}`],
  ["200,000 values", `{"status":[${"1,".repeat(200_000)}1]}`],
];

type Row = readonly [name: string, block: string, run: RunText, outcome: string];

describe("retrieval:", () => {
  test.each(excessive)("a tool's result of %s is unknown", (_, result) => {
    const run = { tools: [{ name: "search", result }] };
    expect(said("retrieval: { tool: search, min_results: 2 }", run)).toMatchObject([
      { outcome: "incomplete" },
    ]);
  });
});

describe("spans:", () => {
  const done = "{ kind: tool, field: result.status, equals: done }";
  const includesDone = "{ kind: tool, field: result, includes: { status: done } }";
  /** JSON as Python writes it by default: in ASCII. */
  const asciiJson = (value: JsonValue): string =>
    JSON.stringify(value).replace(
      /[^ -~]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  const returned = (result: JsonValue): RunText => ({ tools: [{ name: "read", result }] });

  test.each<Row>([
    ...excessive.flatMap(([what, result]): Row[] => [
      [`equals, in JSON of ${what}`, done, returned(result), "incomplete"],
      [`includes, in JSON of ${what}`, includesDone, returned(result), "incomplete"],
    ]),
    ...["contains", "not_contains", "regex"].flatMap((key): Row[] =>
      ["Jos\u00e9", "a\nb", String.raw`C:\x`, 'say "hi"'].flatMap((text): Row[] => {
        const value = JSON.stringify(key === "regex" ? text.replace("\\", String.raw`\\`) : text);
        const held = key === "not_contains" ? "warn" : "pass";
        const inside = { text: `It is ${text}.` };
        return [inside, asciiJson(inside), { content: [{ type: "text", text: asciiJson(inside) }] }].flatMap(
          (result): Row[] => [
            [
              `${key}, of characters that JSON escapes`,
              `{ kind: tool, ${key}: ${value} }`,
              returned(result),
              held,
            ],
            [key, `{ kind: tool, field: result, ${key}: ${value} }`, returned(result), held],
          ],
        );
      }),
    ),
  ])("%s: %s", (_, assertion, run, outcome) => {
    expect(said(`spans:\n  - ${assertion}`, run)).toMatchObject([{ check: "spans", outcome }]);
  });
});

describe("scoring:", () => {
  const path = "path: { expected_tools: [search, answer], expected_tool_sequence: [search, answer] }";
  const both = ["search", "answer"];
  test.each<[string, string, readonly string[], string, number | null]>([
    ["all tools in their order, worst case", "{ min_score: 50 }", both, "pass", null],
    ["all tools in their order, depends on the answer", "{ min_score: 95 }", both, "incomplete", null],
    ["no tools, best case", "{ min_score: 51 }", [], "warn", null],
  ])("%s", (_, block, tools, outcome, value) => {
    const found = said(`${path}\nscoring: ${block}`, { tools }, "incomplete");
    expect(found.find(({ check }) => check === "scoring.min_score")).toMatchObject({ outcome, value });
  });
});
