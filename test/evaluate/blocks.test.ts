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

const documents = (...scores: (number | null)[]) => ({
  spanId: "6000000000000001",
  query: "refunds",
  documents: scores.map((score, at) => ({
    id: `policy-${at}.md`,
    content: `Refunds within ${14 + at} days.`,
    score,
  })),
});

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

  test("names the key, its limit and its place", () => {
    expect(said("retrieval:\n  min_results: 2", { retrievals: [documents(1)] })).toMatchObject([
      {
        check: "retrieval.min_results",
        value: 1,
        limit: 2,
        source: { line: 5 },
        spanIds: ["6000000000000001"],
      },
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

  const renewed = (title: object) => ({ name: "renew", arguments: { card: "4711", ...title } });
  const [dune, emma] = [renewed({ title: "Dune" }), renewed({ title: "Emma" })];
  test.each<[string, readonly object[], string]>([
    ["another value", [dune, emma], '1 of 2 steps meet the condition: title is "Emma", expected "Dune"'],
    ["no value", [renewed({})], "0 of 1 step meets the condition: arguments lacks title"],
    [
      "another kind of value",
      [renewed({ title: ["Dune"] })],
      '0 of 1 step meets the condition: title is ["Dune"], expected "Dune"',
    ],
  ])("includes: names %s and the expected one, and the fault is the same in all runs", (_, tools, found) => {
    const assertion = "{ kind: tool, name: renew, field: arguments, includes: { title: Dune } }";
    const expected = {
      message: `tool renew: ${found}`,
      faults: ["tool renew: arguments lacks the expected title"],
    };
    expect(said(`spans:\n  - ${assertion}`, { tools })).toMatchObject([expected]);
  });

  test.each([
    ["another value", 6, 'arguments.id is 6, expected "5"'],
    ["another kind of value", 5, 'arguments.id is 5, expected "5"'],
    ["no value", undefined, 'arguments.id is null, expected "5"'],
  ])("equals: names %s and the expected one, and the fault is the same in all runs", (_, id, found) => {
    const tools = [{ name: "renew", arguments: { card: "4711", ...(id === undefined ? {} : { id }) } }];
    const assertion = '{ kind: tool, name: renew, field: arguments.id, equals: "5" }';
    const message = `tool renew: 0 of 1 step meets the condition: ${found}`;
    const faults = ['tool renew: arguments.id is not "5"'];
    expect(said(`spans:\n  - ${assertion}`, { tools })).toMatchObject([{ message, faults }]);
  });

  test.each([
    [
      'field: arguments.title, equals: "Dune"',
      '2 of 2 steps meet the condition (arguments.title equals "Dune")',
    ],
    [
      'field: arguments, includes: { title: "Dune" }',
      '2 of 2 steps meet the condition (arguments includes {"title":"Dune"})',
    ],
    [
      "field: arguments, contains: Dune, not_contains: Emma",
      '2 of 2 steps meet the condition (arguments contains "Dune" and does not contain "Emma")',
    ],
    ["regex: D.ne", "2 of 2 steps meet the condition (the step matches D.ne)"],
    [
      "field: arguments.id, equals: 1, some: true",
      "1 of 2 steps meet the condition (arguments.id equals 1); one is enough",
    ],
    [
      "field: agent, equals: clerk",
      '0 of 2 steps meet the condition (agent equals "clerk"); agent is unknown in 2 steps',
    ],
    ["max_count: 3", "2 steps found"],
  ])("two assertions on one tool have different messages: %s", (condition, found) => {
    const tools = [1, 2].map((id) => renewed({ title: "Dune", id }));
    expect(said(`spans:\n  - { kind: tool, name: renew, ${condition} }`, { tools })).toMatchObject([
      { message: `tool renew: ${found}` },
    ]);
  });

  test("without a name, the causes have the names of the steps", () => {
    const tools = [2, 3].flatMap((id) => ["renew", "extend"].map((name) => ({ name, arguments: { id } })));
    const assertion = "{ kind: tool, field: arguments.id, equals: 1 }";
    expect(said(`spans:\n  - ${assertion}`, { tools })).toMatchObject([
      { faults: ["tool renew: arguments.id is not 1", "tool extend: arguments.id is not 1"] },
    ]);
  });

  test("severity by their own names makes checks of blocks fail", () => {
    const blocks = "spans:\n  - { kind: tool, name: refund }\nretrieval: { min_results: 3 }";
    const fails = "severity: { spans: fail, retrieval.min_results: fail }";
    expect(said(`${fails}\n${blocks}`, { retrievals: [documents(1)] })).toMatchObject([
      { check: "spans", outcome: "fail" },
      { check: "retrieval.min_results", outcome: "fail" },
    ]);
  });

  test("keys that an object only inherits are not there", () => {
    expect(
      said("spans:\n  - { kind: tool, field: arguments.constructor, regex: '.{5}' }", { tools: ["pay"] }),
    ).toMatchObject([{ outcome: "warn" }]);
  });
});

describe("scoring:", () => {
  const path = "path: { expected_tools: [search, answer], expected_tool_sequence: [search, answer] }";
  const both = ["search", "answer"];
  const onlyTools = "weights: { tool_accuracy: 0.5, output_quality: 0, sequence_correctness: 0.5 }";
  test.each<[string, string, readonly string[], string, number | null]>([
    ["all tools in their order, worst case", "{ min_score: 50 }", both, "pass", null],
    ["all tools in their order, depends on the answer", "{ min_score: 95 }", both, "incomplete", null],
    ["no tools, best case", "{ min_score: 51 }", [], "warn", null],
    ["without a judged half", `{ ${onlyTools}, min_score: 100 }`, ["search", "answer"], "pass", 100],
    ["half the tools, half the sequence", `{ ${onlyTools}, min_score: 50 }`, ["search"], "pass", 50],
    ["the wrong order", `{ ${onlyTools}, min_score: 80 }`, ["answer", "search"], "warn", 75],
  ])("%s", (_, block, tools, outcome, value) => {
    const found = said(`${path}\nscoring: ${block}`, { tools }, "incomplete");
    expect(found.find(({ check }) => check === "scoring.min_score")).toMatchObject({ outcome, value });
  });

  test("what hangs on a judge is skipped when judges are off", () => {
    const found = said(`${path}\nscoring: { min_score: 95 }`, { tools: ["search", "answer"] });
    expect(found.find(({ check }) => check === "scoring.min_score")?.outcome).toBe("skip");
  });

  test("hidden tool calls leave it open", () => {
    const missing = [{ what: "tools", why: "hidden" }];
    const found = said(`${path}\nscoring: { min_score: 10 }`, { missing });
    expect(found.find(({ check }) => check === "scoring.min_score")?.outcome).toBe("incomplete");
  });
});
