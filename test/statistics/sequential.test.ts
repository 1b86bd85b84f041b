import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/report/statistics/samples/random.ts";
import { reliabilityGate } from "../../src/report/statistics/groups/reliability.ts";
import { sequentialVerdict } from "../../src/report/statistics/estimates/sequential.ts";

describe("a gate that may be looked at after every run", () => {
  test("is decided by what is clear, and open while it is not", () => {
    expect(sequentialVerdict(0, 0, 0.8, 0.95)).toBe("open");
    expect(sequentialVerdict(10, 10, 0.8, 0.95)).toBe("open");
    expect(sequentialVerdict(30, 30, 0.8, 0.95)).toBe("pass");
    expect(sequentialVerdict(0, 4, 0.8, 0.95)).toBe("fail");
    expect(sequentialVerdict(80, 100, 0.8, 0.95)).toBe("open");
  });

  test("never shows a rate of 1, and rules it out with the first failure", () => {
    expect(sequentialVerdict(1000, 1000, 1, 0.95)).toBe("open");
    expect(sequentialVerdict(999, 1000, 1, 0.95)).toBe("fail");
    expect(sequentialVerdict(0, 5, 0, 0.95)).toBe("pass");
  });

  test("looked at after each of 200 runs it is wrong no more often than its confidence allows", () => {
    const random = createRandom(11);
    const [rounds, min] = [400, 0.8];
    const known = new Map<number, string>();
    const verdictOf = (passed: number, runs: number): string => {
      const key = passed * 1000 + runs;
      const verdict = known.get(key) ?? sequentialVerdict(passed, runs, min, 0.9);
      known.set(key, verdict);
      return verdict;
    };
    let wrong = 0;
    for (let round = 0; round < rounds; round++) {
      let passed = 0;
      for (let runs = 1; runs <= 200; runs++) {
        if (random.uniform() < min) passed++;
        const verdict = verdictOf(passed, runs);
        if (verdict === "open") continue;
        if (verdict === "fail") wrong++;
        break;
      }
    }
    expect(wrong / rounds).toBeLessThanOrEqual(0.1);
  });

  test("says how many more runs would decide: at this rate, and at least", () => {
    const limits = { minPassRate: 0.8, confidence: 0.95, sequential: true };
    const gate = reliabilityGate(10, 0, limits);
    expect(gate.outcome).toBe("not_enough_runs");
    expect(gate.runsNeeded).toBe(10);
    expect(gate.runsNeededAtLeast).toBeLessThanOrEqual(10);
    expect(reliabilityGate(10 + 10, 0, limits).outcome).toBe("pass");
    expect(reliabilityGate(10 + 9, 0, limits).outcome).toBe("not_enough_runs");
  });
});
