import type { JudgingQueue } from "../../pipeline/judging-queue.ts";

/** Waits for judges as long as there is time; after that their questions are ended, and the verdicts say so. */
export async function waitForJudges(
  queue: JudgingQueue,
  timeoutMs: number,
  abort: () => void,
): Promise<void> {
  const timer = setTimeout(abort, timeoutMs);
  await queue.fewer(0);
  clearTimeout(timer);
}
