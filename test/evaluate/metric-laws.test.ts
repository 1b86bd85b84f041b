import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commonSubsequence } from "../../src/evaluate/metrics/common-subsequence.ts";
import { editDistance } from "../../src/evaluate/metrics/edit-distance.ts";
import { adjacentRepeats, adjacentRepeatsAtMost, longestCycle } from "../../src/evaluate/metrics/loops.ts";
import { mismatch, type PlainMode, plainModes } from "../../src/evaluate/metrics/match-mode.ts";
import { progress } from "../../src/evaluate/metrics/progress.ts";
import { editSimilarity, sequenceSimilarity } from "../../src/evaluate/metrics/sequence-similarity.ts";
import { strategicDrift } from "../../src/evaluate/metrics/strategic-drift.ts";
import { toolCallAccuracy } from "../../src/evaluate/metrics/tool-call-accuracy.ts";
import { f1, toolPrecision, toolRecall } from "../../src/evaluate/metrics/tool-sets.ts";

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

const within = (value: number): void => {
  expect(value).toBeGreaterThanOrEqual(0);
  expect(value).toBeLessThanOrEqual(1);
};

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
  test("every share is in 0–1", () => {
    fc.assert(
      fc.property(tools, tools, (used, reference) => {
        within(toolRecall(reference, used));
        within(toolPrecision(reference, used));
        within(f1(toolPrecision(reference, used), toolRecall(reference, used)));
        within(sequenceSimilarity(used, reference));
        within(editSimilarity(used, reference));
        within(
          strategicDrift(
            used,
            (name) => reference.includes(name),
            () => 1,
          ),
        );
        const made = progress(
          reference.map((name) => ({ name, weight: 1 })),
          used,
        );
        if (made !== null) within(made.share);
      }),
    );
  });

  test("tool-call accuracy is in 0–1", () => {
    fc.assert(
      fc.property(calls, calls, rule, (made, expected, by) => {
        const value = toolCallAccuracy(made, expected, by);
        if (value !== null) within(value);
      }),
    );
  });

  test("loops are fewer than calls, and the upper bound bounds", () => {
    fc.assert(
      fc.property(fc.array(fc.option(tool)), tool, (names, any) => {
        const loops = adjacentRepeats(names);
        expect(loops).toBeLessThanOrEqual(Math.max(0, names.length - 1));
        const filled = names.map((name) => name ?? any);
        expect(adjacentRepeats(filled)).toBeLessThanOrEqual(adjacentRepeatsAtMost(names));
        expect(loops).toBeLessThanOrEqual(adjacentRepeats(filled));
      }),
    );
  });

  test("a cycle found is really there", () => {
    fc.assert(
      fc.property(longTools, (names) => {
        const cycle = longestCycle(names);
        if (cycle === undefined) return;
        const unrolled = Array.from({ length: cycle.turns }, () => cycle.tools.join(" ")).join(" ");
        expect(names.join(" ")).toContain(unrolled);
      }),
    );
  });
});

describe("order", () => {
  test("set measures and unordered modes do not see it", () => {
    const unordered = plainModes.filter((mode) => !mode.includes("order"));
    fc.assert(
      fc.property(tools, tools, fc.infiniteStream(fc.nat()), (used, reference, random) => {
        const shuffled = used
          .map((name) => ({ name, key: random.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ name }) => name);
        expect(toolRecall(reference, shuffled)).toBe(toolRecall(reference, used));
        expect(toolPrecision(reference, shuffled)).toBe(toolPrecision(reference, used));
        for (const mode of unordered) {
          expect(mismatch(mode, shuffled, reference) === undefined).toBe(
            mismatch(mode, used, reference) === undefined,
          );
        }
      }),
    );
  });

  test("similarities are symmetric", () => {
    fc.assert(
      fc.property(longTools, longTools, (a, b) => {
        expect(sequenceSimilarity(a, b)).toBe(sequenceSimilarity(b, a));
        expect(editSimilarity(a, b)).toBe(editSimilarity(b, a));
      }),
    );
  });
});

describe("more and less", () => {
  test("calling one more expected tool never lowers recall, nor does any other call", () => {
    fc.assert(
      fc.property(tools, tools, tool, (used, reference, another) => {
        expect(toolRecall(reference, [...used, another])).toBeGreaterThanOrEqual(toolRecall(reference, used));
      }),
    );
  });

  test("calling an unexpected tool never raises precision", () => {
    fc.assert(
      fc.property(tools, fc.array(tool, { minLength: 1 }), (used, reference) => {
        const before = toolPrecision(reference, used);
        if (used.length > 0) expect(toolPrecision(reference, [...used, "other"])).toBeLessThanOrEqual(before);
      }),
    );
  });

  test("taking one more step never lowers progress", () => {
    fc.assert(
      fc.property(tools, tools, tool, (taken, reference, another) => {
        const steps = reference.map((name) => ({ name, weight: 1 }));
        const before = progress(steps, taken);
        const after = progress(steps, [...taken, another]);
        if (before !== null && after !== null) expect(after.share).toBeGreaterThanOrEqual(before.share);
      }),
    );
  });
});

test("a run against itself is perfect", () => {
  fc.assert(
    fc.property(calls, rule, (made, by) => {
      const names = made.map(({ name }) => name);
      expect(toolRecall(names, names)).toBe(1);
      expect(toolPrecision(names, names)).toBe(1);
      expect(sequenceSimilarity(names, names)).toBe(1);
      expect(editSimilarity(names, names)).toBe(1);
      for (const mode of plainModes) expect(mismatch(mode, names, names)).toBeUndefined();
      const accuracy = toolCallAccuracy(made, made, { ...by, mode: "strict" });
      if (accuracy !== null) expect(accuracy).toBe(1);
    }),
  );
});

describe("match modes imply one another", () => {
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
  test.each(implications)("%s ⇒ %s", (stronger, weaker) => {
    // Alike enough that the stronger mode often holds.
    const pair = fc.oneof(
      fc.tuple(tools, tools),
      tools.chain((reference) => fc.tuple(fc.shuffledSubarray(reference), fc.constant(reference))),
      tools.chain((used) => fc.tuple(fc.constant(used), fc.subarray(used))),
    );
    fc.assert(
      fc.property(pair, ([used, reference]) => {
        if (mismatch(stronger, used, reference) === undefined)
          expect(mismatch(weaker, used, reference)).toBeUndefined();
      }),
    );
  });
});

describe("the bit-parallel algorithms agree with the textbook", () => {
  test("longest common subsequence", () => {
    fc.assert(
      fc.property(longTools, longTools, (a, b) => {
        expect(commonSubsequence(a, b)).toBe(slowCommon(a, b));
      }),
      { numRuns: 300 },
    );
  });

  test("edit distance", () => {
    fc.assert(
      fc.property(longTools, longTools, (a, b) => {
        expect(editDistance(a, b)).toBe(slowDistance(a, b));
      }),
      { numRuns: 300 },
    );
  });
});

test("ten thousand calls against ten thousand take no table of a hundred million cells", () => {
  const many = Array.from({ length: 10_000 }, (_, at) => `tool-${(at * 7919) % 13}`);
  const other = Array.from({ length: 10_000 }, (_, at) => `tool-${(at * 104_729) % 11}`);
  const started = performance.now();
  within(sequenceSimilarity(many, other));
  within(editSimilarity(many, other));
  expect(performance.now() - started).toBeLessThan(2000);
});
