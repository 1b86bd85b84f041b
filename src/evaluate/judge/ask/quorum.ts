import type { JsonValue } from "../../../model/json.ts";
import type { JudgeRecord } from "../../../model/verdict.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { Reading } from "../reply/reading.ts";
import { ask, type Asking } from "./ask.ts";
import { failedJudgement, type Judgement, unavailableJudgement } from "../reply/judged-result.ts";
import { type Bench, benchOf, failureOf, type Vote } from "./panel.ts";

/**
 * Returns the judges of a panel, or an `incomplete` judgement if fewer judges than the quorum can be called. Callers call this function
 * before the first judge, so that no judge is called in vain.
 */
export function quorateBench(
  { port }: Asking,
  models: readonly string[],
  wanted: number | undefined,
): Bench | Judgement {
  const bench = benchOf(port, models, wanted);
  return tooFewJudges(bench) ?? bench;
}

function tooFewJudges({ seats, absent, quorum }: Bench): Judgement | undefined {
  if (seats.length >= quorum && seats.length > 0) return undefined;
  const found = unavailableJudgement(absent.map((it) => it.why));
  if (seats.length === 0) return found;
  const all = seats.length + absent.length;
  const why = `${seats.length} of ${all} judges can be called, the quorum is ${quorum}`;
  return {
    ...found,
    message: `${found.message} (${why})`,
    remedy: `${found.remedy === undefined ? "" : `${found.remedy}; or `}lower judge_config.ensemble.quorum`,
  };
}

/**
 * Returns an `error` judgement if fewer judges than the quorum replied; otherwise undefined.
 * @param judge record with the replies that arrived
 */
export function tooFewReplies(
  rubric: string,
  { seats, absent, quorum }: Bench,
  votes: readonly Vote<unknown>[],
  judge: JudgeRecord,
): Judgement | undefined {
  // A judge that votes several times counts once: with n judges, the votes i, i + n, … come from one judge.
  const replied = new Set(votes.flatMap(({ answer }, at) => (answer.ok ? [at % seats.length] : []))).size;
  if (replied >= quorum && replied > 0) return undefined;
  const { errorType, message } = failureOf(votes);
  const counted = `${replied} of ${seats.length + absent.length} judges replied, the quorum is ${quorum}; `;
  const failed = failedJudgement(
    errorType,
    `${rubric} could not be judged: ${replied === 0 ? "" : counted}${message}`,
    { ...judge, score: null, label: null },
  );
  if (replied === 0) return failed;
  return { ...failed, remedy: `${failed.remedy ?? ""}; or lower judge_config.ensemble.quorum` };
}

/** Asks the judges one after the other until one gives a usable reply. Returns an `error` judgement if none does. */
export async function firstReply<T>(
  asking: Asking,
  { seats }: Bench,
  rubric: string,
  prompt: Prompt,
  reader: (json: JsonValue) => Reading<T>,
): Promise<{ readonly reply: T } | Judgement> {
  const failures: Vote<T>[] = [];
  for (const { model, sample } of seats) {
    const answer = await ask(asking, model, sample, rubric, prompt, reader);
    if (answer.ok) return { reply: answer.value };
    failures.push({ model, answer });
  }
  const { errorType, message } = failureOf(failures);
  return failedJudgement(errorType, `${rubric} could not be judged: ${message}`);
}
