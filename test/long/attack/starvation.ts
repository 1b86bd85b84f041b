import { readdirSync } from "node:fs";
import { threadUseOf } from "../../../bench/harness/process-use.ts";

const EVERY_MS = 25;

/**
 * Measures how long a process cannot run because other processes use the processors. It counts the time in which its main thread does not
 * run while one of its threads is ready to run. Other threads count because the main thread waits for V8's garbage collection and for
 * files.
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

  /** Time of `performance.now()` without the time in which the process was starved, in milliseconds. */
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
