import { describe, expect, it } from "vitest";
import { fingerprintOf } from "../../src/report/render/problems/fingerprint.ts";
import type { Problem } from "../../src/report/render/problems/problems.ts";

const problem: Problem = {
  level: "error",
  rule: "max_latency_ms",
  spec: "shop",
  queryId: "order",
  runId: "r1",
  title: "shop: order",
  message: "12,345.5 ms, at most 10,000 ms allowed",
  source: null,
  row: null,
  run: null,
};

describe("a problem's fingerprint", () => {
  it("is the same for another run of which only the numbers differ", () => {
    const again = { ...problem, runId: "r2", message: "12,901 ms, at most 10,000 ms allowed" };
    expect(fingerprintOf(again)).toBe(fingerprintOf(problem));
  });

  it.each<[string, Partial<Problem>]>([
    ["check", { rule: "max_tokens" }],
    ["spec", { spec: "bank" }],
    ["query", { queryId: "refund" }],
    ["message", { message: "latency unknown" }],
  ])("is another for another %s", (_, other) => {
    expect(fingerprintOf({ ...problem, ...other })).not.toBe(fingerprintOf(problem));
  });

  it("is another at another place, where that is given", () => {
    expect(fingerprintOf(problem, "a.yaml")).not.toBe(fingerprintOf(problem, "b.yaml"));
  });
});
