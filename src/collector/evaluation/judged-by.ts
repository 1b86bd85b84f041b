import type { Config } from "../../config/config.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import { openReferences } from "../../replay/baselines/references.ts";
import { type Judging, openJudging } from "../../replay/judging/judging.ts";
import type { JudgeCalls, JudgedBy } from "../settings/options.ts";

export interface OpenedJudgedBy {
  readonly by: JudgedBy;
  readonly warnings: readonly string[];
  /** Problems in rubric files; `warnings` contains them too. */
  readonly rubricProblems: readonly string[];
  /** Writes records that are not yet written to files, and stops running evaluations. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the judge models, project checks and baselines for the evaluation.
 * Rejects with `UserError` if a file cannot be used.
 */
export async function openJudgedBy(
  config: Config,
  specs: readonly CompiledSpec[],
  env: NodeJS.ProcessEnv,
): Promise<OpenedJudgedBy> {
  const judgeCalls: JudgeCalls = { tell: () => undefined };
  const judging: Judging = await openJudging({
    config,
    mode: undefined,
    specs,
    sampleEnsemble: null,
    env,
    observe: (call) => judgeCalls.tell(call),
  });
  const references = openReferences(specs, config);
  return {
    by: {
      specs,
      judgeSkipPolicy: judging.judgeSkipPolicy,
      userChecks: judging.userChecks,
      reference: references.reference,
      baselineDir: config.baselineDir,
      judgeCalls,
      judging: judging.asking && { asking: judging.asking, abort: judging.abort },
    },
    rubricProblems: judging.rubricProblems,
    warnings: [...judging.warnings(), ...references.problems],
    close: judging.close,
  };
}
