import type { JudgeRecord } from "../../../model/verdict.ts";
import { ask, type Answer } from "./ask.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { metricOfRubric, type Rubric } from "../prompt/rubric.ts";
import type { Reading } from "../reply/reading.ts";
import type { Scored } from "../reply/scored.ts";
import type { EvaluationSession } from "./session.ts";
import { type Panel, singlePanel } from "../settings.ts";
import { surenessOf } from "./sureness.ts";
import type { JsonValue } from "../../../model/json.ts";

export interface FirstOpinion {
  /** Panel that decides: the first model alone if it is sure, otherwise the judges of the rubric. */
  readonly panel: Panel;
  /** Reply of the first model, for the verdict; undefined without a reply. */
  readonly record: JudgeRecord["first"];
  /** Answer of the first model if it is sure; otherwise undefined. */
  readonly answer: Answer<Scored> | undefined;
}

/**
 * Asks the first model of a cascade (`judge_config.cascade.first`), if configured. The first model is ignored if its call fails, its reply
 * is unusable, or it is also one of the judges.
 */
export async function firstOpinion(
  session: EvaluationSession,
  rubric: Rubric,
  panel: Panel,
  prompt: Prompt,
  reader: (json: JsonValue) => Reading<Scored>,
  limit: number,
): Promise<FirstOpinion> {
  const { asking, judges, cascade } = session;
  const none: FirstOpinion = { panel, record: undefined, answer: undefined };
  if (cascade === null || panel.models.includes(cascade.first)) return none;
  if (asking.port.unavailable(cascade.first) !== null) return none;
  const { first, trust } = cascade;
  const answer = await ask(asking, first, 0, rubric.id, prompt, reader);
  if (!answer.ok) return none;
  const { score, label } = answer.value;
  const { isSure, why } = surenessOf(
    answer.value,
    limit,
    metricOfRubric(rubric) !== undefined,
    judges.calibration?.(rubric.id, first) ?? [],
    trust,
  );
  const record = { model: first, score, label, decided: isSure, why };
  if (!answer.cached) judges.onCascade?.({ first, usage: answer.usage, spared: isSure ? panel.models : [] });
  return isSure ? { panel: singlePanel(first), record, answer } : { panel, record, answer: undefined };
}
