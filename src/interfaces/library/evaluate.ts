import { createJudgeRun } from "../../pipeline/judge-run.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import { evaluateQuery } from "../../evaluate/evaluate.ts";
import { expectFailure } from "../../evaluate/result/expect-failure.ts";
import { toVerdict } from "../../evaluate/result/verdict.ts";
import { softening } from "../../evaluate/result/soften.ts";
import { today } from "../../replay/judging/today.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import { version } from "../../support/process/version.ts";
import { TracejuryError } from "./settings.ts";

export interface EvaluateOptions {
  /**
   * Id of the query to evaluate, even if the query does not match the run. By default, the query that matches
   * the run is evaluated.
   */
  readonly query?: string;
  /**
   * Outcome of checks that need a judge, which this function never calls. `off` (default): the checks are skipped. `incomplete`: they are
   * undecided.
   */
  readonly judge?: "off" | "incomplete";
}

/**
 * Evaluates one run by one spec, without judge models. Returns null if no query matches the run, or if several queries match it.
 * @throws TracejuryError if the spec has no query with the given id
 */
export function evaluate(run: AgentRun, spec: CompiledSpec, options: EvaluateOptions = {}): Verdict | null {
  const judgeSkipPolicy = { judge: options.judge ?? "off" } as const;
  if (options.query === undefined) {
    const judge = createJudgeRun({ specs: [spec], judgeSkipPolicy, engine: version, today });
    return judge(run).verdicts[0] ?? null;
  }
  const query = spec.queries.find(({ id }) => id === options.query);
  if (query === undefined) {
    const ids = spec.queries.map(({ id }) => id).join(", ");
    throw new TracejuryError(`${spec.file} has no query ${options.query}\nfix: name one of ${ids}`);
  }
  const { baseline } = spec;
  // `evaluate` reads no files. So if the spec names a baseline, the saved run counts as missing.
  const reference =
    baseline === undefined
      ? ({ missing: "not-asked", version: null } as const)
      : ({ missing: "no-file", version: baseline } as const);
  const soften = softening(query, spec.waivers, today());
  const evaluation = expectFailure(
    evaluateQuery(run, query, { reference, soften, ...judgeSkipPolicy }),
    query,
  );
  return toVerdict({
    run,
    spec,
    query,
    match: { how: "id", score: 1 },
    evaluation,
    revision: 1,
    engine: version,
  });
}
