import fc from "fast-check";
import { expect, test } from "vitest";
import { alwaysRules, decide, Decisions, type Sampling, traceShare } from "../../src/pipeline/decisions.ts";
import type { JudgedRun } from "../../src/pipeline/judge-run.ts";
import { sampledJudge } from "../../src/pipeline/sampled-judge.ts";
import { checkOf, judgedRun, judgedWith, verdictOf } from "../support/verdict-of.ts";

const half: Sampling = { rate: 0.5, agents: new Map(), queries: new Map(), always: [...alwaysRules] };
const none: Sampling = { ...half, rate: 0 };
const traceId = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString("hex"));

function seen(id: string, checks: Parameters<typeof verdictOf>[0] = [], run: object = {}): JudgedRun {
  const of = judgedRun({ traceId: id, ...run });
  return judgedWith(of, [verdictOf(checks, { run: of })]);
}

test("about the share asked for is evaluated, whatever the ids look like", () => {
  const evaluated = (id: (n: number) => string): number =>
    Array.from({ length: 4_000 }, (_, n) => traceShare(id(n))).filter((share) => share < 0.25).length / 4_000;
  for (const id of [
    (n: number) => n.toString(16).padStart(32, "0"),
    (n: number) => n.toString(16).padStart(8, "0").padEnd(32, "0"),
    (n: number) => `${"f".repeat(20)}${n.toString(16).padStart(12, "0")}`,
  ]) {
    expect(evaluated(id)).toBeGreaterThan(0.22);
    expect(evaluated(id)).toBeLessThan(0.28);
  }
});

test("a higher rate evaluates all that a lower one does", () => {
  fc.assert(
    fc.property(
      traceId,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (id, a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const isIn = (rate: number): boolean => decide(seen(id), { ...half, rate }).decision === "evaluated";
        expect(!isIn(low) || isIn(high)).toBe(true);
      },
    ),
  );
});

const forbidden = checkOf({ check: "forbidden_tools", layer: "path", outcome: "fail" });
const wrong = checkOf({ check: "exact_match", layer: "correctness", outcome: "fail" });
const exceeded = checkOf({ check: "max_llm_calls", layer: "cost", outcome: "warn" });
test.each([
  ["a run that failed itself", [], { status: "error" }, "errors"],
  ["a forbidden tool", [forbidden], {}, "forbidden_tools"],
  ["a wrong answer", [wrong], {}, "failures"],
  ["a budget exceeded", [exceeded], {}, "over_budget"],
])("%s is evaluated at any rate", (_, checks, run, why) => {
  const judged = seen("1".repeat(32), checks, run);
  const [first] = judged.verdicts;
  const hard = why === "forbidden_tools" && first !== undefined ? { ...first, hardFail: true } : first;
  expect(decide({ ...judged, verdicts: hard === undefined ? [] : [hard] }, none)).toMatchObject({
    decision: "evaluated",
    why,
  });
  expect(decide(judged, { ...none, always: [] })).toMatchObject({ decision: "sampled_out", why: "rate" });
});

test("a query's rate wins over its agent's, and that over the general one", () => {
  const judged = seen("1".repeat(32));
  const agent = judged.run.agent ?? "";
  expect(decide(judged, { ...none, agents: new Map([[agent, 1]]) }).decision).toBe("evaluated");
  const both = { ...none, agents: new Map([[agent, 1]]), queries: new Map([["museum", 0]]) };
  expect(decide(judged, both).decision).toBe("sampled_out");
});

test("every run is decided about once, judges are asked about those that are in, and the counts sum up", () => {
  const decisions = new Decisions(50);
  const asked: string[] = [];
  const left: JudgedRun[] = [];
  const judge = sampledJudge(
    (run) => ({
      ask: () => {
        asked.push(run.traceId);
        return Promise.resolve(seen(run.traceId));
      },
      giveUp: () => seen(run.traceId),
    }),
    () => half,
    (decision) => decisions.add(decision),
  );
  const ids = Array.from({ length: 300 }, (_, n) => (n * 104_729).toString(16).padStart(32, "0"));
  for (const id of ids) {
    const found = judge(judgedRun({ traceId: id }));
    if ("ask" in found) void found.ask();
    else left.push(found);
  }

  expect(left.every((one) => one.isSampledOut === true && one.verdicts.length === 0)).toBe(true);
  expect(asked).toEqual(ids.filter((id) => traceShare(id) < 0.5));
  expect([...decisions.counts.values()].reduce((sum, count) => sum + count, 0)).toBe(300);
  expect(decisions.counts.get("evaluated sampled")).toBe(asked.length);
  expect(decisions.list(10).map((one) => one.traceId)).toEqual(ids.slice(-10).reverse());
  expect(decisions.list(1_000)).toHaveLength(50);
});
