import { createRandom } from "../../src/report/statistics/samples/random.ts";
import { normalQuantile } from "../../src/report/statistics/tests/normal.ts";
import { reliabilityGate } from "../../src/report/statistics/groups/reliability.ts";

/*
 * `npm run long -- sequential [QUERIES] [SEED]`: simulates queries whose gate is looked at whenever it can be decided, as `test --exec --runs auto`
 * does, until it is or 100 runs are made. Prints how often gates are wrong (true rates at the limit included) and how many runs they save against
 * the fixed number that decides a difference of 0.15 with the same error rates and 90 % power. Ends with 1 when more gates are wrong than
 * 1 − confidence allows, or fewer than 40 % of the runs are saved.
 */

const count = Number(process.argv[2] ?? 10_000);
const random = createRandom(Number(process.argv[3] ?? 1));
const MOST_RUNS = 100;
const limits = [0.5, 0.7, 0.8, 0.9, 0.95];
const confidences = [0.9, 0.95, 0.99];

/** Runs that a test of a fixed size takes to tell `min` from a rate 0.15 away, on the side where that takes more. */
function fixedRuns(min: number, confidence: number): number {
  const [a, b] = [normalQuantile(confidence), normalQuantile(0.9)];
  const sd = (rate: number): number => Math.sqrt(rate * (1 - rate));
  const others = [min - 0.15, min + 0.15].filter((rate) => rate > 0 && rate < 1);
  return Math.max(...others.map((other) => Math.ceil(((a * sd(min) + b * sd(other)) / 0.15) ** 2)));
}

interface Simulated {
  readonly outcome: string;
  readonly runs: number;
}

const gates = new Map<string, { readonly outcome: string; readonly more: number }>();

function gateAfter(passed: number, runs: number, minPassRate: number, confidence: number) {
  const key = `${passed} ${runs} ${minPassRate} ${confidence}`;
  const known = gates.get(key);
  if (known !== undefined) return known;
  const gate = reliabilityGate(passed, runs - passed, { minPassRate, confidence, sequential: true });
  const found = { outcome: gate.outcome, more: gate.runsNeededAtLeast ?? 0 };
  gates.set(key, found);
  return found;
}

function simulate(rate: number, minPassRate: number, confidence: number, mostRuns: number): Simulated {
  let passed = 0;
  let runs = 0;
  for (;;) {
    const gate = gateAfter(passed, runs, minPassRate, confidence);
    const more = Math.min(gate.more, mostRuns - runs);
    if (gate.outcome !== "not_enough_runs" || more <= 0) return { outcome: gate.outcome, runs };
    for (let i = 0; i < more; i++) if (random.uniform() < rate) passed++;
    runs += more;
  }
}

const results = confidences.map((confidence) => {
  let wrong = 0;
  let open = 0;
  let taken = 0;
  let fixed = 0;
  for (let i = 0; i < count; i++) {
    const min = limits[i % limits.length] ?? 0.5;
    const rate = random.uniform();
    const { outcome, runs } = simulate(rate, min, confidence, MOST_RUNS);
    if ((outcome === "pass" && rate < min) || (outcome === "fail" && rate >= min)) wrong++;
    if (outcome === "not_enough_runs") open++;
    taken += runs;
    fixed += fixedRuns(min, confidence);
  }
  // The worst true rates: the limit itself, which must not fail, and just below, which must not pass.
  let atLimitFailed = 0;
  let belowPassed = 0;
  const rounds = Math.min(count, 2_000);
  for (let i = 0; i < rounds; i++) {
    const min = limits[i % limits.length] ?? 0.5;
    if (simulate(min, min, confidence, 400).outcome === "fail") atLimitFailed++;
    if (simulate(min - 1e-9, min, confidence, 400).outcome === "pass") belowPassed++;
  }
  return {
    confidence,
    wrong: wrong / count,
    wrong_at_the_limit: { failed: atLimitFailed / rounds, passed_just_below: belowPassed / rounds },
    undecided_after_100_runs: open / count,
    mean_runs: taken / count,
    mean_fixed_runs: fixed / count,
    saved: 1 - taken / fixed,
  };
});
console.log(JSON.stringify({ queries: count, results }, null, 2));
const isWrong = results.some(
  ({ confidence, wrong, wrong_at_the_limit: worst }) =>
    Math.max(wrong, worst.failed, worst.passed_just_below) > 1 - confidence,
);
if (isWrong || results.some(({ saved }) => saved < 0.4)) process.exitCode = 1;
