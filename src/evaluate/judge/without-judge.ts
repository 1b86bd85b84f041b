import { judgesAreOff } from "../../model/not-judged.ts";
import type { JsonValue } from "../../model/json.ts";
import type { CheckResult } from "../../model/verdict.ts";
import type { BoundCheck } from "../query/compiled.ts";
import type { Assessment } from "../assess/assess.ts";
import { failedWithoutAnswer } from "../rules/failed-run.ts";
import { judgedResult, type Judgement } from "./reply/judged-result.ts";
import type { RubricLimit } from "./prompt/limits.ts";
import { hasCriteria } from "./prompt/rubric.ts";
import { remedyFor } from "../result/remedies.ts";

/**
 * Outcome of judge checks when no judge is called: "off" gives `skip` (judges are disabled), "incomplete" gives `incomplete` (no judge is
 * available).
 */
export interface JudgeSkipPolicy {
  readonly judge: "off" | "incomplete";
  /** How the user can make a judge available, such as by setting a variable. */
  readonly remedy?: string | undefined;
  /** Reason why no judge is called. If absent, the reason is that no judge is configured. */
  readonly why?: string | undefined;
}

const SET_A_KEY =
  "Set the judge's key (ANTHROPIC_API_KEY, OPENAI_API_KEY or the provider's own `key_env`), or skip judge checks with --judge off.";

/** Returns the results of judge checks when no judge is called: one `skip` or `incomplete` for each rubric. */
export function withoutJudge(
  assessment: Assessment,
  judgeSkipPolicy: JudgeSkipPolicy,
): readonly CheckResult[] {
  const found = skippedJudgement(assessment, judgeSkipPolicy);
  return assessment.judged.flatMap((bound) =>
    questionsOf(bound).map((limit, at) =>
      judgedResult(
        { ...bound, source: bound.itemSources[at] ?? bound.source },
        { ...(isImplRate(bound, limit) ? { metric: "impl_rate" } : {}), ...found, limit },
      ),
    ),
  );
}

function isImplRate({ check }: BoundCheck, limit: JsonValue): boolean {
  return check.key === "llm_judge" && hasCriteria(limit as RubricLimit);
}

/** Returns the rubrics of a check; empty if the limit is `false`. */
function questionsOf({ limit }: BoundCheck): readonly JsonValue[] {
  if (Array.isArray(limit)) return limit as readonly JsonValue[];
  return limit === false ? [] : [limit as JsonValue];
}

function skippedJudgement(
  { run, failed, contexts }: Assessment,
  { judge, remedy, why }: JudgeSkipPolicy,
): Judgement {
  if (judge === "off") return { outcome: "skip", message: judgesAreOff };
  if (failed) return { outcome: "skip", message: "not judged: an earlier check failed" };
  const isExcused = contexts.correctness.isFailureAccepted !== true;
  if (run.answer === null && run.status === "error" && isExcused)
    return { outcome: "skip", message: `not judged: ${failedWithoutAnswer}` };
  if (run.answer === null) {
    const message = "not judged: the answer was not captured";
    return { outcome: "incomplete", message, missing: ["answer"], remedy: remedyFor("answer", run) };
  }
  const message = why ?? "not judged: no judge is configured";
  return { outcome: "incomplete", message, missing: ["judge"], remedy: remedy ?? SET_A_KEY };
}
