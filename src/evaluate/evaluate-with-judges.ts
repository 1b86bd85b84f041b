import type { AgentRun } from "../model/run.ts";
import type { CompiledQuery } from "../spec/compiled.ts";
import type { NoReference, Reference } from "./check.ts";
import { assess, conclude, type Evaluation } from "./evaluate.ts";
import type { Judges, SpecJudging } from "./judge/session.ts";
import { judgeQuery } from "./judge/stages.ts";

export interface JudgedEvaluateOptions {
  readonly reference: Reference | NoReference;
  readonly judges: Judges;
  readonly spec: SpecJudging;
  readonly signal?: AbortSignal;
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
  const { reference, judges, spec, signal } = options;
  const assessment = assess(run, query, reference);
  if (assessment.judged.length === 0) return conclude(assessment, []);
  const { correctness, path, cost } = assessment.results;
  const judged = await judgeQuery({
    run,
    query,
    deterministic: [...correctness, ...path, ...cost],
    judges,
    spec,
    ...(signal === undefined ? {} : { signal }),
  });
  return conclude(assessment, judged);
}
