import { isAtLeast, isAtMost } from "../../../support/structures/compare-limit.ts";
import { count } from "../../rules/text.ts";
import type { CalibratedScore } from "../ask/sureness.ts";

export type PassOrFail = "pass" | "fail";

/** One answer that a rubric judged several times. */
export interface AuditCase {
  readonly id: string;
  /** Label of each repeat; null if the judge did not answer. */
  readonly outcomes: readonly (PassOrFail | null)[];
  /** Score interval (`scoreBucket`) of the first repeat with an answer; null without a score. */
  readonly score?: number | null;
  /** A human label; null without one. Takes precedence over `checks`. */
  readonly label: PassOrFail | null;
  /** Outcome of the query's deterministic checks; null if no check decides. */
  readonly checks: PassOrFail | null;
}

export interface AuditStatistics {
  readonly cases: number;
  /** Number of cases that the judge answered at least once. */
  readonly judged: number;
  /**
   * Number of cases with two or more answers. `flips` is the number of these cases whose answers have different labels, and `flipRate` is
   * flips / repeated.
   */
  readonly repeated: number;
  readonly flips: number;
  readonly flipRate: number | null;
  /** Number of judged cases with a human label or a decided check. */
  readonly checkable: number;
  /** Number of checkable cases whose label is `fail`, and of cases without a label whose checks failed. */
  readonly failedByChecks: number;
  /** Number of these failed cases that the judge passed. `falsePassRate`: falsePasses / failedByChecks; null if no case failed. */
  readonly falsePasses: number;
  readonly falsePassRate: number | null;
  /** Number of judged cases with a human label. `confusion` compares the judge's majority with the label. */
  readonly labelled: number;
  readonly confusion: Confusion;
  readonly agreement: number | null;
  /** Cohen's kappa of judge and labels; null if undefined. */
  readonly kappa: number | null;
  /** For each score, in ascending order: how often the first reply agreed with the label. */
  readonly calibration: readonly CalibratedScore[];
}

export type AuditVerdict = "reliable" | "needs calibration" | "unreliable" | "unknown" | "error";

export interface RubricAudit extends AuditStatistics {
  readonly rubric: string;
  readonly model: string;
  readonly verdict: AuditVerdict;
  /** Limits that the judge missed; empty if the judge is reliable. */
  readonly reasons: readonly string[];
  /** True if fewer than five cases have a label or a decided check. Fewer than five cases prove little. */
  readonly anecdotal: boolean;
}

const ANECDOTE = 5;
const NOT_CHECKABLE =
  "no label and no check shows whether an answer is right, so false passes are unknown: add labels with --labels";

/**
 * Rates the judge of a rubric. `unreliable`: a false pass, flips over 20 %, agreement under 75 %, or kappa under 0.4. `needs calibration`:
 * flips over 5 %, or agreement under 90 %. `error`: the judge answered no case. AgentCI defines these percentages. A rate that is unknown
 * (null) misses no limit, but if no case has a label or a decided check, a judge that misses no limit is `unknown`: its labels may be right
 * or wrong.
 */
export function auditRubric(rubric: string, model: string, cases: readonly AuditCase[]): RubricAudit {
  const statistics = auditStatistics(cases);
  const { verdict, reasons } = trust(statistics);
  return { rubric, model, ...statistics, verdict, reasons, anecdotal: statistics.checkable < ANECDOTE };
}

function trust(it: AuditStatistics): Pick<RubricAudit, "verdict" | "reasons"> {
  if (it.judged === 0) return { verdict: "error", reasons: ["the judge gave no usable reply in any case"] };
  const severe = missed([
    [over(it.flipRate, 0.2), "flips on more than 20 % of the repeated cases"],
    [it.falsePasses > 0, falsePassReason(it)],
    [under(it.agreement, 0.75), "agrees with less than 75 % of the labels"],
    [under(it.kappa, 0.4), "kappa is under 0.4: little better than chance"],
  ]);
  if (severe.length > 0) return { verdict: "unreliable", reasons: severe };
  const mild = missed([
    [over(it.flipRate, 0.05), "flips on more than 5 % of the repeated cases"],
    [under(it.agreement, 0.9), "agrees with less than 90 % of the labels"],
  ]);
  if (mild.length > 0) return { verdict: "needs calibration", reasons: mild };
  return it.checkable === 0
    ? { verdict: "unknown", reasons: [NOT_CHECKABLE] }
    : { verdict: "reliable", reasons: [] };
}

