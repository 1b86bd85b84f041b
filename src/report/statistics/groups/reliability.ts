import { isAtLeast, isAtMost } from "../../../support/structures/compare-limit.ts";
import { wilsonInterval } from "../estimates/interval.ts";
import { mean, sampleStdDev, type Sample } from "../samples/moments.ts";
import { passAtK, passHatK } from "../estimates/pass-at-k.ts";
import {
  neededAtLeast,
  neededAtRate,
  neededAtThisRate,
  rateVerdict,
  type Counts,
} from "../estimates/runs-needed.ts";
import { sequentialVerdict } from "../estimates/sequential.ts";

/** Minimum value of pass@k or pass^k for one k. */
export interface AtLeast {
  readonly k: number;
  readonly min: number;
}

/** Limits of a `reliability:` gate. Only limits that are given are checked. A value equal to its limit passes. */
export interface ReliabilityLimits {
  /** Minimum number of decided runs. The default is 1. */
  readonly minRuns?: number | undefined;
  readonly minPassRate?: number | undefined;
  /**
   * Confidence of the pass rate. If given, `minPassRate` is compared with the Wilson interval, otherwise with
   * the observed rate.
   */
  readonly confidence?: number | undefined;
  /**
   * Whether the gate may be evaluated after each run, so that the test can stop when the gate is decided.
   * Requires `confidence`.
   */
  readonly sequential?: boolean | undefined;
  readonly passAtK?: readonly AtLeast[] | undefined;
  readonly passHatK?: readonly AtLeast[] | undefined;
  /**
   * Minimum mean of the scores, 0 to 100 (EvalView's `min_mean_score`). `maxStdDev` is the maximum sample
   * standard deviation of the scores.
   */
  readonly minMeanScore?: number | undefined;
  readonly maxStdDev?: number | undefined;
}

/**
 * Whether the limits restrict the number of failures. If so, only the gate decides, and a single failed run has
 * no effect, unless the run called a forbidden tool. Limits of scores and a minimum number of runs do not
 * restrict failures.
 */
export function limitsFailures({ minPassRate, passAtK = [], passHatK = [] }: ReliabilityLimits): boolean {
  return minPassRate !== undefined || passAtK.length > 0 || passHatK.length > 0;
}

/** Runs that a reliability gate evaluates together: all runs of a query, or the runs with one text. */
export interface GateUnit {
  /** Key of the unit. Runs with equal keys form one unit. */
  readonly key: string;
  /** Whether the unit may contain runs of different texts, because their query texts are unknown. */
  readonly isMixed: boolean;
  /** Displayed name of the unit: a query text or a query id. */
  readonly name: string;
  readonly limits: ReliabilityLimits;
}

/** `incomplete` means that data are missing, so more runs would not decide the gate. */
export type GateOutcome = "pass" | "fail" | "incomplete" | "not_enough_runs";

export interface GatePart {
  /** Key of the limit in the spec's `reliability:`, such as `min_pass_rate`. */
  readonly check: string;
  /** The k of pass@k or pass^k; absent for other limits. */
  readonly k?: number;
  readonly outcome: GateOutcome;
  readonly value: number | null;
  readonly limit: number;
  readonly message: string;
  /**
   * Number of further runs that decide this part, if the rate stays the same. 0 if the part is decided; null
   * if no number is enough.
   */
  readonly runsNeeded: number | null;
  /**
   * Smallest number of further runs that could decide this part. 0 if the part is decided; null if no number
   * is enough.
   */
  readonly runsNeededAtLeast: number | null;
}

export interface Gate {
  readonly outcome: GateOutcome;
  readonly reason: string;
  readonly runsNeeded: number | null;
  readonly runsNeededAtLeast: number | null;
  readonly parts: readonly GatePart[];
  /** Gates of the units that did not pass; absent if there is only one unit, or all units passed. */
  readonly notHeld?: readonly (Gate & { readonly name: string })[];
}

export const percent = (rate: number): string => `${Number((100 * rate).toFixed(1))} %`;

