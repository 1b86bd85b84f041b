import type { Outcome } from "../model/outcome.ts";
import type { Verdict } from "../model/verdict.ts";

/** One judged run, as the statistics see it. */
export interface Observation {
  /** The group it belongs to. */
  readonly key: string;
  readonly outcome: Outcome;
  /** Null where it could not be computed. */
  readonly metrics: ReadonlyMap<string, number | null>;
  /** Null or absent when not known. */
  readonly answer?: string | null;
  /** Names of the tools used, in order; null or absent when not known. */
  readonly tools?: readonly string[] | null;
  /** Whether all checks that ask no model passed; null when there were none, absent when not known. */
  readonly deterministicPassed?: boolean | null;
  /** Whether all judges passed it; null when none gave an answer, absent when not known. */
  readonly judgePassed?: boolean | null;
}

/** Passed (a warning is a pass), failed, or undecided: could not tell is neither. */
export type Side = "passed" | "failed" | "undecided";

export function sideOf(outcome: Outcome): Side {
  if (outcome === "pass" || outcome === "warn") return "passed";
  return outcome === "fail" ? "failed" : "undecided";
}

/** What the run did by itself: one that failed as its query expects counts as failed, one that passed against expectation as passed. */
export function ownOutcome(outcome: Outcome, expectedFail: boolean): Outcome {
  if (!expectedFail) return outcome;
  return outcome === "warn" ? "fail" : outcome === "fail" ? "pass" : outcome;
}

interface Checked {
  readonly outcome: Outcome;
  /** Null for checks that ask no model. */
  readonly judge: unknown;
}

/** True when all that were decided passed, false when one failed, null when none was decided. */
function allPassed(checks: readonly Checked[]): boolean | null {
  const sides = checks.map((check) => sideOf(check.outcome)).filter((side) => side !== "undecided");
  return sides.length === 0 ? null : sides.every((side) => side === "passed");
}

/** What judges found and what all other checks found, each taken together. */
export function passedBy(
  checks: readonly Checked[],
): Pick<Observation, "deterministicPassed" | "judgePassed"> {
  return {
    deterministicPassed: allPassed(checks.filter((check) => check.judge === null)),
    judgePassed: allPassed(checks.filter((check) => check.judge !== null)),
  };
}

/** A verdict as an observation of the group `key`. */
export function observe(verdict: Verdict, key: string): Observation {
  const { correctness, path, cost } = verdict.layers;
  const checks = [...correctness.checks, ...path.checks, ...cost.checks];
  const tools = verdict.run.tools.filter((call) => call.executed !== false).map((call) => call.name);
  return {
    key,
    outcome: ownOutcome(verdict.outcome, verdict.expectedFail === true),
    metrics: verdict.metrics,
    answer: verdict.run.answer,
    tools: tools.every((name) => name !== null) ? tools : null,
    ...passedBy(checks),
  };
}

/**
 * The group of a verdict under `--group-by`: its query's id, its run's agent, its models (sorted, joined by "
 * + "), or any run attribute. Null when the run does not have it.
 */
export function groupKey(verdict: Verdict, groupBy: string): string | null {
  if (groupBy === "query") return verdict.queryId;
  if (groupBy === "agent") return verdict.run.agent;
  if (groupBy === "model") return verdict.run.models.toSorted().join(" + ") || null;
  const value = verdict.run.attributes.get(groupBy);
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