/**
 * Returns the reason for "unreliable" after a false pass. One false pass is enough, because a judge that passes known failures will pass
 * the next regression.
 */
function falsePassReason({ falsePasses, failedByChecks }: AuditStatistics): string {
  return `not trustworthy: passes ${falsePasses} of the ${count(failedByChecks, "answer")} that checks or labels fail`;
}

function auditStatistics(cases: readonly AuditCase[]): AuditStatistics {
  const judged = cases
    .map((it) => ({ ...it, decided: it.outcomes.filter((outcome) => outcome !== null) }))
    .filter((it) => it.decided.length > 0)
    .map((it) => ({ ...it, verdict: majority(it.decided), truth: it.label ?? it.checks }));
  const repeated = judged.filter((it) => it.decided.length > 1);
  const flips = repeated.filter((it) => new Set(it.decided).size > 1).length;
  const checkable = judged.filter((it) => it.truth !== null);
  const failed = checkable.filter((it) => it.truth === "fail");
  const falsePasses = failed.filter((it) => it.verdict === "pass").length;
  const confusion = confusionOf(
    judged.flatMap((it) => (it.label === null ? [] : [[it.verdict, it.label] as const])),
  );
  const labelled = judged.filter((it) => it.label !== null).length;
  return {
    cases: cases.length,
    judged: judged.length,
    repeated: repeated.length,
    flips,
    flipRate: share(flips, repeated.length),
    checkable: checkable.length,
    failedByChecks: failed.length,
    falsePasses,
    falsePassRate: share(falsePasses, failed.length),
    labelled,
    confusion,
    agreement: share(confusion.truePass + confusion.trueFail, labelled),
    kappa: cohensKappa(confusion),
    calibration: calibrationOf(judged),
  };
}

function calibrationOf(
  judged: readonly (AuditCase & { readonly decided: readonly PassOrFail[] })[],
): readonly CalibratedScore[] {
  const found = new Map<number, { cases: number; right: number }>();
  for (const { score = null, label, decided } of judged) {
    if (score === null || label === null) continue;
    const { cases, right } = found.get(score) ?? { cases: 0, right: 0 };
    found.set(score, { cases: cases + 1, right: right + (decided[0] === label ? 1 : 0) });
  }
  return [...found].map(([score, counts]) => ({ score, ...counts })).sort((a, b) => a.score - b.score);
}

/** Returns the label of most repeats. A tie is `fail`, because the judge did not clearly pass the answer. */
function majority(labels: readonly PassOrFail[]): PassOrFail {
  return labels.filter((it) => it === "pass").length * 2 > labels.length ? "pass" : "fail";
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function missed(limits: readonly (readonly [missed: boolean, reason: string])[]): readonly string[] {
  return limits.filter(([hit]) => hit).map(([, reason]) => reason);
}

const over = (value: number | null, limit: number): boolean => value !== null && !isAtMost(value, limit);
const under = (value: number | null, limit: number): boolean => value !== null && !isAtLeast(value, limit);

/** Numbers of cases by a judge's decision and a human label. */
interface Confusion {
  readonly truePass: number;
  readonly falsePass: number;
  readonly trueFail: number;
  readonly falseFail: number;
}

export function confusionOf(
  pairs: readonly (readonly [judge: "pass" | "fail", truth: "pass" | "fail"])[],
): Confusion {
  const count = (judge: string, truth: string): number =>
    pairs.filter((it) => it[0] === judge && it[1] === truth).length;
  return {
    truePass: count("pass", "pass"),
    falsePass: count("pass", "fail"),
    trueFail: count("fail", "fail"),
    falseFail: count("fail", "pass"),
  };
}

/**
 * Returns Cohen's kappa of a 2×2 table: (observed − expected agreement) / (1 − expected agreement). Null without cases, or if both sides
 * gave all cases the same label.
 */
export function cohensKappa({ truePass, falsePass, trueFail, falseFail }: Confusion): number | null {
  const n = truePass + falsePass + trueFail + falseFail;
  if (n === 0) return null;
  const observed = (truePass + trueFail) / n;
  const judgePasses = (truePass + falsePass) / n;
  const trulyPasses = (truePass + falseFail) / n;
  const expected = judgePasses * trulyPasses + (1 - judgePasses) * (1 - trulyPasses);
  return expected === 1 ? null : (observed - expected) / (1 - expected);
}
