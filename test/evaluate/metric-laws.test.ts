import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coherenceIssues, coherenceOf } from "../../src/evaluate/checks/behaviour/coherence.ts";
import { trustFlags, trustOf } from "../../src/evaluate/checks/behaviour/trust.ts";
import type { CheckContext } from "../../src/evaluate/checks/check.ts";
import { editDistance } from "../../src/evaluate/metrics/sequences/edit-distance.ts";
import { adjacentRepeats, adjacentRepeatsAtMost } from "../../src/evaluate/metrics/loops.ts";
import { type PlainMode, plainModes } from "../../src/evaluate/metrics/match-mode.ts";
import { mismatch } from "../../src/evaluate/metrics/mismatch.ts";
import {
  commonSubsequence,
  editSimilarity,
  sequenceSimilarity,
} from "../../src/evaluate/metrics/sequences/sequence-similarity.ts";
import { toolCallAccuracy } from "../../src/evaluate/metrics/tool-call-accuracy.ts";
import { toolPrecision, toolRecall } from "../../src/evaluate/metrics/tool-sets.ts";
import { RunQuantities } from "../../src/evaluate/quantities/run-quantities.ts";
import { scoreOf } from "../../src/evaluate/quantities/score.ts";
import { runOf } from "../support/run-of.ts";

const tool: fc.Arbitrary<string> = fc.constantFrom("search", "grade", "rerank", "answer", "refund");
const tools = fc.array(tool, { maxLength: 12 });
/** Longer than a machine word of the bit-parallel algorithms, several times over. */
const longTools = fc.array(tool, { maxLength: 150 });
const call = fc.record({
  name: tool,
  arguments: fc.dictionary(fc.constantFrom("x", "y"), fc.integer({ max: 2, min: 0 })),
});
const calls = fc.array(call, { maxLength: 8 });
const rule = fc.record({
  variant: fc.constantFrom("ragas-spring" as const, "ragas-python" as const),
  mode: fc.constantFrom("strict" as const, "flexible" as const),
  argumentMatchThreshold: fc.double({ min: 0, max: 1, noNaN: true }),
});

const within = (value: number | null): boolean => value === null || (value >= 0 && value <= 1);

/** A law over generated inputs; a counterexample is shown as the error. */
function law<Inputs>(property: fc.IProperty<Inputs>): () => void {
  return () => {
    fc.assert(property, { numRuns: 200 });
  };
}

/** The textbook tables, as oracles. */
function slowCommon(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const x of a) {
    const next = [0];
    b.forEach((y, j) => next.push(x === y ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0)));
    row = next;
  }
  return row[b.length] ?? 0;
}

