import { readdirSync } from "node:fs";
import { threadUseOf } from "../../../bench/harness/process-use.ts";

const EVERY_MS = 25;

/**
 * For how long a process could not go on because other processes had the processors: its main thread did not run while one of its threads
 * was ready and waited. V8 collects garbage on several threads, and Node writes files on others, so the main thread waits for them too.
 */
export class Starvation {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  #sumMs = 0;
  #atMs = performance.now();
  #before = new Map<string, { readonly usedMs: number; readonly waitedMs: number }>();

  constructor(pid: number) {
    this.#pid = pid;
    this.#sample();
    this.#timer = setInterval(() => this.#sample(), EVERY_MS);
  }

  /** Milliseconds of `performance.now()` in which the process was not starved. */
  get unstarvedMs(): number {
    return performance.now() - this.#sumMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const nowMs = performance.now();
    const elapsedMs = nowMs - this.#atMs;
    this.#atMs = nowMs;
    const threads = new Map(threadsOf(this.#pid).map((thread) => [thread, threadUseOf(this.#pid, thread)]));
    const sinceBefore = (thread: string, what: "usedMs" | "waitedMs"): number => {
      const now = threads.get(thread)?.[what] ?? 0;
      return now - (this.#before.get(thread)?.[what] ?? now);
    };
    const longestMs = Math.max(0, ...[...threads.keys()].map((thread) => sinceBefore(thread, "waitedMs")));
    this.#sumMs += Math.max(0, Math.min(elapsedMs - sinceBefore(String(this.#pid), "usedMs"), longestMs));
    this.#before = threads;
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // the process has ended
  }
}
