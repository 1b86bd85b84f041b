import type { Layer } from "../model/outcome.ts";
import type { AgentRun } from "../model/run.ts";
import type { CheckResult } from "../model/verdict.ts";
import type { BoundCheck, CompiledQuery } from "../spec/compiled.ts";
import type { Assessment } from "./assessment.ts";
import type { CheckContext, NoReference, Reference } from "./check.ts";
import { RunQuantities } from "./run-quantities.ts";
import { minScoreKey } from "./score/score.ts";
import { askCheck } from "./settle.ts";

/** Asks every deterministic check of the query; those of judges and of the project's own are left to be asked. */
export function assess(run: AgentRun, query: CompiledQuery, reference: Reference | NoReference): Assessment {
  const metrics = new RunQuantities(run);
  const { preset } = query;
  const contextOf = (layer: Layer): CheckContext => ({
    run,
    metrics,
    settings: query.settings[layer],
    reference,
    preset,
  });
  const contexts = {
    correctness: contextOf("correctness"),
    path: contextOf("path"),
    cost: contextOf("cost"),
  };
  const results = { correctness: [] as CheckResult[], path: [] as CheckResult[], cost: [] as CheckResult[] };
  const judged: BoundCheck[] = [];
  const user: BoundCheck[] = [];
  let score: BoundCheck | undefined;
  let failed = false;
  let hard = false;
  for (const bound of query.checks) {
    const { check } = bound;
    if (check.qualifier === true) continue;
    if (check.judged === true) {
      judged.push(bound);
      continue;
    }
    if (check.user !== undefined) {
      user.push(bound);
      continue;
    }
    if (check.key === minScoreKey) score = bound;
    const result = askCheck(bound, contexts[check.layer]);
    results[check.layer].push(result);
    if (result.outcome !== "fail") continue;
    failed = true;
    hard ||= check.hard === true;
  }
  return { run, contexts, results, judged, user, score, scoring: query.scoring, failed, hard };
}