function decided(check: string, ok: boolean, value: number, limit: number, message: string): GatePart {
  return {
    check,
    outcome: ok ? "pass" : "fail",
    value,
    limit,
    message,
    runsNeeded: 0,
    runsNeededAtLeast: 0,
  };
}

function open({ check, ...part }: Omit<GatePart, "outcome">): GatePart {
  return { check, outcome: "not_enough_runs", ...part };
}

function passRatePart(
  counts: Counts,
  min: number,
  { confidence, sequential }: Pick<ReliabilityLimits, "confidence" | "sequential">,
): GatePart {
  const rate = counts.passed / counts.decided;
  const seen = `${counts.passed} of ${counts.decided} runs passed (${percent(rate)})`;
  const check = "min_pass_rate";
  if (confidence === undefined) {
    return decided(check, isAtLeast(rate, min), rate, min, `${seen}; at least ${percent(min)} are required`);
  }
  const isSequential = sequential === true;
  const verdictOf = (passed: number, runs: number) =>
    (isSequential ? sequentialVerdict : rateVerdict)(passed, runs, min, confidence);
  const verdict = verdictOf(counts.passed, counts.decided);
  const message = isSequential
    ? `${seen}; a true rate of at least ${percent(min)} is ${shownAs[verdict]} at ${percent(confidence)} confidence (this holds even if the gate is evaluated after each run)`
    : `${seen}, the true rate is ${rateRange(counts, confidence)}; at least ${percent(min)} is required`;
  if (verdict !== "open") return decided(check, verdict === "pass", rate, min, message);
  const needed = () =>
    isSequential ? neededAtRate(counts, verdictOf) : neededAtThisRate(counts, min, confidence);
  return open({
    check,
    value: rate,
    limit: min,
    message: min === 1 ? `${message}; no number of runs can prove a rate of 100 %` : message,
    runsNeeded: min === 1 ? null : needed(),
    runsNeededAtLeast: neededAtLeast(counts, verdictOf),
  });
}

const shownAs = { pass: "shown", fail: "ruled out", open: "neither shown nor ruled out" };

function rateRange({ passed, decided }: Counts, confidence: number): string {
  const { low, high } = wilsonInterval(passed, decided, confidence) ?? { low: 0, high: 1 };
  return `${percent(low)} to ${percent(high)} at ${percent(confidence)} confidence`;
}

function severalRunsPart(
  check: string,
  counts: Counts,
  minimum: AtLeast,
  estimate: (runs: number, passed: number, k: number) => number | null,
): GatePart {
  const value = estimate(counts.decided, counts.passed, minimum.k);
  const limit = minimum.min;
  const name = `${check} for k = ${minimum.k}`;
  if (value !== null) {
    const message = `${name} is ${percent(value)}; at least ${percent(limit)} is required`;
    return { ...decided(check, isAtLeast(value, limit), value, limit, message), k: minimum.k };
  }
  const needed = minimum.k - counts.decided;
  const message = `${name} needs ${minimum.k} decided runs, and has ${counts.decided}`;
  return open({ check, k: minimum.k, value, limit, message, runsNeeded: needed, runsNeededAtLeast: needed });
}

export interface GroupScores {
  /** Known scores, 0 to 100. */
  readonly known: Sample;
  readonly unknown: number;
}

function scorePart(
  check: string,
  { known, unknown }: GroupScores,
  value: number | null,
  limit: number,
  ok: boolean,
  needed: number,
): GatePart {
  if (unknown > 0) {
    const all = known.length + unknown;
    const message = `${check} needs the score of every run, and ${unknown} of ${all} runs have no known score: write \`scoring\`, and either let a judge rate the output or give output_quality the weight 0`;
    const none = { runsNeeded: null, runsNeededAtLeast: null };
    return { check, outcome: "incomplete", value: null, limit, message, ...none };
  }
  if (value !== null) {
    const message = `${check}: the scores give ${Number(value.toFixed(2))}, the limit is ${limit}`;
    return decided(check, ok, value, limit, message);
  }
  const message = `${check} needs ${needed} more run${needed === 1 ? "" : "s"} with a score to be decided`;
  return open({ check, value, limit, message, runsNeeded: needed, runsNeededAtLeast: needed });
}

