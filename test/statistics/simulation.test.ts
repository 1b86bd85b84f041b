import { describe, expect, it } from "vitest";
import { bootstrapInterval } from "../../src/report/statistics/estimates/bootstrap.ts";
import { wilsonInterval, type Interval } from "../../src/report/statistics/estimates/interval.ts";
import { mannWhitneyPower } from "../../src/report/statistics/estimates/power.ts";
import { createRandom, type Random } from "../../src/report/statistics/samples/random.ts";

/** Share of the samples whose interval holds the true value. */
function coverage(
  samples: number,
  seed: number,
  draw: (random: Random) => [Interval | null, number],
): number {
  const random = createRandom(seed);
  let held = 0;
  for (let i = 0; i < samples; i++) {
    const [interval, truth] = draw(random);
    if (interval !== null && interval.low <= truth && truth <= interval.high) held++;
  }
  return held / samples;
}

describe("coverage by simulation, within 1.5 % of nominal", () => {
  // For one fixed rate and number of runs the coverage of any interval of a count jumps about, because there are only so
  // many counts. Averaged over rates it is what it says (Agresti and Coull 1998), so the true rate is drawn anew.
  it.each([
    { runs: 10, confidence: 0.9 },
    { runs: 20, confidence: 0.95 },
    { runs: 50, confidence: 0.95 },
    { runs: 100, confidence: 0.8 },
  ])("Wilson: $runs runs at $confidence, the true rate anywhere", ({ runs, confidence }) => {
    const held = coverage(20_000, 11, (random) => {
      const rate = random.uniform();
      let passed = 0;
      for (let run = 0; run < runs; run++) if (random.uniform() < rate) passed++;
      return [wilsonInterval(passed, runs, confidence), rate];
    });
    expect(Math.abs(held - confidence)).toBeLessThan(0.015);
  });

  // Bootstrap intervals are right for large samples and somewhat narrow for small ones: of the mean of 100 normal values
  // 95 % becomes about 94.5 %. The skewed case is what BCa is for.
  it("BCa: the mean of 100 exponential values", () => {
    const options = { confidence: 0.95, resamples: 400 };
    const held = coverage(800, 23, (random) => {
      const values = Float64Array.from({ length: 100 }, () => -Math.log(1 - random.uniform()));
      const interval = bootstrapInterval(values, { ...options, seed: random.next() });
      return [interval, 1];
    });
    expect(Math.abs(held - options.confidence)).toBeLessThan(0.015);
  });
});

describe("power of a Mann–Whitney test, by simulation (ProjectScylla)", () => {
  const options = { alpha: 0.05, simulations: 2_000, seed: 1 };

  it("grows with the runs and the effect, and is alpha without one", () => {
    const power = [5, 10, 20, 40].map((runs) => mannWhitneyPower(runs, runs, 0.5, options) ?? Number.NaN);
    expect(power.toSorted((a, b) => a - b)).toEqual(power);
    expect(mannWhitneyPower(10, 10, 0.9, options)).toBeGreaterThan(power[1] ?? 1);
    expect(mannWhitneyPower(10, 10, 0, options)).toBe(0.05);
    expect(mannWhitneyPower(1, 10, 0.5, options)).toBeNull();
  });

  it("agrees with theory: 20 runs a side and a delta of 0.5 are found about three times in four", () => {
    // A delta of 0.5 is a shift of 0.954 standard deviations; the t test's power is 0.84, times 3/π in efficiency.
    const power = mannWhitneyPower(20, 20, 0.5, options) ?? 0;
    expect(power).toBeGreaterThan(0.76);
    expect(power).toBeLessThan(0.87);
  });
});
