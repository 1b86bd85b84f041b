import { describe, expect, test } from "vitest";
import { adjacentRepeats, longestCycle, sameArgumentLoops } from "../../src/evaluate/metrics/loops.ts";
import { resolveMode } from "../../src/evaluate/metrics/match-mode.ts";
import { mismatch } from "../../src/evaluate/metrics/mismatch.ts";
import { type AccuracyRule, toolCallAccuracy } from "../../src/evaluate/metrics/tool-call-accuracy.ts";
import type { JsonValue } from "../../src/model/json.ts";

const list = (text: string): string[] => text.split(" ").filter((name) => name !== "");

describe("loops", () => {
  test.each([
    ["", 0],
    ["search", 0],
    // AgentCI metrics reference.
    ["search search grade grade grade", 3],
    ["a b a b", 0],
    ["retriever retriever retriever", 2],
  ])("[%s] has %i adjacent repeats", (names, loops) => {
    expect(adjacentRepeats(list(names))).toBe(loops);
  });

  test("calls of unknown tools are not taken for repeats", () => {
    expect(adjacentRepeats([null, null, "a", "a"])).toBe(1);
  });

  test.each([
    ["a b a b", ["a", "b"], 2],
    ["x a b a b a b y", ["a", "b"], 3],
    ["a b a b a", ["a", "b"], 2],
    ["a b c a b c", ["a", "b", "c"], 2],
    ["a a b a a b", ["a", "a", "b"], 2],
  ])("[%s] goes in a circle", (names, tools, turns) => {
    expect(longestCycle(list(names))).toEqual({ tools, turns });
  });

  test.each(["", "a b", "a a a a", "a b a c", "a b c d"])("[%s] does not", (names) => {
    expect(longestCycle(list(names))).toBeUndefined();
  });

  test.each([
    ["three alike", [1, 1, 1], 1],
    ["two alike", [1, 1, 2], 0],
    ["one long run counts once", [1, 1, 1, 1, 1], 1],
    ["two runs", [1, 1, 1, 2, 2, 2], 2],
    ["interrupted", [1, 1, 2, 1], 0],
    ["arguments not captured", [undefined, undefined, undefined], 0],
  ])("same-argument loops: %s", (_, pages, loops) => {
    const calls = pages.map((page) => ({
      name: "search",
      arguments: page === undefined ? undefined : { page },
    }));
    expect(sameArgumentLoops(calls)).toBe(loops);
  });

  test("arguments nested without end compare as different instead of ending the process", () => {
    const deep = (): JsonValue => Array.from({ length: 50_000 }).reduce<JsonValue>((inner) => [inner], 1);
    const calls = [deep(), deep(), deep()].map((nested) => ({ name: "search", arguments: { nested } }));
    expect(sameArgumentLoops(calls)).toBe(0);
  });

  test("arguments are equal in any order of keys", () => {
    const calls = [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
      { a: 1, b: [2] },
    ];
    expect(sameArgumentLoops(calls.map((text) => ({ name: "search", arguments: text })))).toBe(1);
  });
});

describe("match modes", () => {
  const reference = list("search grade");
  test.each([
    ["search grade", "same-order same-calls same-tools contains contains-in-order only-allowed", ""],
    ["grade search", "same-calls same-tools contains only-allowed", "same-order contains-in-order"],
    [
      "search search grade",
      "same-tools contains contains-calls contains-in-order only-allowed",
      "same-order same-calls only-allowed-calls",
    ],
    ["search think grade", "contains contains-calls contains-in-order", "same-order same-tools only-allowed"],
    ["search", "only-allowed only-allowed-calls", "same-order same-tools contains contains-in-order"],
    ["", "only-allowed", "same-order contains contains-in-order"],
  ])("[%s] against [search grade] is %s and not %s", (used, holding, others) => {
    const holds = (mode: string): boolean =>
      mismatch(mode as "contains", list(used), reference) === undefined;
    expect(list(holding).filter((mode) => !holds(mode))).toEqual([]);
    expect(list(others).filter(holds)).toEqual([]);
  });

  test.each([
    // parity 5.6: one row a system.
    ["agentci", "strict", "same-order"],
    ["agentci", "unordered", "same-tools"],
    ["agentci", "subset", "contains"],
    ["agentci", "superset", "only-allowed"],
    [undefined, "subset", "contains"],
    ["langchain", "strict", "same-order"],
    ["langchain", "unordered", "same-calls"],
    ["langchain", "superset", "contains-calls"],
    ["langchain", "subset", "only-allowed-calls"],
    ["evalview", "exact", "same-order"],
    ["evalview", "subsequence", "contains-in-order"],
    ["evalview", "unordered", "contains-calls"],
    ["langchain", "contains", "contains"],
  ] as const)("under preset %s, %s means %s", (preset, written, meant) => {
    expect(resolveMode(written, preset)).toBe(meant);
  });
});

const python = (mode: "strict" | "flexible"): AccuracyRule => {
  return { variant: "ragas-python", mode, argumentMatchThreshold: 0.8 };
};

describe("Ragas (Python) ToolCallAccuracy", () => {
  const a = { name: "a", arguments: { x: 1, y: 2 } };
  const b = { name: "b", arguments: {} };

  test.each([
    ["identical", [a, b], [a, b], "strict", 1],
    ["another order", [b, a], [a, b], "strict", 0],
    ["another order, flexible", [b, a], [a, b], "flexible", 1],
    [
      "one of two arguments: the share counts",
      [{ ...a, arguments: { x: 1, y: 3 } }, b],
      [a, b],
      "strict",
      0.75,
    ],
    ["compared as text", [{ name: "a", arguments: { x: "1", y: "2" } }], [a], "strict", 1],
    ["both empty", [], [], "strict", 1],
    ["nothing made", [], [a], "strict", 0],
    ["nothing expected", [a], [], "strict", 0],
    ["a call too few does not align", [a], [a, b], "strict", 0],
    ["arguments where none are expected", [{ name: "b", arguments: { x: 1 } }], [b], "strict", 0],
  ] as const)("%s", (_, made, expected, mode, score) => {
    expect(toolCallAccuracy(made, expected, python(mode))).toBeCloseTo(score, 12);
  });
});
