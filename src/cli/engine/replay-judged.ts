import type { AgentRun } from "../../model/run.ts";
import type { JudgedRun, Pending } from "../../pipeline/judge-run.ts";
import { JudgingQueue } from "../../pipeline/judging-queue.ts";
import { replay, type Replayed, type ReplayOptions } from "./replay.ts";

export interface ReplayJudgedOptions extends Pick<ReplayOptions, "config" | "stdin" | "conversationIdleMs"> {
  readonly judge: (run: AgentRun) => JudgedRun | Pending;
  /** In no particular order where models are asked. */
  readonly onJudged: (judged: JudgedRun) => void;
}

/** Runs that may wait for judges before more is read. */
const MOST_OPEN = 256;

/** Replays dumps and judges every run in them. @throws whatever judging a run threw, after the rest is judged */
export async function replayJudged(
  dumps: readonly string[],
  { config, stdin, conversationIdleMs, judge, onJudged }: ReplayJudgedOptions,
): Promise<Replayed> {
  const faults: unknown[] = [];
  const queue = new JudgingQueue({ judge, onJudged, onError: (_, error) => faults.push(error) });
  const replayed = await replay(dumps, {
    config,
    stdin,
    conversationIdleMs,
    onRun: (run) => queue.submit(run),
    room: () => queue.fewer(MOST_OPEN),
  });
  await queue.fewer(0);
  if (faults.length > 0) throw faults[0];
  return replayed;
}
