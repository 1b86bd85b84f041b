import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import { mostPairs } from "../../src/evaluate/metrics/most-pairs.ts";
import { toolCallAccuracy } from "../../src/evaluate/metrics/tool-call-accuracy.ts";
import type { JsonValue } from "../../src/model/json.ts";
import type { CheckResult } from "../../src/model/verdict.ts";
import { runJson } from "../../src/report/json/run-json.ts";
import { queryOf } from "../support/query-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";

function check(
  path: Record<string, JsonValue>,
  run: RunText,
  key = Object.keys(path)[0],
): CheckResult | undefined {
  const options = { reference: { missing: "not-asked", version: null }, judge: "off" } as const;
  return evaluateQuery(runOf(run), queryOf({ path }), options).layers.path.checks.find(
    (one) => one.check === key,
  );
}

describe("the function of a hand-off", () => {
  const run = { handoffs: [{ to: "Billing", tool: "transfer_to_billing" }] };

  test.each(["transfer_to_billing", "TransferToBilling", "transfer_to_\u200bbilling"])(
    "forbidding %j fails",
    (name) => {
      expect(check({ forbidden_tools: [name] }, run)).toMatchObject({
        outcome: "fail",
        value: ["transfer_to_billing"],
        spanIds: ["5000000000000001"],
      });
    },
  );

  test.each(["transfer_to_billing", "Billing"])("expecting %s as a tool says what to use", (name) => {
    const result = check({ expected_tools: [name] }, run);
    expect(result?.outcome).toBe("warn");
    expect(result?.message).toContain("was a hand-off: use expected_handoffs: [Billing]");
  });

  test("is in the run's JSON; null where none is known", () => {
    expect(runJson(runOf(run))["handoffs"]).toMatchObject([{ to: "Billing", tool: "transfer_to_billing" }]);
    expect(runJson(runOf({ handoffs: ["Billing"] }))["handoffs"]).toMatchObject([{ tool: null }]);
  });

  test("a hand-off by no function is no forbidden tool", () => {
    expect(check({ forbidden_tools: ["transfer_to_billing"] }, { handoffs: ["Billing"] })?.outcome).toBe(
      "pass",
    );
  });
});

describe("characters that do not show", () => {
  const hidden = ["\u200b", "\u00ad", "\u2060", "\ufeff", "\u{e0061}", "\u180e", "\u034f"];

  test.each(hidden)("%j in a name makes no other tool, in spec and run", (mark) => {
    const disguised = `dro${mark}p_table`;
    for (const [written, called] of [
      [disguised, "drop_table"],
      ["drop_table", disguised],
    ] as const) {
      const run = { tools: [called] };
      expect(check({ forbidden_tools: [written] }, run)?.outcome).toBe("fail");
      expect(check({ expected_tools: [written] }, run)?.outcome).toBe("pass");
      expect(
        check({ expected_tools: [written], min_tool_precision: 1 }, run, "min_tool_precision")?.outcome,
      ).toBe("pass");
      expect(check({ expected_tool_sequence: [written] }, run)?.outcome).toBe("pass");
      expect(check({ accepted_tool_sequences: [[written]] }, run)?.outcome).toBe("pass");
      expect(check({ expected_tool_calls: [{ name: written }] }, run)?.outcome).toBe("pass");
      expect(check({ expected_steps: [written] }, run)?.outcome).toBe("pass");
      expect(check({ max_strategic_drift: 0, allowed_tools: [written] }, run)?.outcome).toBe("pass");
    }
    expect(check({ max_loops: 0 }, { tools: ["drop_table", disguised] })?.outcome).toBe("warn");
  });
});

describe("a call that failed", () => {
  const failed = { name: "search", error: "timed out" };

  test("counts for expected_tools, and the message says failed", () => {
    const result = check({ expected_tools: ["search"] }, { tools: [failed] });
    expect(result).toMatchObject({ outcome: "pass", value: 1 });
    expect(result?.message).toContain("every call of search failed");
  });

  test("is not spoken of where another call worked", () => {
    const result = check({ expected_tools: ["search"] }, { tools: [failed, "search"] });
    expect(result?.message).toBe("the expected tool was called");
  });

  test.each([
    [{ expected_tools: ["search"], succeeded: true }, "expected_tools"],
    [{ expected_tools: ["search"], min_tool_recall: 1, succeeded: true }, "min_tool_recall"],
  ])("does not count under succeeded: %j", (path, key) => {
    const result = check(path, { tools: [failed] }, key);
    expect(result).toMatchObject({ outcome: "warn", value: 0 });
    expect(result?.message).toContain("every call of search failed");
    expect(check(path, { tools: [failed, "search"] }, key)?.outcome).toBe("pass");
  });
});

describe("calls are paired one to one, as many as can be", () => {
  const rule = { variant: "ragas-spring", mode: "flexible", argumentMatchThreshold: 1 } as const;
  const call = (given: Record<string, JsonValue>) => ({ name: "lookup", arguments: given });

  test("a call with more arguments leaves the smaller expectation to the one that fits nothing else", () => {
    const expected = [call({ a: 1 }), call({ a: 1, b: 2 })];
    for (const made of [expected, [...expected].reverse()])
      expect(toolCallAccuracy(made, expected, rule)).toBe(1);
  });

  test("in any order of calls and expectations the accuracy is the same", () => {
    const calls = fc.array(
      fc.dictionary(fc.constantFrom("a", "b", "c"), fc.nat({ max: 2 }), { minKeys: 1 }).map(call),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(calls, calls, fc.constantFrom(0.4, 0.5, 1), (made, expected, argumentMatchThreshold) => {
        const one = toolCallAccuracy(made, expected, { ...rule, argumentMatchThreshold });
        const other = toolCallAccuracy([...made].reverse(), [...expected].reverse(), {
          ...rule,
          argumentMatchThreshold,
        });
        expect(one).toBe(other);
      }),
    );
  });

  /** Every way to pair, tried. */
  function mostByTrial(
    [first, ...rest]: readonly (readonly number[])[],
    taken: readonly number[] = [],
  ): number {
    if (first === undefined) return 0;
    const free = first.filter((place) => !taken.includes(place));
    return Math.max(
      mostByTrial(rest, taken),
      ...free.map((place) => 1 + mostByTrial(rest, [...taken, place])),
    );
  }

  test("the number of pairs is the greatest there is", () => {
    const places = fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(places, { maxLength: 6 }), (partners) => {
        expect(mostPairs(partners)).toBe(mostByTrial(partners));
      }),
    );
  });
});