function gateParts(counts: Counts, limits: ReliabilityLimits, scores: GroupScores): GatePart[] {
  const parts: GatePart[] = [];
  if (limits.minPassRate !== undefined) {
    parts.push(passRatePart(counts, limits.minPassRate, limits));
  }
  for (const minimum of limits.passAtK ?? [])
    parts.push(severalRunsPart("pass_at_k", counts, minimum, passAtK));
  for (const minimum of limits.passHatK ?? []) {
    parts.push(severalRunsPart("pass_hat_k", counts, minimum, passHatK));
  }
  if (limits.minMeanScore !== undefined) {
    const value = mean(scores.known);
    const ok = value !== null && isAtLeast(value, limits.minMeanScore);
    parts.push(scorePart("min_mean_score", scores, value, limits.minMeanScore, ok, 1));
  }
  if (limits.maxStdDev !== undefined) {
    const value = sampleStdDev(scores.known);
    const ok = value !== null && isAtMost(value, limits.maxStdDev);
    parts.push(scorePart("max_std_dev", scores, value, limits.maxStdDev, ok, 2 - scores.known.length));
  }
  return parts;
}

function reached({ decided: runs }: Counts, limits: ReliabilityLimits, parts: readonly GatePart[]): string {
  const messages = parts.map((part) => part.message);
  if (messages.length === 0) messages.push(`${runs} decided run${runs === 1 ? "" : "s"}, as required`);
  return [...messages, ...(limitsFailures(limits) ? [] : ["the gate tolerates no failed run"])].join("; ");
}

/**
 * Returns the largest number of further runs that one of the parts needs; null if a part cannot be decided.
 */
export function largest(needs: readonly (number | null)[]): number | null {
  return needs.includes(null) ? null : Math.max(0, ...needs.map((need) => need ?? 0));
}

const noScores: GroupScores = { known: [], unknown: 0 };

/**
 * Evaluates the reliability gate of a group of runs. With fewer than `minRuns` decided runs, the outcome is
 * `not_enough_runs`. With enough runs, the outcome is that of the worst part of the gate, in the order fail,
 * incomplete, not enough runs, pass. A value equal to a limit passes. Undecided runs (incomplete, error,
 * skip) count only for the limits of scores.
 * @param passed number of passed runs, including warnings
 * @param failed number of failed runs
 * @param scores scores of all runs, for the limits of scores
 */
export function reliabilityGate(
  passed: number,
  failed: number,
  limits: ReliabilityLimits,
  scores: GroupScores = noScores,
): Gate {
  const counts = { passed, decided: passed + failed };
  const minRuns = Math.max(1, limits.minRuns ?? 1);
  if (counts.decided < minRuns) {
    const needed = minRuns - counts.decided;
    const reason = `only ${counts.decided} of ${minRuns} required runs passed or failed (${needed} more needed)`;
    const part = { check: "min_runs", value: counts.decided, limit: minRuns, message: reason };
    const parts = [open({ ...part, runsNeeded: needed, runsNeededAtLeast: needed })];
    return { outcome: "not_enough_runs", reason, runsNeeded: needed, runsNeededAtLeast: needed, parts };
  }
  const parts = gateParts(counts, limits, scores);
  const first = (outcome: GateOutcome) => parts.find((part) => part.outcome === outcome);
  const decisive = first("fail") ?? first("incomplete") ?? first("not_enough_runs");
  const isOpen = decisive !== undefined && decisive.outcome !== "fail";
  const stillOpen = isOpen ? parts.filter((part) => part.outcome !== "pass") : [];
  return {
    outcome: decisive?.outcome ?? "pass",
    reason: decisive?.message ?? reached(counts, limits, parts),
    runsNeeded: largest(stillOpen.map((part) => part.runsNeeded)),
    runsNeededAtLeast: largest(stillOpen.map((part) => part.runsNeededAtLeast)),
    parts,
  };
}
