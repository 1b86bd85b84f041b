import type { AgentRun } from "../model/run.ts";
import { checksOf } from "../model/outcome.ts";
import type { CheckResult, JudgeRecord } from "../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "./query/compiled.ts";
import type { Assessment } from "./assess/assess.ts";
import {
  type AssessOptions,
  assessRun,
  ofTurn,
  type TurnAssessment,
} from "./conversation/assess-conversation.ts";
import { conclude, concludeWithoutJudges, type Evaluation, type Rating } from "./evaluate.ts";
import { type EvaluationSession, type Judges, sessionOf, type SpecJudging } from "./judge/ask/session.ts";
import { judgeQuery } from "./judge/ask/stages.ts";
import { needsQuality } from "./quantities/score.ts";
import type { UserCheckPort } from "./checks/user/user-check-port.ts";
import { withoutCutValues } from "./rules/cut-values.ts";
import { notRun, runUserChecks } from "./checks/user/user-check-results.ts";
import { softened } from "./result/soften.ts";
import type { JudgeSkipPolicy } from "./judge/without-judge.ts";
import { resolveRubric } from "./judge/prompt/rubric.ts";
import { judgeRubric } from "./judge/checks/rubric-check.ts";

const TEMPLATE = "output_quality@1";

export interface JudgedEvaluateOptions extends AssessOptions {
  /** Judge models. If undefined, no judge is called, and `judgeSkipPolicy` decides the outcome of judge checks. */
  readonly judges: Judges | undefined;
  readonly judgeSkipPolicy: JudgeSkipPolicy;
  /** Runs user checks (commands or modules of the project). If absent, user checks are skipped. */
  readonly userChecks?: UserCheckPort | undefined;
  readonly spec: SpecJudging;
  readonly compiled: CompiledSpec;
  readonly signal?: AbortSignal;
}

/**
 * Evaluates one run against one query: deterministic checks, then the project's own checks (`checks:`), then judge checks in
 * stages. A failed check skips the later judge stages. The promise does not reject if a judge fails.
 */
export async function evaluateWithJudges(
  given: AgentRun,
  query: CompiledQuery,
  options: JudgedEvaluateOptions,
): Promise<Evaluation> {
  const assessed = assessRun(withoutCutValues(given), query, options);
  const { whole, turns } = assessed;
  const own = softened(await askUserChecks(whole, query, options), options.soften);
  const { judges } = options;
  if (judges === undefined) return concludeWithoutJudges(assessed, own, options.judgeSkipPolicy);
  const before = [...checksOf(whole), ...own];
  const judged = await askAbout(whole.run, query, before, judges, options);
  const ofTurns = await Promise.all(
    turns.map((turn) => askAboutTurn(turn, [...before, ...judged], judges, options)),
  );
  const all = [...own, ...judged, ...ofTurns.flat()];
  const failed = whole.failed || all.some(({ outcome }) => outcome === "fail");
  const rating = await rate(whole, failed, judges, options);
  return conclude(whole, all, rating);
}

async function askUserChecks(
  assessment: Assessment,
  query: CompiledQuery,
  { userChecks, compiled }: JudgedEvaluateOptions,
): Promise<readonly CheckResult[]> {
  if (assessment.user.length === 0) return [];
  if (userChecks === undefined) return notRun(assessment);
  return runUserChecks(assessment, userChecks, assessment.run, query, compiled);
}

/**
 * Calls the judge for the output quality in `scoring.min_score`. Returns undefined if the score does not need the quality, a check failed,
 * the run is incomplete, or the judge gave no usable reply.
 */
async function rate(
  { run, scoring }: Assessment,
  failed: boolean,
  judges: Judges,
  { spec, signal }: JudgedEvaluateOptions,
): Promise<Rating | undefined> {
  if (scoring === undefined || !needsQuality(scoring) || failed || !run.complete) return undefined;
  try {
    const { value, judge } = await judgeOutputQuality(sessionOf(run, judges, spec, signal));
    return value === null ? undefined : { quality: value, judge };
  } catch {
    return undefined;
  }
}

async function askAboutTurn(
  { turn, run, query }: TurnAssessment,
  before: readonly CheckResult[],
  judges: Judges,
  options: JudgedEvaluateOptions,
): Promise<readonly CheckResult[]> {
  const judged = await askAbout(run, query, before, judges, options);
  return judged.map((result) => ofTurn(turn, result));
}

function askAbout(
  run: AgentRun,
  query: CompiledQuery,
  deterministic: readonly CheckResult[],
  judges: Judges,
  { spec, signal, soften }: JudgedEvaluateOptions,
): Promise<readonly CheckResult[]> {
  return judgeQuery({
    run,
    query,
    deterministic,
    judges,
    spec,
    soften,
    ...(signal === undefined ? {} : { signal }),
  });
}

interface OutputQuality {
  /** Quality from 0 to 100; null if no judge gave a usable score. */
  readonly value: number | null;
  /** Why there is no value, or how the value was derived. */
  readonly message: string;
  readonly judge: JudgeRecord | null;
}

/** Judges EvalView's output quality, from 0 to 100: four criteria of equal weight. */
export async function judgeOutputQuality(session: EvaluationSession): Promise<OutputQuality> {
  const resolved = resolveRubric(TEMPLATE, session.judges.rubrics);
  if ("problem" in resolved) return { value: null, message: resolved.problem, judge: null };
  const { outcome, value, message, judge = null } = await judgeRubric(session, resolved.rubric);
  const known = (outcome === "pass" || outcome === "violated") && typeof value === "number";
  return { value: known ? value * 100 : null, message, judge };
}
