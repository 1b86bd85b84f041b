import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";

/**
 * Limit of every wait in the tests, in milliseconds: far longer than a busy machine takes, as only a condition that never holds takes all of
 * it. `expect.poll` and Playwright wait as long (vitest.config.ts, test/ui/browser.ts).
 */
export const LONGEST_WAIT_MS = 60_000;

/** Between two looks at a condition: short at first, longer for one that takes its time, as to look costs something. */
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/**
 * Resolves once `holds` returns true; it is called again and again, at most every few milliseconds. Rejects after `LONGEST_WAIT_MS`.
 * @param what names the condition in the error; a function is called then, and can tell how far it came
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string | (() => string) = String(holds),
): Promise<void> {
  const endMs = performance.now() + LONGEST_WAIT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; !(await holds()); pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    if (performance.now() > endMs)
      throw new Error(`not within ${LONGEST_WAIT_MS / 1000} s: ${typeof what === "string" ? what : what()}`);
    await pause(pauseMs);
  }
}

/** Lets the event loop do all that is due now: callbacks of promises, of finished I/O, and of immediates. */
export async function eventLoopTurns(count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

/**
 * Time that something outside the code under test takes: a slow peer, the pause of a sender, the life of a process that is killed. A test must
 * not await with it that something has happened: whether it has by then depends on the machine, and `until` is for that.
 */
export function simulatedDelay(ms: number): Promise<void> {
  return pause(ms);
}

/** Calls `late` when the longest wait is over, unless the function that is returned was called before: for waits without a condition to ask for. */
export function afterLongestWait(late: () => void): () => void {
  const timer = setTimeout(late, LONGEST_WAIT_MS);
  return () => clearTimeout(timer);
}

/** What a peer does again and again, such as a client that sends byte after byte. Returns a function that ends it. */
export function repeating(everyMs: number, work: () => void): () => void {
  const timer = setInterval(work, everyMs);
  return () => clearInterval(timer);
}
