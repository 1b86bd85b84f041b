import { describe, expect, test } from "vitest";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import type { JsonValue } from "../../src/model/json.ts";
import type { CheckResult } from "../../src/model/verdict.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { runOf, type RunText } from "../support/run-of.ts";

/** What the blocks of a query, written as YAML, say of a run. */
function said(yaml: string, run: RunText, judge: "off" | "incomplete" = "off"): readonly CheckResult[] {
  const text = `version: 1\nagent: "*"\nqueries:\n  - query: "*"\n${yaml.replace(/^/gm, "    ")}\n`;
  const reader = { read: () => ({ ok: false, reason: "no files here" }) as const };
  const loaded = loadSpec({ file: "spec.yaml", text, realPath: "spec.yaml" }, { checks, reader });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join("\n"));
  const [query] = loaded.spec.queries;
  if (query === undefined) throw new Error("no query");
  return evaluateQuery(runOf(run), query, {
    reference: { missing: "not-asked", version: null },
    judge,
  }).layers.path.checks;
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
const none = { spanId: "6000000000000002", query: "refunds", documents: [] };

/** JSON texts beyond the bounds of what is parsed: what is in them is not known. */
const excessive: readonly (readonly [string, string])[] = [
  ["101 levels", `{"status":${"[".repeat(100)}${"]".repeat(100)}}`],
  ["five thousand levels", `{"status":${'{"a":'.repeat(5_000)}1${"}".repeat(5_001)}`],
  ["200,000 values", `{"status":[${"1,".repeat(200_000)}1]}`],
];

type Row = readonly [name: string, block: string, run: RunText, outcome: string];
const lacks = (what: string): RunText => ({ missing: [{ what, why: "hidden" }] });

describe("retrieval:", () => {
  const unfound = { retrievals: [none], answer: "I could not find that." };
  const two = "{ tool: search, min_results: 2 }";
  const search = (result: string | undefined): RunText => ({ tools: [{ name: "search", result }] });
  test.each<Row>([
    ["forbid_empty", "forbid_empty: true", { retrievals: [documents(0.9)] }, "pass"],
    ["forbid_empty", "forbid_empty: true", { retrievals: [documents(0.9), none] }, "warn"],
    ["forbid_empty, when the answer says that nothing was found", "forbid_empty: true", unfound, "pass"],
    ["min_results", "min_results: 2", { retrievals: [documents(1, 1)] }, "pass"],
    ["min_results", "min_results: 2", { retrievals: [documents(1, 1), documents(1)] }, "warn"],
    ["max_results", "max_results: 2", { retrievals: [documents(1, 1)] }, "pass"],
    ["max_results", "max_results: 1", { retrievals: [documents(1, 1)] }, "warn"],
    ["min_score", "min_score: 0.5", { retrievals: [documents(0.2, 0.5)] }, "pass"],
    ["min_score", "min_score: 0.5", { retrievals: [documents(0.2, 0.4)] }, "warn"],
    ["min_score without scores", "min_score: 0.5", { retrievals: [documents(null)] }, "incomplete"],
    ["expected_sources", "expected_sources: [policy-0]", { retrievals: [documents(1)] }, "pass"],
    ["expected_sources", "expected_sources: [terms]", { retrievals: [documents(1)] }, "warn"],
    ["facts_in_context", "facts_in_context: [within 14 days]", { retrievals: [documents(1)] }, "pass"],
    ["facts_in_context", "facts_in_context: [30 days]", { retrievals: [documents(1)] }, "warn"],
    ["a run that retrieved nothing", "min_results: 1", {}, "skip"],
    ["a run whose retrievals were not captured", "min_results: 1", lacks("retrievals"), "incomplete"],
    ["a tool's JSON result", two, search('{"results":[{"id":"a"},{"id":"b"}]}'), "pass"],
    ...excessive.map(([what, result]): Row => [
      `a tool's result of ${what}`,
      two,
      search(result),
      "incomplete",
    ]),
    [
      "a tool that says it found nothing",
      "{ tool: search, forbid_empty: true }",
      search("No results."),
      "warn",
    ],
    ["a tool's result that was not captured", two, search(undefined), "incomplete"],
  ])("%s: %s", (_, block, run, outcome) => {
    expect(said(`retrieval:\n  ${block}`, run)).toMatchObject([{ outcome }]);
  });

  test("names the key, its limit and its place", () => {
    expect(said("retrieval:\n  min_results: 2", { retrievals: [documents(1)] })).toMatchObject([
      {
        check: "retrieval.min_results",
        value: 1,
        limit: 2,
        source: { line: 6 },
        spanIds: ["6000000000000001"],
      },
    ]);
  });
});

