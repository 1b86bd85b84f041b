import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import { limitOfCut, placeOfCut } from "../../src/evaluate/rules/cut-values.ts";
import type { JsonValue } from "../../src/model/json.ts";
import { type Layer, layers } from "../../src/model/outcome.ts";
import type { CheckResult } from "../../src/model/verdict.ts";
import { queryOf, referenceOf } from "../support/query-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";

/* A text that an SDK cut at its limit is unknown: checks that read it are open, and say which limit to raise. */

const limits = [128, 256, 512, 1000, 1024, 2048, 4096, 8192, 12_000, 65_536];
const anyLimit = fc.constantFrom(...limits);

/** Words of which none is the end of a sentence, cut at so many characters. */
function cutAt(length: number, begin = ""): string {
  return `${begin}${"the order of Monday ".repeat(length)}`.slice(0, length - 1) + "x";
}

function resultsOf(layer: Layer, checks: Record<string, JsonValue>, run: RunText): readonly CheckResult[] {
  const options = {
    reference: referenceOf({ tools: ["look"], answer: "yes" }),
    judge: "incomplete",
  } as const;
  const evaluation = evaluateQuery(runOf(run), queryOf({ [layer]: checks }), options);
  return layers.flatMap((one) => evaluation.layers[one].checks).filter(({ check }) => check in checks);
}

type Row = readonly [layer: Layer, checks: Record<string, JsonValue>];

const aboutAnswer: readonly Row[] = [
  ["correctness", { expected_in_answer: ["the order"] }],
  ["correctness", { expected_in_answer: ["Tuesday"] }],
  ["correctness", { any_expected_in_answer: ["the order", "Tuesday"] }],
  ["correctness", { not_in_answer: ["Tuesday"] }],
  ["correctness", { regex_match: "the order" }],
  ["correctness", { regex_match: ["Tuesday"] }],
  ["correctness", { not_regex_match: "Tuesday" }],
  ["correctness", { not_regex_match: "x$" }],
  ["correctness", { exact_match: "yes" }],
  ["correctness", { json_schema: {} }],
  ["correctness", { rouge_1: { reference: "the order", min: 0.1 } }],
  ["correctness", { grounded: {} }],
];

const aboutArguments: readonly Row[] = [
  ["path", { expected_tool_calls: [{ name: "look", arguments: { id: 1 } }, { name: "look" }] }],
  ["correctness", { grounded: { in: "arguments" } }],
];

const aboutResults: readonly Row[] = [["correctness", { grounded: {} }]];

describe("a text of the length of a limit is unknown", () => {
  test.each(aboutAnswer)("the answer: %s %j", (layer, checks) => {
    fc.assert(
      fc.property(anyLimit, (length) => {
        const results = resultsOf(layer, checks, { answer: cutAt(length) });
        expect(results.map(({ outcome }) => outcome)).toEqual(["incomplete"]);
        expect(results[0]?.remedy).toContain("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT");
        expect(results[0]?.remedy).toContain(`cut off at ${length.toLocaleString("en-US")} characters`);
      }),
      { numRuns: 30 },
    );
  });

  test.each(aboutArguments)("arguments: %s %j", (layer, checks) => {
    fc.assert(
      fc.property(anyLimit, (length) => {
        const tools = [
          { name: "look", arguments: cutAt(length) },
          { name: "look", arguments: cutAt(length) },
        ];
        const results = resultsOf(layer, checks, { tools });
        expect(results.map(({ outcome }) => outcome)).toEqual(["incomplete"]);
        expect(results[0]?.remedy).toContain("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT");
      }),
      { numRuns: 30 },
    );
  });

  test.each(aboutResults)("results: %s %j", (layer, checks) => {
    fc.assert(
      fc.property(anyLimit, (length) => {
        const tools = [{ name: "look", result: cutAt(length) }];
        const results = resultsOf(layer, checks, { tools, answer: "It costs $71." });
        expect(results.map(({ outcome }) => outcome)).toEqual(["incomplete"]);
        expect(results[0]?.remedy).toContain("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT");
      }),
      { numRuns: 30 },
    );
  });

  test("what the query or a document held beyond it may ground a value", () => {
    const answer = "It costs $71.";
    const document = { id: null, score: null, content: cutAt(1024) };
    const retrievals = [{ spanId: null, query: null, documents: [document] }];
    for (const run of [
      { answer, query: cutAt(512) },
      { answer, retrievals },
    ])
      expect(resultsOf("correctness", { grounded: {} }, run)[0]?.outcome).toBe("incomplete");
  });

  test("no judge is asked about it", () => {
    const rubric = { rule: "The answer is polite." };
    const [result] = resultsOf("correctness", { llm_judge: [rubric] }, { answer: cutAt(256) });
    expect(result?.outcome).toBe("incomplete");
  });
});

describe("what was found before the cut stays found", () => {
  test.each([
    ["not_in_answer", ["order"]],
    ["not_regex_match", "order of \\w+day"],
  ] as const)("%s fails", (check, limit) => {
    for (const length of limits) {
      const [result] = resultsOf("correctness", { [check]: limit }, { answer: cutAt(length) });
      expect(result?.outcome).toBe("fail");
    }
  });
});

describe("an answer that ends with a mark of truncation is unknown", () => {
  const long = "the order of Monday ".repeat(30);
  test.each([
    ["words", `${long}... [truncated]`, "[truncated]"],
    ["words with a size", `${long}[truncated 900 characters]`, "[truncated 900 characters]"],
    ["words in round brackets", `${long}…(truncated)`, "(truncated)"],
    ["a size that was left out", `${long}(300 characters omitted)`, "(300 characters omitted)"],
    ["dots after a limit", `${long.slice(0, 255)}x...`, "..."],
    ["dots up to a limit", `${long.slice(0, 252)}x...`, "..."],
    ["an ellipsis after a round number", `${long.slice(0, 299)}x…`, "…"],
    ["dots in brackets", `${long.slice(0, 499)}x [...]`, "[...]"],
  ])("%s", (_, answer, mark) => {
    const [result] = resultsOf("correctness", { not_in_answer: ["Tuesday"] }, { answer });
    expect(result).toMatchObject({ outcome: "incomplete" });
    expect(result?.remedy).toContain(mark);
    expect(resultsOf("correctness", { not_in_answer: ["Monday"] }, { answer })[0]?.outcome).toBe("fail");
  });

  test.each([
    ["dots at another length", `${long.slice(0, 270)}x...`],
    ["a short text with dots", "Let me see..."],
    ["a word in brackets", `${long}[see below]`],
    ["a number in brackets", `${long}(12 characters)`],
    ["words without brackets", `${long}it was truncated.`],
  ])("%s is whole", (_, answer) => {
    expect(placeOfCut(answer)).toBeNull();
  });
});

describe("a text that is whole is read", () => {
  test.each([
    ["a sentence of that length", `${cutAt(256).slice(0, 255)}.`],
    ["quoted and marked up", `${cutAt(512).slice(0, 509)}.**`],
    ["JSON of that length", `{"a":"${cutAt(128).slice(0, 120)}"}`],
    ["another length", cutAt(257)],
    ["a short text", "42"],
  ])("%s", (_, text) => {
    expect(limitOfCut(text)).toBeNull();
  });

  test("characters of two units count as Python counts them", () => {
    expect(limitOfCut("😀".repeat(200))).toBe(200);
    expect(limitOfCut("😀".repeat(128))).toBe(256);
    expect(limitOfCut("😀".repeat(130))).toBeNull();
  });
});
