import type { JudgeRecord } from "../../../model/verdict.ts";
import { resolveRubric } from "../prompt/rubric.ts";
import { judgeRubric } from "./rubric-check.ts";
import type { EvaluationSession } from "../ask/session.ts";

const TEMPLATE = "output_quality@1";

export interface OutputQuality {
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
