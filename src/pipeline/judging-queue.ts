import type { JudgeSkipPolicy } from "../evaluate/judge/without-judge.ts";
import type { AgentRun } from "../model/run.ts";
import type { JudgedRun, Pending } from "./judge-run.ts";

export interface JudgingQueueOptions {
  readonly judge: (run: AgentRun) => JudgedRun | Pending;
  /** Gets each run's verdicts: at once where no judge has to be asked, else when the judges have answered. */
  readonly onJudged: (judged: JudgedRun) => void;
  /** A run that could not be judged for a fault of ours. */
  readonly onError: (run: AgentRun, error: unknown) => void;
  /** Runs before the judges at one time. */
  readonly atOnce?: number;
  /** Most runs that wait; one more is judged without judges, and its verdict says so. */
  readonly mostWaiting?: number;
}

const AT_ONCE = 64;

const behind: JudgeSkipPolicy = {
  judge: "incomplete",
  why: "not judged: more runs wait for judges than may wait",
  remedy: "raise judge.concurrency and the rate limits, or judge fewer runs",
};

interface Task {
  readonly run: AgentRun;
  readonly ask: () => Promise<JudgedRun>;
}

/**
 * Puts runs before their judges in the order they come, a bounded number at a time. Runs without judge checks pass without waiting, but
 * two revisions of one run keep their order.
 */
export class JudgingQueue {
  readonly #options: JudgingQueueOptions;
  readonly #waiting = new Set<Task>();
  readonly #listeners = new Set<() => void>();
  /** By run id, when the newest revision that is open will have been delivered. */
  readonly #open = new Map<string, Promise<void>>();
  #inFlight = 0;

  constructor(options: JudgingQueueOptions) {
    this.#options = options;
  }

  /** Runs not delivered yet. */
  get open(): number {
    return this.#waiting.size + this.#inFlight;
  }

  submit(run: AgentRun): void {
    const { judge, mostWaiting = Infinity } = this.#options;
    this.#deliver(run, () => {
      const found = judge(run);
      if ("verdicts" in found) {
        if (!this.#open.has(run.runId)) return found;
        this.#enqueue({ run, ask: () => Promise.resolve(found) });
      } else {
        if (this.#waiting.size >= mostWaiting) return found.giveUp(behind);
        this.#enqueue({ run, ask: found.ask });
      }
      return undefined;
    });
  }

  /** Settles when no more than `most` runs are open. */
  async fewer(most: number): Promise<void> {
    while (this.open > most) await new Promise<void>((resolve) => this.#listeners.add(resolve));
  }

  #enqueue(task: Task): void {
    this.#waiting.add(task);
    this.#startNext();
  }

  #startNext(): void {
    const { atOnce = AT_ONCE } = this.#options;
    for (const task of this.#waiting) {
      if (this.#inFlight >= atOnce) return;
      this.#waiting.delete(task);
      this.#inFlight++;
      const earlier = this.#open.get(task.run.runId) ?? Promise.resolve();
      const done: Promise<void> = this.#run(task, earlier).then(() => this.#finished(task.run.runId, done));
      this.#open.set(task.run.runId, done);
    }
  }

  async #run({ run, ask }: Task, earlier: Promise<void>): Promise<void> {
    try {
      const judged = await ask();
      await earlier;
      this.#deliver(run, () => judged);
    } catch (error) {
      this.#options.onError(run, error);
    }
  }

  #finished(runId: string, done: Promise<void>): void {
    this.#inFlight--;
    if (this.#open.get(runId) === done) this.#open.delete(runId);
    this.#startNext();
    for (const resolve of this.#listeners) resolve();
    this.#listeners.clear();
  }

  #deliver(run: AgentRun, judged: () => JudgedRun | undefined): void {
    try {
      const done = judged();
      if (done !== undefined) this.#options.onJudged(done);
    } catch (error) {
      this.#options.onError(run, error);
    }
  }
}
