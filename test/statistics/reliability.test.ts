import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wilsonInterval } from "../../src/report/statistics/estimates/interval.ts";
import {
  limitsFailures,
  type ReliabilityLimits,
  reliabilityGate,
} from "../../src/report/statistics/groups/reliability.ts";

describe("reliability gate", () => {
  it("no decided run is not enough, even when nothing is asked", () => {
    expect(reliabilityGate(0, 0, {})).toMatchObject({ outcome: "not_enough_runs", runsNeeded: 1 });
    expect(reliabilityGate(1, 0, {})).toMatchObject({ outcome: "pass", runsNeeded: 0, parts: [] });
  });

  it("without a confidence the observed rate decides, and equality passes", () => {
    expect(reliabilityGate(8, 2, { minRuns: 10, minPassRate: 0.8 }).outcome).toBe("pass");
    expect(reliabilityGate(7, 3, { minRuns: 10, minPassRate: 0.8 })).toMatchObject({
      outcome: "fail",
      runsNeeded: 0,
      parts: [{ check: "min_pass_rate", value: 0.7, limit: 0.8 }],
    });
  });

  it("with a confidence the Wilson interval decides, and may be too wide to", () => {
    const limits = { minPassRate: 0.8, confidence: 0.95 };
    expect(reliabilityGate(100, 0, limits).outcome).toBe("pass");
    expect(reliabilityGate(1, 9, limits).outcome).toBe("fail");
    // 10 of 10 has a low end of 0.722; 16 of 16 is the first above 0.8.
    expect(reliabilityGate(10, 0, limits)).toMatchObject({
      outcome: "not_enough_runs",
      runsNeeded: 6,
      runsNeededAtLeast: 6,
    });
  });

  it("a rate of 100 % cannot be proved, and an observed rate at the limit never settles", () => {
    expect(reliabilityGate(50, 0, { minPassRate: 1, confidence: 0.95 })).toMatchObject({
      outcome: "not_enough_runs",
      runsNeeded: null,
      runsNeededAtLeast: 1,
    });
    expect(reliabilityGate(8, 2, { minPassRate: 0.8, confidence: 0.95 }).runsNeeded).toBeNull();
  });

  it("pass@k and pass^k need k runs", () => {
    const gate = reliabilityGate(3, 1, { passAtK: [{ k: 2, min: 1 }], passHatK: [{ k: 6, min: 0.5 }] });
    expect(gate).toMatchObject({ outcome: "not_enough_runs", runsNeeded: 2 });
    expect(reliabilityGate(3, 1, { passHatK: [{ k: 2, min: 0.5 }] })).toMatchObject({
      outcome: "pass",
      parts: [{ check: "pass_hat_k", value: 0.5 }],
    });
  });

  it("a spread needs two scores", () => {
    const gate = reliabilityGate(1, 0, { maxStdDev: 15 }, { known: [80], unknown: 0 });
    expect(gate).toMatchObject({ outcome: "not_enough_runs", runsNeeded: 1 });
  });

  it("one failing part fails the gate, whatever is still open", () => {
    const gate = reliabilityGate(3, 7, { minPassRate: 0.9, passAtK: [{ k: 20, min: 0.5 }] });
    expect(gate).toMatchObject({ outcome: "fail", runsNeeded: 0 });
    expect(gate.reason).toContain("3 of 10 runs passed (30 %)");
  });

  it.each<[string, ReliabilityLimits, string, string]>([
    ["of the mean", { minMeanScore: 70 }, "incomplete", "min_mean_score"],
    ["of the spread", { maxStdDev: 90 }, "incomplete", "max_std_dev"],
    ["beside a rate that is reached", { minMeanScore: 70, minPassRate: 0.5 }, "incomplete", "min_mean_score"],
    ["beside a rate that is not", { minMeanScore: 70, minPassRate: 0.9 }, "fail", "3 of 4 runs passed"],
    [
      "beside an open one",
      { minMeanScore: 70, passAtK: [{ k: 9, min: 0.5 }] },
      "incomplete",
      "min_mean_score",
    ],
  ])("a limit %s is incomplete while the score of a run is unknown", (_, limits, outcome, said) => {
    const gate = reliabilityGate(3, 1, limits, { known: [90, 90, 90], unknown: 1 });

    expect(gate.outcome).toBe(outcome);
    expect(gate.reason).toContain(said);
    expect(gate.parts.find(({ check }) => check !== "min_pass_rate" && check !== "pass_at_k")).toMatchObject({
      outcome: "incomplete",
      message: expect.stringContaining("1 of 4 runs have no known score"),
    });
  });

  it.each<[string, ReliabilityLimits, boolean]>([
    ["a pass rate", { minPassRate: 0.8 }, true],
    ["pass@k", { passAtK: [{ k: 2, min: 0.9 }] }, true],
    ["pass^k", { passHatK: [{ k: 2, min: 0.9 }] }, true],
    ["a number of runs", { minRuns: 3 }, false],
    ["a confidence", { confidence: 0.95 }, false],
    ["scores", { minMeanScore: 80, maxStdDev: 5 }, false],
    ["nothing", { passAtK: [], passHatK: [] }, false],
  ])("%s alone says how often runs may fail, or not", (_, limits, limited) => {
    expect(limitsFailures(limits)).toBe(limited);
    const { reason } = reliabilityGate(3, 0, limits, { known: [90, 90, 90], unknown: 0 });
    expect(reason.includes("the gate tolerates no failed run")).toBe(!limited);
  });

  const counts = fc.record({
    passed: fc.nat(60),
    failed: fc.nat(60),
    minPassRate: fc.double({ min: 0.05, max: 0.99, noNaN: true }),
    confidence: fc.constantFrom(0.8, 0.9, 0.95, 0.99),
  });

  it("as many further passes or failures as it names really settle it, and one fewer does not", () => {
    fc.assert(
      fc.property(counts, ({ passed, failed, ...limits }) => {
        fc.pre(passed + failed > 0);
        const gate = reliabilityGate(passed, failed, limits);
        fc.pre(gate.outcome === "not_enough_runs" && gate.runsNeededAtLeast !== null);
        const settles = (more: number) =>
          [
            reliabilityGate(passed + more, failed, limits),
            reliabilityGate(passed, failed + more, limits),
          ].some(({ outcome }) => outcome !== "not_enough_runs");
        const needed = gate.runsNeededAtLeast ?? 0;
        expect(settles(needed)).toBe(true);
        expect(settles(needed - 1)).toBe(false);
      }),
    );
  });

  it("at the observed rate the named number of runs puts the limit outside the interval", () => {
    fc.assert(
      fc.property(counts, ({ passed, failed, ...limits }) => {
        fc.pre(passed + failed > 0);
        const gate = reliabilityGate(passed, failed, limits);
        fc.pre(gate.outcome === "not_enough_runs" && gate.runsNeeded !== null);
        const runs = passed + failed;
        const total = runs + (gate.runsNeeded ?? 0);
        const interval = wilsonInterval((passed / runs) * total, total, limits.confidence);
        const slack = 1e-9;
        const outside =
          (interval?.low ?? 0) >= limits.minPassRate - slack ||
          (interval?.high ?? 1) <= limits.minPassRate + slack;
        expect(outside).toBe(true);
        expect(gate.runsNeeded).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it("one more pass never turns a pass into anything else, one more failure never a fail", () => {
    fc.assert(
      fc.property(counts, ({ passed, failed, ...limits }) => {
        const { outcome } = reliabilityGate(passed, failed, limits);
        fc.pre(outcome !== "not_enough_runs");
        const more = outcome === "pass" ? ([passed + 1, failed] as const) : ([passed, failed + 1] as const);
        expect(reliabilityGate(...more, limits).outcome).toBe(outcome);
      }),
    );
  });
});
