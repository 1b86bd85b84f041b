import type { AgentRun } from "../model/run.ts";
import type { CheckResult } from "../model/verdict.ts";
import type { CompiledQuery } from "../spec/compiled.ts";
import { assess } from "./assess.ts";
import type { Assessment } from "./assessment.ts";
import type { NoReference, Reference } from "./check.ts";
import { assessConversation, type TurnAssessment } from "./conversation/assess-conversation.ts";
import { ofTurn } from "./conversation/of-turn.ts";
import { conclude, type Evaluation } from "./evaluate.ts";
import type { Judges, SpecJudging } from "./judge/session.ts";
import { judgeQuery } from "./judge/stages.ts";

export interface JudgedEvaluateOptions {
  readonly reference: Reference | NoReference;
  readonly judges: Judges;
  readonly spec: SpecJudging;
  readonly signal?: AbortSignal;
  /** Of a conversation, the run that answers each turn of the query; null where nobody asked it. */
  readonly turnRuns?: readonly (AgentRun | null)[];
}

/**
 * Evaluates one run against one query, judges included: the deterministic checks, then the judge stages, which ask nobody once a
 * check has failed. Never rejects. Without judge checks nothing is awaited.
 */
export async function evaluateWithJudges(
  run: AgentRun,
  query: CompiledQuery,
  options: JudgedEvaluateOptions,
): Promise<Evaluation> {
  const { reference, turnRuns } = options;
  if (turnRuns !== undefined && query.turns.length > 0) {
    const { whole, turns } = assessConversation(run, query, reference, turnRuns);
    const judged = await askAbout(run, query, deterministicOf(whole), options);
    const before = [...deterministicOf(whole), ...judged];
    const ofTurns = await Promise.all(turns.map((turn) => askAboutTurn(turn, before, options)));
    return conclude(whole, [...judged, ...ofTurns.flat()]);
  }
  const assessment = assess(run, query, reference);
  if (assessment.judged.length === 0) return conclude(assessment, []);
  return conclude(assessment, await askAbout(run, query, deterministicOf(assessment), options));
}

function deterministicOf({ results }: Assessment): readonly CheckResult[] {
  return [...results.correctness, ...results.path, ...results.cost];
}

async function askAboutTurn(
  { turn, run, query }: TurnAssessment,
  before: readonly CheckResult[],
  options: JudgedEvaluateOptions,
): Promise<readonly CheckResult[]> {
  const judged = await askAbout(run, query, before, options);
  return judged.map((result) => ofTurn(turn, result));
}

function askAbout(
  run: AgentRun,
  query: CompiledQuery,
  deterministic: readonly CheckResult[],
  { judges, spec, signal }: JudgedEvaluateOptions,
): Promise<readonly CheckResult[]> {
  return judgeQuery({ run, query, deterministic, judges, spec, ...(signal === undefined ? {} : { signal }) });
}
