import { type Outcome, checksOf } from "../../model/outcome.ts";
import type { GateUnit } from "./groups/reliability.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";

/** One judged run, as the statistics see it. */
export interface Observation {
  /** The group it belongs to. */
  readonly key: string;
  /**
   * The query of the run; runs are only compared with runs of the same query. Null if unknown; absent if all runs answer the same query.
   */
  readonly query?: string | null;
  /** Gate group; absent if its query has no gate. */
  readonly gate?: GateUnit | undefined;
  /** The id of the run, if one run may be in several groups. */
  readonly runId?: string;
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
  /** A forbidden tool was called, which no gate replaces. */
  readonly usedForbiddenTool?: boolean;
  /** Scores of each rubric that was judged. */
  readonly ratings?: readonly JudgeRatings[];
}

/** Passed (warnings included), failed, or undecided. */
export type Side = "passed" | "failed" | "undecided";

export function sideOf(outcome: Outcome): Side {
  if (outcome === "pass" || outcome === "warn") return "passed";
  return outcome === "fail" ? "failed" : "undecided";
}

/** The run's own outcome, without `expected_fail`: an expected failure counts as failed, an unexpected pass as passed. */
export function ownOutcome(outcome: Outcome, expectedFail: boolean): Outcome {
  if (!expectedFail) return outcome;
  return outcome === "warn" ? "fail" : outcome === "fail" ? "pass" : outcome;
}

/** The scores that the judges of one rubric gave one run; null where one of them failed. */
export interface JudgeRatings {
  readonly rubric: string;
  readonly scores: readonly (number | null)[];
}

interface Checked {
  readonly check: string;
  readonly outcome: Outcome;
  /** Null for checks that ask no model. */
  readonly judge: {
    readonly rubric: string;
    readonly votes: readonly { readonly score: number | null }[];
  } | null;
}

/** True when all that were decided passed, false when one failed, null when none was decided. */
function allPassed(checks: readonly Checked[]): boolean | null {
  const sides = checks.map((check) => sideOf(check.outcome)).filter((side) => side !== "undecided");
  return sides.length === 0 ? null : sides.every((side) => side === "passed");
}

/** Combined result of judges, combined result of all other checks, and scores of judges. */
export function passedBy(
  checks: readonly Checked[],
): Pick<Observation, "deterministicPassed" | "judgePassed" | "usedForbiddenTool" | "ratings"> {
  return {
    usedForbiddenTool: checks.some(({ check, outcome }) => check === "forbidden_tools" && outcome === "fail"),
    deterministicPassed: allPassed(checks.filter((check) => check.judge === null)),
    judgePassed: allPassed(checks.filter((check) => check.judge !== null)),
    ratings: checks.flatMap(({ judge }) =>
      judge === null || judge.votes.length === 0
        ? []
        : [{ rubric: judge.rubric, scores: judge.votes.map(({ score }) => score) }],
    ),
  };
}

/** Length of an answer that is compared and stored in results, in UTF-16 units. */
const comparedAnswer = 4_000;

/** The part of a run's answer that is compared. */
export function answerOf({ answer }: Pick<AgentRun, "answer">): string | null {
  return answer === null ? null : answer.slice(0, comparedAnswer);
}

/** Names of the tools that a run used, in order; null when one of them is not known. */
export function toolsUsed({ tools }: Pick<AgentRun, "tools">): readonly string[] | null {
  const names = tools.filter((call) => call.executed !== false).map((call) => call.name);
  return names.every((name) => name !== null) ? names : null;
}

/** A verdict as an observation of the group `key`. */
export function observe(verdict: Verdict, key: string): Observation {
  const checks = checksOf(verdict);
  return {
    key,
    runId: verdict.run.runId,
    outcome: ownOutcome(verdict.outcome, verdict.expectedFail === true),
    metrics: verdict.metrics,
    answer: answerOf(verdict.run),
    tools: toolsUsed(verdict.run),
    ...passedBy(checks),
  };
}

/** Models, sorted, as a key to group by; null when none is known. */
export function modelsKey(models: readonly string[]): string | null {
  return models.toSorted().join(" + ") || null;
}

/**
 * The group of a verdict under `--group-by`: its query's id, its run's agent, its models (sorted, joined by "
 * + "), or any run attribute. Null when the run does not have it.
 */
export function groupKey(verdict: Verdict, groupBy: string): string | null {
  if (groupBy === "query") return verdict.queryId;
  if (groupBy === "agent") return verdict.run.agent;
  if (groupBy === "model") return modelsKey(verdict.run.models);
  const value = verdict.run.attributes.get(groupBy);
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
