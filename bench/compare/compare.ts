import { percentileInterval } from "../../src/report/statistics/estimates/bootstrap.ts";
import { median } from "../../src/report/statistics/samples/quantiles.ts";
import { createRandom } from "../../src/report/statistics/samples/random.ts";
import { twoSidedZ } from "../../src/report/statistics/tests/normal.ts";
import { twoSidedT } from "../../src/report/statistics/tests/student-t.ts";
import type { Figure } from "./saved.ts";

export interface Margins {
  /** Share that a figure may change by and still count as the same: 0.05. */
  readonly margin: number;
  /** Also judges times, which are no ratios: for runs of one machine that was as busy both times. */
  readonly times: boolean;
}

export type Verdict = "better" | "worse" | "same" | "cannot tell";

/** The log of the ratio of two medians, or, for powers, which may be 0, their difference; with its 95 % interval. */
export interface Change {
  readonly change: number;
  readonly low: number;
  readonly high: number;
}

/** A figure of two runs. */
export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Null where there is nothing to compare. */
  readonly change: Change | null;
  readonly verdict: Verdict;
  /** Why it cannot be determined; empty otherwise. */
  readonly why: string;
}

/** All figures of either run, those of the newer one first, in their order. */
export function compareRuns(
  before: readonly Figure[],
  after: readonly Figure[],
  margins: Margins,
): Comparison[] {
  const names = new Set([...after, ...before].map(({ name }) => name));
  const find = (run: readonly Figure[], name: string) => run.find((one) => one.name === name);
  return [...names].map((name) => compareFigures(find(before, name), find(after, name), margins));
}

/** Fewer tell nothing of how far rounds lie apart. */
const LEAST_ROUNDS = 3;

/** @param before undefined where that run has no such figure; the same for `after` */
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
    return cannotTell(`fewer than ${LEAST_ROUNDS} rounds; 9 would do`);
  if (["µs", "ms"].includes(unit) && !times)
    return cannotTell("a time, no ratio: it tells as much of the machine; --times judges it");
  const beyond = isRatio ? Math.log1p(margin) : margin;
  const { low, high } = change;
  if (low > -beyond && high < beyond) return { ...told, change, verdict: "same", why: "" };
  if (low <= beyond && high >= -beyond) return cannotTell("more rounds would narrow the interval");
  const verdict = low > beyond === (after?.better === "less") ? "worse" : "better";
  return { ...told, change, verdict, why: "" };
}

/** Why two figures have no change that could be told; null when they have. */
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
 * Bootstrapped, the rounds drawn in pairs where there are equally many of both. As the quantiles of a few rounds' bootstrap lie too close together, the
 * interval is widened by √(n/(n − 1)) and Student's quantile over the normal one (Hesterberg, What Teachers Should Know About the Bootstrap,
 * Amer. Statist. 69, 2015). The same samples give the same numbers.
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
