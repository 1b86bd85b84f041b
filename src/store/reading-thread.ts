import { Worker } from "node:worker_threads";
import type { Reads } from "./reader.ts";

/** What the thread is asked, and what it answers. */
export interface ReadQuestion {
  readonly id: number;
  readonly name: keyof Reads;
  readonly values: readonly unknown[];
}
export type ReadAnswer =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string };

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  readonly question: ReadQuestion;
}

/**
 * Reads a store's file in a thread of its own, over a connection of its own, so that a large question holds up nothing here. It is started by
 * the first question.
 */
export class ReadingThread {
  readonly #path: string;
  /** Asked where the thread cannot be had. */
  readonly #here: Reads;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #isBroken = false;
  #next = 1;

  constructor(path: string, here: Reads) {
    this.#path = path;
    this.#here = here;
  }

  ask<Name extends keyof Reads>(
    name: Name,
    ...values: Parameters<Reads[Name]>
  ): Promise<ReturnType<Reads[Name]>> {
    return new Promise((resolve, reject) => {
      const question = { id: this.#next++, name, values };
      const waiting = { resolve, reject, question };
      if (this.#isBroken) return this.#answerHere(waiting);
      this.#waiting.set(question.id, waiting);
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage(question, []);
    });
  }

  /** Questions are answered in the thread, and not here for want of one. */
  get isWorking(): boolean {
    return !this.#isBroken;
  }

  close(): void {
    this.#isBroken = true;
    const worker = this.#worker;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(new Error("the store is closed"));
    this.#waiting.clear();
    void worker?.terminate();
  }

  #start(): Worker {
    const [extension] = /\.\w+$/.exec(import.meta.url) ?? [];
    const worker = new Worker(new URL(`reading-worker${extension}`, import.meta.url), {
      workerData: this.#path,
    });
    worker.on("message", (answer: ReadAnswer) => this.#answered(answer));
    worker.on("error", () => this.#breakOff(worker));
    worker.on("exit", () => this.#breakOff(worker));
    return worker;
  }

  #answered(answer: ReadAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ("value" in answer) waiting?.resolve(answer.value as never);
    else waiting?.reject(new Error(answer.error));
  }

  /** Without the thread, questions are answered here. */
  #breakOff(worker: Worker): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#isBroken = true;
    const left = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of left) this.#answerHere(waiting);
  }

  #answerHere({ resolve, reject, question: { name, values } }: Waiting): void {
    try {
      const read = this.#here[name] as (...given: readonly unknown[]) => never;
      resolve(read(...values));
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
