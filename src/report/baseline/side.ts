import type { Faulty } from "../../evaluate/result/faults.ts";
import type { Evaluation } from "../../evaluate/evaluate.ts";
import type { Layer, Outcome } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import { ownOutcome } from "../statistics/observation.ts";
import type { VerdictJson } from "../json/verdict-schema.ts";

/** One of two runs that are compared. */
export interface Side {
  readonly version: string;
  readonly run: AgentRun;
  /** Null if the run has no verdict. */
  readonly judged: Judged | null;
}

/** The parts of a verdict that are compared. */
export interface Judged {
  /** By itself: a failure stays one where the query expects it. */
  readonly outcome: Outcome;
  readonly hardFail: boolean;
  readonly layers: Readonly<Record<Layer, JudgedLayer>>;
  /** The weighted score, 0 to 100; null when there is none. */
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

/** `scoring.min_score` measures the score. */
function scoreIn(checks: readonly { readonly metric: string; readonly value: unknown }[]): number | null {
  const value = checks.find(({ metric }) => metric === "score")?.value;
  return typeof value === "number" ? value : null;
}
