import type { Faulty } from "../../evaluate/result/faults.ts";
import type { Evaluation } from "../../evaluate/evaluate.ts";
import type { Layer, Outcome } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import { ownOutcome } from "../statistics/observation.ts";
import type { VerdictJson } from "../json/verdict-schema.ts";

/** One of the two runs of a comparison. */
export interface Side {
  readonly version: string;
  readonly run: AgentRun;
  /** Verdict of the run; null if the run has no verdict. */
  readonly judged: Judged | null;
}

export interface Judged {
  /** Outcome before `expected_fail` is applied: a failure that the spec expects is `fail`. */
  readonly outcome: Outcome;
  readonly hardFail: boolean;
  readonly layers: Readonly<Record<Layer, JudgedLayer>>;
  /** Weighted score, 0 to 100; null if the query has no score. */
  readonly score: number | null;
}

export interface JudgedLayer {
  readonly outcome: Outcome;
  readonly checks: readonly JudgedCheck[];
}

export interface JudgedCheck extends Faulty {
  readonly turn?: number | undefined;
}

export function judgedByVerdict(verdict: Verdict | Evaluation): Judged {
  const { hardFail, layers, metrics } = verdict;
  const outcome = ownOutcome(verdict.outcome, "expectedFail" in verdict && verdict.expectedFail);
  return { outcome, hardFail, layers, score: metrics.get("score") ?? scoreIn(layers.path.checks) };
}

export function judgedByJson(verdict: VerdictJson): Judged {
  const { hard_fail: hardFail, layers, metrics } = verdict;
  const outcome = ownOutcome(verdict.outcome, verdict.expected_fail === true);
  return { outcome, hardFail, layers, score: metrics["score"] ?? scoreIn(layers.path.checks) };
}

/**
 * Returns the value of the check `scoring.min_score`, 0 to 100. Returns null if the verdict lacks the check or its
 * value.
 */
function scoreIn(checks: readonly { readonly metric: string; readonly value: unknown }[]): number | null {
  const value = checks.find(({ metric }) => metric === "score")?.value;
  return typeof value === "number" ? value : null;
}
