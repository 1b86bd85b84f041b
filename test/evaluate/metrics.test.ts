import { describe, expect, test } from "vitest";
import { shareOfChanges } from "../../src/evaluate/metrics/changes.ts";
import { adjacentRepeats, longestCycle, sameArgumentLoops } from "../../src/evaluate/metrics/loops.ts";
import { resolveMode } from "../../src/evaluate/metrics/match-mode.ts";
import { mismatch } from "../../src/evaluate/metrics/mismatch.ts";
import { progress } from "../../src/evaluate/metrics/progress.ts";
import { ratio } from "../../src/evaluate/metrics/ratio.ts";
import { strategicDrift } from "../../src/evaluate/metrics/strategic-drift.ts";
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
  const cases: readonly [used: string, modes: Readonly<Record<string, boolean>>][] = [
    [
      "search grade",
      {
        "same-order": true,
        "same-calls": true,
        "same-tools": true,
        contains: true,
        "contains-in-order": true,
        "only-allowed": true,
      },
    ],
    [
      "grade search",
      {
        "same-order": false,
        "same-calls": true,
        "same-tools": true,
        contains: true,
        "contains-in-order": false,
        "only-allowed": true,
      },
    ],
    [
      "search search grade",
      {
        "same-order": false,
        "same-calls": false,
        "same-tools": true,
        contains: true,
        "contains-calls": true,
        "contains-in-order": true,
        "only-allowed": true,
        "only-allowed-calls": false,
      },
    ],
    [
      "search think grade",
      {
        "same-order": false,
        "same-tools": false,
        contains: true,
        "contains-calls": true,
        "contains-in-order": true,
        "only-allowed": false,
      },
    ],
    [
      "search",
      {
        "same-order": false,
        "same-tools": false,
        contains: false,
        "contains-in-order": false,
        "only-allowed": true,
        "only-allowed-calls": true,
      },
    ],
    ["", { "same-order": false, contains: false, "contains-in-order": false, "only-allowed": true }],
  ];
  test.each(cases)("[%s] against [search grade]", (used, modes) => {
    for (const [mode, holds] of Object.entries(modes)) {
      expect([mode, mismatch(mode as "contains", list(used), reference) === undefined]).toEqual([
        mode,
        holds,
      ]);
    }
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

describe("ProjectScylla process metrics", () => {
  const steps = (text: string, weight = 1): { name: string; weight: number }[] =>
    list(text).map((name) => ({ name, weight }));

  test("r_prog weighs steps", () => {
    const expected = [...steps("plan", 1), ...steps("ship", 3)];
    expect(progress(expected, ["ship"])).toMatchObject({ share: 0.75, open: ["plan"] });
  });

  test("r_prog without expected steps is unknown, not 0 or 1", () => {
    expect(progress([], ["plan"])).toBeNull();
  });

  test.each([
    ["", 0],
    ["plan edit", 0],
    ["plan chat", 0.5],
    ["chat chat", 1],
  ])("strategic drift of [%s] is %f", (calls, drift) => {
    const alignment = (name: string): number => (["plan", "edit"].includes(name) ? 1 : 0);
    expect(strategicDrift(list(calls), (name) => ({ alignment: alignment(name), weight: 1 }))).toBe(drift);
  });

  test("strategic drift weighs calls", () => {
    const plan = { alignment: 1, weight: 3 };
    expect(
      strategicDrift(["plan", "chat"], (name) => (name === "plan" ? plan : { alignment: 0, weight: 1 })),
    ).toBe(0.25);
  });

  test("strategic drift is 1 − Σ(goal_alignment·weight) / Σ(weight)", () => {
    const graded = new Map([
      ["plan", { alignment: 1, weight: 3 }],
      ["search", { alignment: 0.5, weight: 2 }],
      ["chat", { alignment: 0.25, weight: 1 }],
    ]);
    const of = (name: string) => graded.get(name) ?? { alignment: 0, weight: 1 };
    expect(strategicDrift(["plan", "search", "chat", "chat", "sleep"], of)).toBeCloseTo(
      1 - (1 * 3 + 0.5 * 2 + 0.25 + 0.25 + 0) / (3 + 2 + 1 + 1 + 1),
      12,
    );
  });

  test.each([
    [1, 10, 0.1],
    [0, 0, 0],
    [0, 3, 0],
    [3, 3, 1],
    [null, 3, null],
    [1, null, null],
    [4, 3, null],
  ])("cfp and revert rate: %s of %s changes", (part, total, share) => {
    expect(shareOfChanges(part, total)).toBe(share);
  });
});

test.each([
  [2, 1, 2],
  [1, 0, null],
  [null, 1, null],
  [1, null, null],
])("a multiple of %s over %s is %s", (actual, reference, multiple) => {
  expect(ratio(actual, reference)).toBe(multiple);
});
