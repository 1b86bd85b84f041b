import { type NotJudged, NotJudgedCounts } from "../../model/not-judged.ts";
import { type Outcome, checksOf } from "../../model/outcome.ts";
import type { GateUnit } from "./groups/reliability.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";

/** A judged run as the statistics use it. */
export interface Observation {
  /** Key of the run's group. */
  readonly key: string;
  /**
   * The query of the run; runs are only compared with runs of the same query. Null if unknown; absent if all
   * runs answer the same query.
   */
  readonly query?: string | null;
  /** Unit in which the run is gated; absent if its query has no gate. */
  readonly gate?: GateUnit | undefined;
  /** Id of the run, needed if a run may be in several groups. */
  readonly runId?: string;
  readonly outcome: Outcome;
  /** Metrics by name; null if a metric could not be computed. */
  readonly metrics: ReadonlyMap<string, number | null>;
  /** Answer of the run; null or absent if unknown. */
  readonly answer?: string | null;
  /** Names of the used tools in order; null or absent if unknown. */
  readonly tools?: readonly string[] | null;
  /** Whether all checks without a model passed; null if there were none, absent if unknown. */
  readonly deterministicPassed?: boolean | null;
  /** Whether the run passed all judges; null if none answered, absent if unknown. */
  readonly judgePassed?: boolean | null;
  /** Whether a forbidden tool was called, which no gate replaces. */
  readonly usedForbiddenTool?: boolean;
  /** Checks that options left out; absent if unknown. */
  readonly notJudged?: readonly NotJudged[];
  /** Scores of each rubric that was judged. */
  readonly ratings?: readonly JudgeRatings[];
}

/** Passed (including warnings), failed, or undecided. */
export type Side = "passed" | "failed" | "undecided";

export function sideOf(outcome: Outcome): Side {
  if (outcome === "pass" || outcome === "warn") return "passed";
  return outcome === "fail" ? "failed" : "undecided";
}

/**
 * Returns the run's outcome without `expected_fail`: an expected failure is a failure, an unexpected pass is
 * a pass.
 */
export function ownOutcome(outcome: Outcome, expectedFail: boolean): Outcome {
  if (!expectedFail) return outcome;
  return outcome === "warn" ? "fail" : outcome === "fail" ? "pass" : outcome;
}

/** Scores that the judges of one rubric gave one run; null if a judge failed. */
export interface JudgeRatings {
  readonly rubric: string;
  readonly scores: readonly (number | null)[];
}

interface Checked {
  readonly check: string;
  readonly outcome: Outcome;
  readonly message: string;
  /** Judge of the check; null for checks without a model. */
  readonly judge: {
    readonly rubric: string;
    readonly votes: readonly { readonly score: number | null }[];
  } | null;
}

/** Returns true if all decided checks passed, false if one failed, null if none was decided. */
function allPassed(checks: readonly Checked[]): boolean | null {
  const sides = checks.map((check) => sideOf(check.outcome)).filter((side) => side !== "undecided");
  return sides.length === 0 ? null : sides.every((side) => side === "passed");
}

/** Returns the combined result of judges, the combined result of all other checks, and the judges' scores. */
export function passedBy(
  checks: readonly Checked[],
): Pick<Observation, "deterministicPassed" | "judgePassed" | "usedForbiddenTool" | "notJudged" | "ratings"> {
  const counts = new NotJudgedCounts();
  counts.add(checks);
  const notJudged = counts.all;
  return {
    usedForbiddenTool: checks.some(({ check, outcome }) => check === "forbidden_tools" && outcome === "fail"),
    deterministicPassed: allPassed(checks.filter((check) => check.judge === null)),
    judgePassed: allPassed(checks.filter((check) => check.judge !== null)),
    ...(notJudged.length === 0 ? {} : { notJudged }),
    ratings: checks.flatMap(({ judge }) =>
      judge === null || judge.votes.length === 0
        ? []
        : [{ rubric: judge.rubric, scores: judge.votes.map(({ score }) => score) }],
    ),
  };
}

/** Maximum length of an answer in comparisons and stored results, in UTF-16 units. */
const comparedAnswer = 4_000;

/** Returns the part of a run's answer that is compared. */
export function answerOf({ answer }: Pick<AgentRun, "answer">): string | null {
  return answer === null ? null : answer.slice(0, comparedAnswer);
}

/** Returns the names of the tools that a run used, in order; null if one is unknown. */
export function toolsUsed({ tools }: Pick<AgentRun, "tools">): readonly string[] | null {
  const names = tools.filter((call) => call.executed !== false).map((call) => call.name);
  return names.every((name) => name !== null) ? names : null;
}

/** Returns a verdict as an observation of the group `key`. */
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

/** Returns the sorted models as a group key; null if none is known. */
export function modelsKey(models: readonly string[]): string | null {
  return models.toSorted().join(" + ") || null;
}

/**
 * Returns the group of a verdict for `--group-by`: its query's id, its run's agent, its models (sorted,
 * joined by " + "), or any run attribute. Null if the run lacks the value.
 */
export function groupKey(verdict: Verdict, groupBy: string): string | null {
  if (groupBy === "query") return verdict.queryId;
  if (groupBy === "agent") return verdict.run.agent;
  if (groupBy === "model") return modelsKey(verdict.run.models);
  const value = verdict.run.attributes.get(groupBy);
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
