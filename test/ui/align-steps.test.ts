import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alignSteps } from "../../ui/src/side-by-side/align-steps.ts";
import { lineDiff } from "../../ui/src/side-by-side/line-diff.ts";
import type { Row } from "../../ui/src/run/rows.ts";

/** The fields that are compared. */
function row(name: string, detail = "", kind: Row["kind"] = "tool"): Row {
  return { key: `${kind}-${name}-${detail}`, kind, name, detail, agent: "agent" } as Row;
}

const words = (a: readonly Row[], b: readonly Row[]): string[] =>
  alignSteps(a, b).map(({ a: one, b: other }) =>
    [one, other].map((step) => (step === null ? "-" : `${step.name}${step.detail}`)).join(" "),
  );

describe("steps of two runs", () => {
  test("stand beside their likes, and alone where the other run has none", () => {
    expect(words([row("read"), row("grep"), row("write")], [row("read"), row("write"), row("test")])).toEqual(
      ["read read", "grep -", "write write", "- test"],
    );
  });

  test("are paired by their input where a tool is called several times", () => {
    expect(words([row("get", "1"), row("get", "2")], [row("get", "2")])).toEqual(["get1 -", "get2 get2"]);
  });

  test("of other models are the same step, and differ in nothing else", () => {
    const pairs = alignSteps([row("gpt-4o", "", "model")], [row("gpt-4o-mini", "", "model")]);
    expect(pairs.map(({ a, b }) => [a?.name, b?.name])).toEqual([["gpt-4o", "gpt-4o-mini"]]);
  });

  test("are all there, once each and in their order, whatever they are", () => {
    const steps = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("", "1", "2")));
    fc.assert(
      fc.property(steps, steps, (one, other) => {
        const [a, b] = [one, other].map((side) => side.map(([name, detail]) => row(name, detail))) as [
          Row[],
          Row[],
        ];
        const pairs = alignSteps(a, b);
        expect(pairs.flatMap((pair) => (pair.a === null ? [] : [pair.a]))).toEqual(a);
        expect(pairs.flatMap((pair) => (pair.b === null ? [] : [pair.b]))).toEqual(b);
        const both = pairs.flatMap((pair) => (pair.a === null || pair.b === null ? [] : [[pair.a, pair.b]]));
        expect(both.every(([inA, inB]) => inA?.name === inB?.name)).toBe(true);
      }),
    );
  });
});

test("of two texts the lines are marked that only one of them has", () => {
  const { a, b } = lineDiff("same\nold\nend", "same\nnew\nend");
  expect([a, b].map((side) => side.filter(({ isOwn }) => isOwn).map(({ text }) => text))).toEqual([
    ["old"],
    ["new"],
  ]);
  expect(a.map(({ text }) => text)).toEqual(["same", "old", "end"]);
});
