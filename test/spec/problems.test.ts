import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyFixes } from "../../src/spec/document/problems/fixes.ts";
import { codeFrame, renderProblem } from "../../src/spec/document/problems/frame.ts";
import { problemAt } from "../../src/spec/document/problems/problem.ts";
import { editDistance, isCertainName, suggest } from "../../src/spec/document/problems/suggest.ts";

const keys = ["max_tool_calls", "max_total_tokens", "expected_tools", "forbidden_tools", "query", "tags"];

describe("did you mean", () => {
  test.each([
    ["max_tool_cals", "max_tool_calls"],
    ["maxToolCalls", "max_tool_calls"],
    ["max-tool-calls", "max_tool_calls"],
    ["forbiden_tool", "forbidden_tools"],
    ["qeury", "query"],
    ["tag", "tags"],
    ["Tags", "tags"],
    ["frobnicate", undefined],
    ["x", undefined],
  ])("%s → %s", (word, expected) => {
    expect(suggest(word, keys)).toBe(expected);
  });

  test.each([
    ["max_tools", ["max_loops", "max_tool_calls", "max_tool_errors"], "max_tool_calls", false],
    ["max_usd", ["max_cost_multiplier", "max_cost_usd"], "max_cost_usd", false],
    ["max_tokens", ["max_total_tokens", "max_loops"], "max_total_tokens", false],
    ["query", ["agent", "waivers", "queries"], "queries", true],
    ["expected_tool", ["expected_tools", "expected_tool_calls"], "expected_tools", true],
    ["max_lops", ["max_loops", "max_tool_calls"], "max_loops", true],
    ["min_recall", ["min_tool_recall", "min_tool_precision"], "min_tool_recall", false],
    ["maxLoops", ["max_loops"], "max_loops", true],
  ])("%s is near to a name, and `--fix` writes it only if it is certain", (word, names, near, isCertain) => {
    expect(suggest(word, names)).toBe(near);
    expect(isCertainName(word, near)).toBe(isCertain);
  });

  test("one mistake in any key is found again", () => {
    const mistake = fc.record({
      key: fc.constantFrom(...keys),
      at: fc.nat(),
      kind: fc.constantFrom("drop", "double", "swap"),
    });
    fc.assert(
      fc.property(mistake, ({ key, at, kind }) => {
        const place = at % (key.length - 1);
        const [a = "", b = ""] = [key[place], key[place + 1]];
        const changed = { drop: b, double: a + a + b, swap: b + a }[kind];
        expect(suggest(key.slice(0, place) + changed + key.slice(place + 2), keys)).toBe(key);
      }),
    );
  });

  test("the distance is symmetric, zero only between equals, and never more than its limit", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(editDistance(b, a)).toBe(distance);
        expect(distance === 0).toBe(a === b);
        expect(editDistance(a, b, 2)).toBe(Math.min(2, distance));
      }),
    );
  });
});

describe("a frame", () => {
  const text = "one\n  two: three\nfour\n";

  test("is empty without such a line", () => {
    expect(codeFrame(text, { line: 0, column: 0, length: 1 })).toBe("");
    expect(codeFrame(text, { line: 99, column: 1, length: 1 })).toBe("");
  });

  test("lets nothing through that a terminal would obey", () => {
    const evil = "query: \u001b[2J\u202Eevil\n";
    const problem = problemAt(
      { file: "a.yaml", line: 1, column: 8, length: 3 },
      "x/y",
      `found \u001b[31m`,
      "\u0007",
    );
    // oxlint-disable-next-line no-control-regex
    expect(renderProblem(problem, evil)).not.toMatch(/[\u001b\u0007\u202e]/);
  });

  test("does not run over a line without end", () => {
    const wide = codeFrame("x".repeat(10_000), { line: 1, column: 9000, length: 500 });
    expect(Math.max(...wide.split("\n").map((line) => line.length))).toBeLessThan(200);
  });
});

test("of two fixes of one place, one is applied; fixes beside each other all are", () => {
  const fix = (column: number, length: number, after: string) => ({
    problem: problemAt({ file: "a.yaml", line: 1, column, length }, "x/y", "wrong"),
    before: "",
    after,
  });
  const text = "qeury: tag\n";
  expect(applyFixes(text, [fix(1, 5, "query"), fix(8, 3, "tags")])).toBe("query: tags\n");
  expect(applyFixes(text, [fix(1, 5, "query"), fix(1, 5, "queries")])).toBe("query: tag\n");
  expect(applyFixes(text, [fix(1, 10, "all"), fix(8, 3, "tags")])).toBe("qeury: tags\n");
});
