import { type NotJudged, NotJudgedCounts } from "../../model/not-judged.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { GateUnit } from "./groups/reliability.ts";
import type { AgentRun } from "../../model/run.ts";

/** A judged run as input of the statistics. */
export interface Observation {
  readonly key: string;
  /**
   * Query of the run; null if unknown, absent if all runs have the same query. Runs are compared only with
   * runs of the same query.
   */
  readonly query?: string | null;
  /** Gate unit of the run; absent if the query has no reliability gate. */
  readonly gate?: GateUnit | undefined;
  /** Id of the run. Required if the run may be in several groups. */
  readonly runId?: string;
  readonly outcome: Outcome;
  /** Metrics by name. Unknown metrics are null. */
  readonly metrics: ReadonlyMap<string, number | null>;
  /** Answer of the run; null or absent if unknown. */
  readonly answer?: string | null;
  /** Names of the used tools in order; null or absent if unknown. */
  readonly tools?: readonly string[] | null;
  /** Whether all checks without a judge passed; null if all checks need a judge, absent if unknown. */
  readonly deterministicPassed?: boolean | null;
  /** Whether every judge passed the run; null if no judge answered, absent if unknown. */
  readonly judgePassed?: boolean | null;
  /**
   * Whether the run called a forbidden tool. A run that called a forbidden tool fails even if a reliability
   * gate tolerates failures.
   */
  readonly usedForbiddenTool?: boolean;
  /** Checks that options left out; absent if unknown. */
  readonly notJudged?: readonly NotJudged[];
  /** Scores that judges gave the run, for each rubric. */
  readonly ratings?: readonly JudgeRatings[];
}

/** Outcome in three classes. `passed` includes warnings. */
export type Side = "passed" | "failed" | "undecided";

export function sideOf(outcome: Outcome): Side {
  if (outcome === "pass" || outcome === "warn") return "passed";
  return outcome === "fail" ? "failed" : "undecided";
}

/**
 * Returns the outcome before `expected_fail` was applied. An expected failure becomes `fail`, an unexpected
 * pass becomes `pass`.
 */
export function ownOutcome(outcome: Outcome, expectedFail: boolean): Outcome {
  if (!expectedFail) return outcome;
  return outcome === "warn" ? "fail" : outcome === "fail" ? "pass" : outcome;
}

/** Scores of one run by the judges of one rubric; null for a judge without a score. */
export interface JudgeRatings {
  readonly rubric: string;
  readonly scores: readonly (number | null)[];
}

interface Checked {
  readonly check: string;
  readonly outcome: Outcome;
  readonly message: string;
  /** The judge of the check; null if no judge is needed for the check. */
  readonly judge: {
    readonly rubric: string;
    readonly votes: readonly { readonly score: number | null }[];
  } | null;
}

/** Returns whether all decided checks passed. Returns null if no check is decided. */
function allPassed(checks: readonly Checked[]): boolean | null {
  const sides = checks.map((check) => sideOf(check.outcome)).filter((side) => side !== "undecided");
  return sides.length === 0 ? null : sides.every((side) => side === "passed");
}

/** Returns the combined result of the checks without a judge, the combined result of the judges, and the judges' scores. */
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

/** Number of UTF-16 units of an answer that are compared and stored. */
const comparedAnswer = 4_000;

/** Returns the beginning of the answer, for comparisons; null if the answer is unknown. */
export function answerOf({ answer }: Pick<AgentRun, "answer">): string | null {
  return answer === null ? null : answer.slice(0, comparedAnswer);
}

/** Returns the names of the executed tools in order; null if one of the names is unknown. */
export function toolsUsed({ tools }: Pick<AgentRun, "tools">): readonly string[] | null {
  const names = tools.filter((call) => call.executed !== false).map((call) => call.name);
  return names.every((name) => name !== null) ? names : null;
}

/** Returns the models, sorted and joined to one text; null if no model is known. */
export function modelsKey(models: readonly string[]): string | null {
  return models.toSorted().join(" + ") || null;
}
