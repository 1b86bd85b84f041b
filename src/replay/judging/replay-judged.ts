import type { AgentRun } from "../../model/run.ts";
import type { JudgedRun, Pending } from "../../pipeline/judge-run.ts";
import { JudgingQueue } from "../../pipeline/judging-queue.ts";
import type { Config } from "../../config/config.ts";
import { openRedactor, redactJudged } from "./redaction.ts";
import type { InvalidInput } from "../../report/render/json/result.ts";
import { runFault } from "../../pipeline/faults/faulty-run.ts";
import { invalidBy, replay, type Replayed, type ReplayOptions } from "../replay.ts";

export interface ReplayJudgedOptions extends Pick<
  ReplayOptions,
  "stdin" | "env" | "conversationIdleMs" | "terminal" | "longBytes"
> {
  readonly config: ReplayOptions["config"] & Pick<Config, "redact">;
  readonly judge: (run: AgentRun) => JudgedRun | Pending;
  /** Receives each judged run. The order is arbitrary if judge models or the project's checks are called. */
  readonly onJudged: (judged: JudgedRun) => void;
  /** Source of runs that replaces the dumps. */
  readonly source?: RunSource | undefined;
  /** Selects the runs to judge. Default: all. */
  readonly wanted?: ((run: AgentRun) => boolean) | undefined;
}

/**
 * Calls `onRun` with each run, and awaits `room` before the next run. `judged` resolves when all runs that were passed to `onRun` are
 * judged.
 */
export type RunSource = (
  onRun: (run: AgentRun) => void,
  room: () => Promise<void>,
  judged: () => Promise<void>,
) => Promise<Replayed>;

/** Reading the dumps pauses while more than this number of runs wait for judge models or are being judged. */
const MOST_OPEN = 256;

/** Replays dumps and judges all runs. A run whose judging throws is reported as invalid input; other runs are still judged. */
export async function replayJudged(
  dumps: readonly string[],
  {
    config,
    stdin,
    env,
    terminal,
    conversationIdleMs,
    longBytes,
    judge,
    onJudged,
    source,
    wanted,
  }: ReplayJudgedOptions,
): Promise<Replayed> {
  const faults: InvalidInput[] = [];
  const redactor = openRedactor(config.redact);
  const seen = (judged: JudgedRun): void => {
    for (const fault of judged.faults ?? []) faults.push(invalidBy(fault));
    onJudged(redactJudged(judged, redactor));
  };
  const onError = (run: AgentRun, error: unknown): void => {
    faults.push(invalidBy(runFault("judge", error, run)));
  };
  const queue = new JudgingQueue({ judge, onJudged: seen, onError });
  const onRun = (run: AgentRun): void => {
    if (wanted === undefined || wanted(run)) queue.submit(run);
  };
  const room = (): Promise<void> => queue.fewer(MOST_OPEN);
  const replayed =
    source === undefined
      ? await replay(dumps, { config, stdin, env, terminal, conversationIdleMs, longBytes, onRun, room })
      : await source(onRun, room, () => queue.fewer(0));
  await queue.fewer(0);
  return faults.length === 0 ? replayed : { ...replayed, invalid: [...replayed.invalid, ...faults] };
}
