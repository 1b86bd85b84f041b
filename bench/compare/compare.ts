import { percentileInterval } from "../../src/report/statistics/estimates/bootstrap.ts";
import { median } from "../../src/report/statistics/samples/quantiles.ts";
import { createRandom } from "../../src/report/statistics/samples/random.ts";
import { twoSidedZ } from "../../src/report/statistics/tests/normal.ts";
import { twoSidedT } from "../../src/report/statistics/tests/student-t.ts";
import type { Figure } from "./saved.ts";

export interface Margins {
  /** Relative change up to which a figure counts as unchanged, for example 0.05. */
  readonly margin: number;
  /** Also judge times in µs and ms. They depend on the machine, so both runs need the same machine with the same load. */
  readonly times: boolean;
}

export type Verdict = "better" | "worse" | "same" | "cannot tell";

/** The log of the ratio of two medians with its 95 % interval. For exponents (unit `power`), which can be 0: their difference. */
export interface Change {
  readonly change: number;
  readonly low: number;
  readonly high: number;
}

/** One figure in two runs. */
export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Null if there is nothing to compare. */
  readonly change: Change | null;
  readonly verdict: Verdict;
  /** Reason for "cannot tell"; otherwise empty. */
  readonly why: string;
}

/** Compares all figures of both runs: first the figures of the newer run in their order, then those that only the older run has. */
export function compareRuns(
  before: readonly Figure[],
  after: readonly Figure[],
  margins: Margins,
): Comparison[] {
  const names = new Set([...after, ...before].map(({ name }) => name));
  const find = (run: readonly Figure[], name: string) => run.find((one) => one.name === name);
  return [...names].map((name) => compareFigures(find(before, name), find(after, name), margins));
}

/** With fewer rounds, their spread is unknown. */
const LEAST_ROUNDS = 3;

/** @param before undefined if the older run does not have the figure; likewise `after` */
export function compareFigures(
  before: Figure | undefined,
  after: Figure | undefined,
  { margin, times }: Margins,
): Comparison {
  const { name, unit } = after ?? before ?? { name: "", unit: "" };
  const told = { name, unit, before: before?.rounds ?? [], after: after?.rounds ?? [] } as const;
  const isRatio = unit !== "power";
  const why = whyNot(before, after, isRatio);
  if (why !== null) return { ...told, change: null, verdict: "cannot tell", why };
  const change = changeOf(told.before, told.after, isRatio);
  const cannotTell = (because: string): Comparison => ({
    ...told,
    change,
    verdict: "cannot tell",
    why: because,
  });
  if (Math.min(told.before.length, told.after.length) < LEAST_ROUNDS)
    return cannotTell(`fewer than ${LEAST_ROUNDS} rounds; measure with --rounds 9`);
  if (["µs", "ms"].includes(unit) && !times)
    return cannotTell("a time, which depends on the machine; only --times judges it");
  const beyond = isRatio ? Math.log1p(margin) : margin;
  const { low, high } = change;
  if (low > -beyond && high < beyond) return { ...told, change, verdict: "same", why: "" };
  if (low <= beyond && high >= -beyond) return cannotTell("more rounds would narrow the interval");
  const verdict = low > beyond === (after?.better === "less") ? "worse" : "better";
  return { ...told, change, verdict, why: "" };
}

/** Reason why the change of a figure cannot be computed; null if it can. */
function whyNot(before: Figure | undefined, after: Figure | undefined, isRatio: boolean): string | null {
  if (before === undefined) return "only in the newer run";
  if (after === undefined) return "only in the older run";
  for (const [when, { rounds }] of [["older", before] as const, ["newer", after] as const]) {
    if (rounds.length === 0) return `the ${when} run could not measure it`;
    if (isRatio && rounds.some((value) => value <= 0)) return `a round of the ${when} run is 0 or less`;
  }
  return before.unit === after.unit ? null : `in ${before.unit} before, in ${after.unit} now`;
}

const CONFIDENCE = 0.95;
const RESAMPLES = 4_000;

/**
 * Estimates the change with a bootstrap; if both runs have the same number of rounds, rounds are drawn in pairs. With few rounds the
 * percentile interval is too narrow. It is widened by √(n/(n − 1)) and by the ratio of Student's to the normal quantile (Hesterberg, What
 * Teachers Should Know About the Bootstrap, Amer. Statist. 69, 2015). The seed is fixed.
 */
function changeOf(before: readonly number[], after: readonly number[], isRatio: boolean): Change {
  const apart = (old: readonly number[], now: readonly number[]): number => {
    const [from, to] = [median(old) ?? Number.NaN, median(now) ?? Number.NaN];
    return isRatio ? Math.log(to / from) : to - from;
  };
  const random = createRandom(1);
  const drawn = (rounds: readonly number[]): number[] => rounds.map(() => random.below(rounds.length));
  const estimates = Float64Array.from({ length: RESAMPLES }, () => {
    const places = drawn(before);
    const others = before.length === after.length ? places : drawn(after);
    return apart(
      places.map((at) => before[at] ?? Number.NaN),
      others.map((at) => after[at] ?? Number.NaN),
    );
  });
  const change = apart(before, after);
  const { low, high } = percentileInterval(estimates, CONFIDENCE) ?? { low: change, high: change };
  const rounds = Math.min(before.length, after.length);
  const wide =
    rounds < 2
      ? Infinity
      : Math.sqrt(rounds / (rounds - 1)) * (twoSidedT(CONFIDENCE, rounds - 1) / twoSidedZ(CONFIDENCE));
  return {
    change,
    low: change - wide * Math.max(0, change - low),
    high: change + wide * Math.max(0, high - change),
  };
}