function slowDistance(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  a.forEach((x, i) => {
    const next = [i + 1];
    b.forEach((y, j) => {
      const kept = (row[j] ?? 0) + (x === y ? 0 : 1);
      next.push(Math.min(kept, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    });
    row = next;
  });
  return row[b.length] ?? 0;
}

describe("ranges", () => {
  test("trust and coherence are in 0–1, and 1 where nothing was done", () => {
    const run = fc.record({
      query: fc.string(),
      answer: fc.constantFrom("the door is open", "the door is not open", "the fee is 5", "the fee is 6", ""),
      tools: fc.array(fc.constantFrom("search", "read .eval/", "golden/x")),
    });
    const property = fc.property(fc.array(run, { maxLength: 8 }), (texts) => {
      const turns = texts.map((text) => runOf({ ...text, durationMs: text.tools.length * 100 }));
      const trusts = turns.map((turn) => trustOf(trustFlags(new RunQuantities(turn))));
      return [coherenceOf(coherenceIssues(turns)), ...trusts].every(within);
    });
    expect(law(property)).not.toThrow();
    expect([coherenceOf(coherenceIssues([])), trustOf(trustFlags(new RunQuantities(runOf())))]).toEqual([
      1, 1,
    ]);
  });

  test("the score is in 0–100, and 100 for a run that is its own expectation", () => {
    const property = fc.property(tools, tools, fc.constantFrom(...plainModes), (used, reference, mode) => {
      const scored = (actual: readonly string[]): number =>
        scoreOf(
          contextOf(actual, {
            expected_tools: reference,
            expected_tool_sequence: reference,
            sequence_mode: mode,
          }),
          { weights: { tool_accuracy: 0.4, output_quality: 0, sequence_correctness: 0.6 } },
        )?.value ?? -1;
      return scored(used) >= 0 && scored(used) <= 100 + 1e-9 && Math.abs(scored(reference) - 100) < 1e-9;
    });
    expect(law(property)).not.toThrow();
  });

  test("loops are fewer than calls, and the upper bound bounds", () => {
    const property = fc.property(fc.array(fc.option(tool)), tool, (names, any) => {
      const filled = adjacentRepeats(names.map((name) => name ?? any));
      const known = adjacentRepeats(names);
      return (
        known <= filled && filled <= adjacentRepeatsAtMost(names) && filled <= Math.max(0, names.length - 1)
      );
    });
    expect(law(property)).not.toThrow();
  });
});

function contextOf(names: readonly string[], settings: Readonly<Record<string, unknown>>): CheckContext {
  const run = runOf({ tools: names });
  const reference = { missing: "not-asked", version: null } as const;
  return { run, metrics: new RunQuantities(run), settings, reference, preset: undefined };
}

test("a run against itself is perfect", () => {
  const property = fc.property(calls, rule, (made, by) => {
    const names = made.map(({ name }) => name);
    const measures = [
      toolRecall(names, names),
      toolPrecision(names, names),
      sequenceSimilarity(names, names),
      editSimilarity(names, names),
      toolCallAccuracy(made, made, { ...by, mode: "strict" }) ?? 1,
    ];
    return (
      measures.every((value) => value === 1) &&
      plainModes.every((mode) => mismatch(mode, names, names) === undefined)
    );
  });
  expect(law(property)).not.toThrow();
});

const implications: readonly [PlainMode, PlainMode][] = [
  ["same-order", "same-calls"],
  ["same-calls", "same-tools"],
  ["same-tools", "contains"],
  ["same-tools", "only-allowed"],
  ["same-order", "contains-in-order"],
  ["contains-in-order", "contains-calls"],
  ["contains-calls", "contains"],
  ["same-calls", "contains-calls"],
  ["same-calls", "only-allowed-calls"],
  ["only-allowed-calls", "only-allowed"],
];
// Alike enough that the stronger mode often holds.
const pair = fc.oneof(
  fc.tuple(tools, tools),
  tools.chain((reference) => fc.tuple(fc.shuffledSubarray(reference), fc.constant(reference))),
  tools.chain((used) => fc.tuple(fc.constant(used), fc.subarray(used))),
);

test.each(implications)("match modes imply one another: %s ⇒ %s", (stronger, weaker) => {
  const property = fc.property(
    pair,
    ([used, reference]) =>
      mismatch(stronger, used, reference) !== undefined || mismatch(weaker, used, reference) === undefined,
  );
  expect(law(property)).not.toThrow();
});

describe("the bit-parallel algorithms agree with the textbook", () => {
  test("longest common subsequence", () => {
    const property = fc.property(
      longTools,
      longTools,
      (a, b) => commonSubsequence(a, b) === slowCommon(a, b),
    );
    expect(law(property)).not.toThrow();
  });

  test("edit distance", () => {
    const property = fc.property(longTools, longTools, (a, b) => editDistance(a, b) === slowDistance(a, b));
    expect(law(property)).not.toThrow();
  });
});

test("five thousand calls against five thousand take no table of twenty-five million cells", () => {
  const many = Array.from({ length: 5_000 }, (_, at) => `tool-${(at * 7919) % 13}`);
  const other = Array.from({ length: 5_000 }, (_, at) => `tool-${(at * 104_729) % 11}`);
  expect([sequenceSimilarity(many, other), editSimilarity(many, other)].every(within)).toBe(true);
});