describe("spans:", () => {
  const tools = [
    { name: "pay", arguments: { amount: 5, to: { iban: "DE1" } }, result: '{"status":"done"}' },
    { name: "pay", arguments: { amount: 7 }, result: '{"status":"open"}' },
  ];
  const all: RunText = { tools };
  const paid: RunText = { tools: tools.slice(0, 1) };
  const hidden: RunText = { tools: [{ name: "pay", arguments: undefined }] };
  const oneHidden: RunText = { tools: [...tools, { name: "pay", arguments: undefined }] };
  const listed = (list: JsonValue, more: object = { flag: null }): RunText => ({
    tools: [{ name: "a", arguments: { list, ...more } }],
  });
  const inList = "{ kind: tool, field: arguments, includes: { list: [{ a: 1 }], flag: null } }";
  const done = "{ kind: tool, field: result.status, equals: done }";
  const includesDone = "{ kind: tool, field: result, includes: { status: done } }";
  const eight = "{ kind: tool, field: arguments.amount, equals: 8, some: true }";
  const five = "{ kind: tool, field: arguments.amount, equals: 5 }";
  const untripped = "{ kind: guardrail, name: pii, field: triggered, equals: false }";
  const policy = "{ kind: retrieval, field: documents.0.id, contains: policy }";
  const untold: RunText = {
    retrievals: [{ spanId: null, query: "q", documents: [{ id: "policy.md", content: null, score: null }] }],
  };
  /** JSON as Python writes it by default: in ASCII. */
  const asciiJson = (value: JsonValue): string =>
    JSON.stringify(value).replace(
      /[^ -~]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  const returned = (result: JsonValue): RunText => ({ tools: [{ name: "read", result }] });
  const nameless = { model: null };
  const unnamed: RunText = { tools: [{ name: null }], llm: [nameless] };
  const twice = "{ kind: model, name: gpt-5, max_count: 1 }";
  const pii: RunText = { guardrails: [{ spanId: null, name: "pii", triggered: true }] };
  test.each<Row>([
    [
      "equals",
      "{ kind: tool, name: pay, field: arguments.to.iban, equals: DE1, max_count: 1 }",
      paid,
      "pass",
    ],
    ["equals", "{ kind: TOOL, name: pay, field: arguments.amount, equals: 5 }", all, "warn"],
    ["a field of a result that is JSON as text", done, paid, "pass"],
    ...excessive.flatMap(([what, result]): Row[] => {
      const run = { tools: [{ name: "pay", result }] };
      return [
        [`equals, in JSON of ${what}`, done, run, "incomplete"],
        [`includes, in JSON of ${what}`, includesDone, run, "incomplete"],
      ];
    }),
    ["contains", "{ kind: tool, field: result, contains: status }", all, "pass"],
    ["contains", "{ kind: tool, field: result, contains: done }", all, "warn"],
    ["not_contains", "{ kind: tool, field: result, not_contains: failed }", all, "pass"],
    ["not_contains", "{ kind: tool, field: result, not_contains: open }", all, "warn"],
    ["regex", "{ kind: tool, field: arguments.amount, regex: '^[57]$' }", all, "pass"],
    ["regex", "{ kind: tool, field: arguments.amount, regex: '^5$' }", all, "warn"],
    ["min_count", "{ kind: tool, name: pay, min_count: 2 }", all, "pass"],
    ["min_count", "{ kind: tool, name: pay, min_count: 3 }", all, "warn"],
    ["max_count", "{ kind: tool, name: refund, max_count: 0 }", all, "pass"],
    ["max_count", "{ kind: tool, name: pay, max_count: 1 }", all, "warn"],
    ["no such step", "{ kind: tool, name: refund }", all, "warn"],
    ["includes", "{ kind: tool, field: arguments, includes: { amount: 5 }, max_count: 2 }", paid, "pass"],
    ["includes", "{ kind: tool, field: arguments, includes: { to: {} } }", paid, "pass"],
    ["includes", "{ kind: tool, field: arguments, includes: { to: { iban: DE2 } } }", paid, "warn"],
    ["includes", includesDone, paid, "pass"],
    ["includes, of a list of objects that have more", inList, listed([{ a: 1, b: 2 }]), "pass"],
    ["includes, of a longer list", inList, listed([{ a: 1 }, { a: 1 }]), "warn"],
    ["includes, of no key for null", inList, listed([{ a: 1 }], {}), "warn"],
    ["some", "{ kind: tool, field: arguments, includes: { amount: 7 }, some: true }", all, "pass"],
    ["some", "{ kind: tool, field: arguments, includes: { amount: 8 }, some: true }", all, "warn"],
    ["some", "{ kind: tool, name: refund, some: true }", all, "warn"],
    ["some, where a call was not captured", eight, oneHidden, "incomplete"],
    ["some, found beside a call that was not captured", eight.replace("8", "7"), oneHidden, "pass"],
    ["some, in a run that may go on", eight, { tools, complete: false }, "incomplete"],
    [
      "no such step, where steps may be missing",
      "{ kind: tool, name: refund }",
      lacks("tools"),
      "incomplete",
    ],
    ["a tool whose name is unknown", "{ kind: tool, name: refund, max_count: 0 }", unnamed, "incomplete"],
    ["a tool whose name is unknown", "{ kind: tool, name: refund }", unnamed, "incomplete"],
    ["a tool whose name is unknown", "{ kind: tool, not_contains: refund }", unnamed, "incomplete"],
    ["a tool whose name is unknown", "{ kind: tool, max_count: 1 }", unnamed, "pass"],
    ["a model whose name is unknown", "{ kind: model, name: gpt-9, max_count: 0 }", unnamed, "incomplete"],
    ["a model whose name is unknown", "{ kind: LLM, name: gpt-9 }", unnamed, "incomplete"],
    ["a model whose name is unknown", "{ kind: model, not_contains: gpt-9 }", unnamed, "incomplete"],
    ["a model whose name is unknown", "{ kind: model, max_count: 1 }", unnamed, "pass"],
    ["too many calls of a model, beside an unknown name", twice, { llm: [{}, {}, nameless] }, "warn"],
    ["arguments that were not captured", five, hidden, "incomplete"],
    ["a hand-off", "{ kind: HANDOFF, name: billing }", { handoffs: ["billing"] }, "pass"],
    ["a guardrail", untripped, pii, "warn"],
    ["a model call", "{ kind: LLM, field: finish_reason, equals: stop }", { llm: [{}] }, "pass"],
    ["an agent", "{ kind: NODE, name: support }", {}, "pass"],
    ["a retrieval", policy, { retrievals: [documents(1)] }, "pass"],
    ["a text in a part that was not captured", "{ kind: tool, not_contains: secret }", hidden, "incomplete"],
    ["a text in a part that was not captured", "{ kind: tool, contains: secret }", hidden, "incomplete"],
    ["a text in a part that was not captured", "{ kind: tool, regex: secret }", hidden, "incomplete"],
    ["a text in the captured part", "{ kind: tool, not_contains: done }", hidden, "warn"],
    ["a text in the captured part", "{ kind: tool, contains: done, regex: do }", hidden, "pass"],
    ["a text in a captured call", "{ kind: tool, not_contains: secret }", paid, "pass"],
    ["a document without its text", "{ kind: retrieval, not_contains: secret }", untold, "incomplete"],
    [
      "a document without its text",
      "{ kind: retrieval, field: documents, contains: within }",
      untold,
      "incomplete",
    ],
    ["a document without its text", policy.replace("id", "content"), untold, "incomplete"],
    [
      "a document without a score",
      "{ field: documents.0.score, kind: retrieval, equals: 1 }",
      untold,
      "incomplete",
    ],
    ["a document without its text, but with its id", policy, untold, "pass"],
    [
      "a field that no tool has",
      "{ kind: tool, field: reslt.status, not_contains: open }",
      all,
      "incomplete",
    ],
    [
      "a field that only other kinds have",
      "{ kind: NODE, field: result, not_contains: x }",
      all,
      "incomplete",
    ],
    ["a field that no kind has", "{ field: output, not_contains: x }", all, "incomplete"],
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
