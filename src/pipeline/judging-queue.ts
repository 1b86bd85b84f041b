import type { JudgeSkipPolicy } from "../evaluate/judge/without-judge.ts";
import type { AgentRun } from "../model/run.ts";
import { Multiset } from "../support/structures/multiset.ts";
import type { JudgedRun, Pending } from "./judge-run.ts";

export interface JudgingQueueOptions {
  readonly judge: (run: AgentRun) => JudgedRun | Pending;
  /** Publishes the verdicts of a run. Called at once for a run that needs no judge model, otherwise after the models have answered. */
  readonly onJudged: (judged: JudgedRun) => void;
  /** Reports a run that could not be judged because of an internal error. */
  readonly onError: (run: AgentRun, error: unknown) => void;
  /** Maximum number of runs that judge models evaluate at the same time. */
  readonly atOnce?: number;
  /**
   * Maximum number of runs that wait for judge models. Above this number, a new run is evaluated without judge models, and its verdicts
   * name this as the reason.
   */
  readonly mostWaiting?: number;
  /** Whether the waiting runs take so much memory that new runs must be evaluated without judge models. */
  readonly isFull?: () => boolean;
}

const AT_ONCE = 64;

const behind: JudgeSkipPolicy = {
  judge: "incomplete",
  why: "not judged: too many runs wait for judge models",
  remedy: "raise judge.concurrency and the rate limits of the judge models, or judge fewer runs (sampling)",
};

interface Task {
  readonly run: AgentRun;
  readonly ask: () => Promise<JudgedRun>;
}

/**
 * Passes runs to judge models in order of arrival, a limited number at the same time. A run that needs no judge model is delivered at once.
 * Exception: it waits while an earlier revision of the run waits or is being judged.
 */
export class JudgingQueue {
  readonly #options: JudgingQueueOptions;
  readonly #waiting = new Set<Task>();
  readonly #listeners = new Set<() => void>();
  /** Ids of the runs that wait for judge models or are being judged. An id occurs once for each revision. */
  readonly #openRunIds = new Multiset<string>();
  /** For each run id, a promise that resolves when the newest revision that is being judged was delivered. */
  readonly #open = new Map<string, Promise<void>>();
  #inFlight = 0;

  constructor(options: JudgingQueueOptions) {
    this.#options = options;
  }

  /** Number of runs that wait for judge models or are being judged. */
  get open(): number {
    return this.#waiting.size + this.#inFlight;
  }

  submit(run: AgentRun): void {
    const { judge, mostWaiting = Infinity, isFull } = this.#options;
    this.#deliver(run, () => {
      const found = judge(run);
      const { size } = this.#waiting;
      const isBehind = size >= mostWaiting || (size > 0 && isFull?.() === true);
      if ("ask" in found && !isBehind) {
        this.#enqueue({ run, ask: found.ask });
        return undefined;
      }
      const judged = "ask" in found ? found.giveUp(behind) : found;
      // An earlier revision of the run must be delivered before this one.
      if (!this.#openRunIds.has(run.runId)) return judged;
      this.#enqueue({ run, ask: () => Promise.resolve(judged) });
      return undefined;
    });
  }

  /** Resolves when at most `most` runs wait or are being judged. */
  async fewer(most: number): Promise<void> {
    while (this.open > most) await new Promise<void>((resolve) => this.#listeners.add(resolve));
  }

  #enqueue(task: Task): void {
    this.#waiting.add(task);
    this.#openRunIds.add(task.run.runId);
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
    this.#openRunIds.remove(runId);
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
