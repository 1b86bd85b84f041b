import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";

/**
 * Time limit of each wait in the tests, in milliseconds. It is much longer than a busy machine needs; only a failing test waits this long.
 * `expect.poll` and Playwright have the same limit (vitest.config.ts, test/ui/browser.ts).
 */
export const LONGEST_WAIT_MS = 60_000;

/** Pause between two evaluations of a condition. It starts short and grows, because an evaluation costs time. */
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/**
 * Evaluates `holds` repeatedly, with pauses of 2 to 50 ms, and resolves when it returns true. Rejects after `LONGEST_WAIT_MS`.
 * @param what name of the condition in the error; a function is called when the time is over and can also report the progress
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string | (() => string) = String(holds),
): Promise<void> {
  const endMs = performance.now() + LONGEST_WAIT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; !(await holds()); pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    if (performance.now() > endMs)
      throw new Error(
        `condition not met within ${LONGEST_WAIT_MS / 1000} s: ${typeof what === "string" ? what : what()}`,
      );
    await pause(pauseMs);
  }
}

/** Runs the event loop until callbacks of promises, of finished I/O and of immediates that are due now have run. */
export async function eventLoopTurns(count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

/**
 * A delay that simulates something outside the tested code: a slow peer, a pause of a sender, the lifetime of a process that is killed. Do
 * not use it to wait for a result, because the time until the result depends on the machine; use `until`.
 */
export function simulatedDelay(ms: number): Promise<void> {
  return pause(ms);
}

/**
 * Calls `late` after the longest wait, unless the returned function is called before. For waits without a condition that can be evaluated.
 */
export function afterLongestWait(late: () => void): () => void {
  const timer = setTimeout(late, LONGEST_WAIT_MS);
  return () => clearTimeout(timer);
}

/** Repeats an action of a peer, for example a client that sends single bytes. Returns a function that stops it. */
export function repeating(everyMs: number, work: () => void): () => void {
  const timer = setInterval(work, everyMs);
  return () => clearInterval(timer);
}
