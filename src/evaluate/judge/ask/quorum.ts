import type { JudgeRecord } from "../../../model/verdict.ts";
import { failedJudgement, type Judgement, unavailableJudgement } from "../reply/judged-result.ts";
import { type Bench, failureOf, type Vote } from "./panel.ts";

/** Replies that a panel needs: the written number, at most all; by default more than half. */
export function quorumOf(written: number | undefined, judges: number): number {
  return Math.min(written ?? Math.floor(judges / 2) + 1, judges);
}

/** `incomplete` where so few judges have a key that the quorum is out of reach, so that none is called in vain; else undefined. */
export function tooFewJudges({ seats, absent }: Bench, quorum: number): Judgement | undefined {
  if (seats.length >= quorum && seats.length > 0) return undefined;
  const found = unavailableJudgement(absent.map((it) => it.why));
  if (seats.length === 0) return found;
  const all = seats.length + absent.length;
  const why = `${seats.length} of ${all} judges can be called, the quorum is ${quorum}`;
  return {
    ...found,
    message: `${found.message} (${why})`,
    remedy: `${found.remedy ?? ""}; or lower judge_config.ensemble.quorum`,
  };
}

/** `error` where calls failed and too few judges replied; else undefined. `judge` is what the others replied. */
export function tooFewReplies(
  rubric: string,
  { seats, absent }: Bench,
  quorum: number,
  votes: readonly Vote<unknown>[],
  judge: JudgeRecord,
): Judgement | undefined {
  // Votes beyond the first round are of the same seats in the same order: a judge called again is no further judge.
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
