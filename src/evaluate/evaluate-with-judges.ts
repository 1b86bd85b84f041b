import type { AgentRun } from "../model/run.ts";
import type { CheckResult, JudgeRecord } from "../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "./query/compiled.ts";
import { assess, type Assessment } from "./assess/assess.ts";
import type { NoReference, Reference } from "./checks/check.ts";
import {
  assessConversation,
  type TurnAssessment,
  turnsWithoutJudge,
} from "./conversation/assess-conversation.ts";
import { ofTurn } from "./conversation/of-turn.ts";
import { conclude, type Evaluation, type Rating } from "./evaluate.ts";
import { type EvaluationSession, type Judges, sessionOf, type SpecJudging } from "./judge/ask/session.ts";
import { judgeQuery } from "./judge/ask/stages.ts";
import { needsQuality } from "./quantities/score.ts";
import type { UserCheckPort } from "./checks/user/user-check-port.ts";
import { withoutCutValues } from "./rules/cut-values.ts";
import { notRun, runUserChecks } from "./checks/user/user-check-results.ts";
import { type Soften, softened } from "./result/soften.ts";
import { type JudgeSkipPolicy, withoutJudge } from "./judge/without-judge.ts";
import { resolveRubric } from "./judge/prompt/rubric.ts";
import { judgeRubric } from "./judge/checks/rubric-check.ts";

const TEMPLATE = "output_quality@1";

export interface JudgedEvaluateOptions {
  readonly reference: Reference | NoReference;
  /** Judge models. If undefined, no judge is called, and `judgeSkipPolicy` decides the outcome of judge checks. */
  readonly judges: Judges | undefined;
  readonly judgeSkipPolicy: JudgeSkipPolicy;
  /** Runs user checks (commands or modules of the project). If absent, user checks are skipped. */
  readonly userChecks?: UserCheckPort | undefined;
  readonly spec: SpecJudging;
  readonly compiled: CompiledSpec;
  readonly signal?: AbortSignal;
  /** For a conversation: one run for each turn of the query, in order; null for a turn without a run. */
  readonly turnRuns?: readonly (AgentRun | null)[];
  /** Changes failures that `expected_fail` or a waiver allows to warnings, also those of judges. */
  readonly soften?: Soften | undefined;
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
  const run = withoutCutValues(given);
  const { reference, turnRuns, soften } = options;
  const conversed = turnRuns !== undefined && query.turns.length > 0;
  const { whole, turns } = conversed
    ? assessConversation(run, query, reference, turnRuns, soften)
    : { whole: assess(run, query, reference, soften), turns: [] };
  const own = softened(await askUserChecks(whole, query, options), soften);
  const before = [...deterministicOf(whole), ...own];
  const failed = whole.failed || own.some(({ outcome }) => outcome === "fail");
  const { judges } = options;
  if (judges === undefined) {
    const state = { ...whole, failed };
    const judged = [
      ...withoutJudge(state, options.judgeSkipPolicy),
      ...turnsWithoutJudge(turns, state, options.judgeSkipPolicy),
    ];
    const rating: Rating | undefined =
      options.judgeSkipPolicy.judge === "off" ? { quality: "off", judge: null } : undefined;
    return conclude(whole, [...own, ...judged], rating);
  }
  const judged = await askAbout(run, query, before, judges, options);
  const ofTurns = await Promise.all(
    turns.map((turn) => askAboutTurn(turn, [...before, ...judged], judges, options)),
  );
  const all = [...own, ...judged, ...ofTurns.flat()];
  const rating = await rate(whole, failed || all.some(({ outcome }) => outcome === "fail"), judges, options);
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

function deterministicOf({ layers }: Assessment): readonly CheckResult[] {
  return [...layers.correctness.checks, ...layers.path.checks, ...layers.cost.checks];
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
