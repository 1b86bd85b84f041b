import { expect, test } from "vitest";
import type { JsonValue } from "../../src/model/json.ts";
import type { CheckResult } from "../../src/model/verdict.ts";
import { evaluationOf } from "../support/evaluation-of.ts";
import { queryOf } from "../support/query-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";

function check(
  path: Record<string, JsonValue>,
  run: RunText,
  key = Object.keys(path)[0],
): CheckResult | undefined {
  return evaluationOf(runOf(run), queryOf({ path })).layers.path.checks.find((one) => one.check === key);
}

const hidden = ["\u200b", "\u00ad", "\u2060", "\ufeff", "\u{e0061}", "\u180e", "\u034f"];

test.each(hidden)("a character that does not show, %j, makes no other tool, in spec and run", (mark) => {
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

const failed = { name: "search", error: "timed out" };

test.each([
  [{ expected_tools: ["search"], succeeded: true }, "expected_tools"],
  [{ expected_tools: ["search"], min_tool_recall: 1, succeeded: true }, "min_tool_recall"],
])("a call that failed does not count under succeeded: %j", (path, key) => {
  const result = check(path, { tools: [failed] }, key);
  expect(result).toMatchObject({ outcome: "warn", value: 0 });
  expect(result?.message).toContain("every call of search failed");
  expect(check(path, { tools: [failed, "search"] }, key)?.outcome).toBe("pass");
});
