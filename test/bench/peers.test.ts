import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { failed, isFailed, leftOut } from "../../bench/harness/result.ts";
import { findProgram } from "../../bench/harness/whole-process.ts";
import { again, dumpOf, recordingsIn } from "../../bench/peers/recordings.ts";
import { evalSetOf, expectationsOf, judgedByAgentevals, judgedByPromptfoo } from "../../bench/peers/sides.ts";

const recordings = recordingsIn(fileURLToPath(new URL("../../adapters", import.meta.url)));

function idsOf(lines: string, key: string): string[] {
  return Array.from(lines.matchAll(new RegExp(`"${key}":"([0-9a-f]+)"`, "g")), ([, id = ""]) => id);
}

describe("copies of recordings", () => {
  it("share no trace and no span", () => {
    const copies = dumpOf(recordings, recordings.length * 2);
    expect(new Set(idsOf(copies, "traceId")).size).toBe(recordings.length * 2);
    const once = new Set(idsOf(dumpOf(recordings, recordings.length), "spanId")).size;
    expect(new Set(idsOf(copies, "spanId")).size).toBe(once * 2);
  });

  it("keep each span's parent, and hang in a given trace below a parent in another process", () => {
    const place = { traceId: "1".repeat(32), parentId: "2".repeat(16) };
    for (const recording of recordings) {
      const lines = again(recording, 7, place);
      expect(new Set(idsOf(lines, "traceId"))).toEqual(new Set([place.traceId]));
      const roots = idsOf(lines, "parentSpanId").filter((id) => id === place.parentId);
      expect(roots).not.toEqual([]);
    }
  });
});

it("expects of each query what was done, or a tool too many", () => {
  const [asked] = expectationsOf(recordings, "true");
  const [wrong] = expectationsOf(recordings, "wrong");
  expect(wrong?.tools).toHaveLength((asked?.tools.length ?? 0) + 1);
  const { eval_cases: cases } = evalSetOf(expectationsOf(recordings, "true"));
  expect(cases).toHaveLength(new Set(recordings.map(({ query }) => query)).size);
});

it("takes what could not be evaluated for neither passed nor failed", () => {
  const metric = (...all: string[]) => all.map((status) => ({ metric_name: "m", eval_status: status }));
  const traces = [
    { trace_id: "a", metrics: metric("PASSED", "PASSED") },
    { trace_id: "b", metrics: metric("PASSED", "NOT_EVALUATED") },
    { trace_id: "c", metrics: metric("FAILED", "PASSED") },
    { trace_id: "d", metrics: [] },
  ];
  const said = judgedByAgentevals({ cpuUs: 0, stdout: JSON.stringify({ traces }) });
  expect([[...said.passed], [...said.failed]]).toEqual([["a"], ["c"]]);
  const results = [
    { success: true, vars: { name: "a" }, gradingResult: { pass: true } },
    { success: false, vars: { name: "b" }, error: "no trace" },
    { success: false, vars: { name: "c" }, gradingResult: { pass: false } },
  ];
  const other = judgedByPromptfoo({ cpuUs: 0, stdout: "" }, JSON.stringify({ results: { results } }));
  expect([[...other.passed], [...other.failed]]).toEqual([["a"], ["c"]]);
});

it("tells a program that is not installed from one that was named and does not run", () => {
  expect(findProgram("no-such-evaluator", undefined, ".")).toBeNull();
  expect(() => findProgram("agentevals", "./no-such-evaluator", ".")).toThrow("no-such-evaluator --version");
});

it("does not count what is not installed as something that failed", () => {
  expect(isFailed(leftOut("promptfoo", "not installed"))).toBe(false);
  expect(isFailed(failed("promptfoo", null, new Error("ended with 3")))).toBe(true);
});
