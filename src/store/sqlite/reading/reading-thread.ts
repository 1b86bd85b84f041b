import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { ReadName, ReadResult, Reads } from "../../read/reads.ts";

/** A request to the thread that reads the database, and its response. */
export interface ReadQuestion {
  readonly id: number;
  readonly name: ReadName;
  readonly values: readonly unknown[];
}
export type ReadAnswer =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string };

/** Data that is passed to the thread when it starts. */
export interface ReadingSetUp {
  readonly path: string;
  /** Shared flag of one element; if it is not 0, the thread ignores further requests. */
  readonly closed: Int32Array;
}

/** Executes a read operation in the calling thread. */
export type ReadHere = <Name extends ReadName>(
  name: Name,
  values: Parameters<Reads[Name]>,
) => ReadResult<Name>;

interface Waiting {
  readonly question: ReadQuestion;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Reads the database in a separate thread with its own connection, so that a large query does not block the main thread. The thread starts
 * with the first query.
 */
export class ReadingThread {
  readonly #path: string;
  readonly #readHere: ReadHere;
  readonly #waiting = new Map<number, Waiting>();
  readonly #closed = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker | undefined;
  #isBroken = false;
  #next = 1;

  /** @param readHere executes a read operation in the calling thread, if the separate thread is not available */
  constructor(path: string, readHere: ReadHere) {
    this.#path = path;
    this.#readHere = readHere;
  }

  ask<Name extends ReadName>(name: Name, values: Parameters<Reads[Name]>): Promise<ReadResult<Name>> {
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

  /** Whether the thread can execute queries; false after it failed or was closed. */
  get isWorking(): boolean {
    return !this.#isBroken;
  }

  /**
   * Resolves when the thread has ended after its current query. The thread is not terminated, because a thread that is terminated within
   * SQLite's native code would crash the process.
   */
  async close(): Promise<void> {
    this.#isBroken = true;
    const worker = this.#worker;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(new Error("the store is closed"));
    this.#waiting.clear();
    if (worker === undefined) return;
    const ended = once(worker, "exit");
    Atomics.store(this.#closed, 0, 1);
    worker.ref();
    worker.postMessage(null, []);
    await ended;
  }

  #start(): Worker {
    const [extension] = /\.\w+$/.exec(import.meta.url) ?? [];
    const workerData: ReadingSetUp = { path: this.#path, closed: this.#closed };
    const worker = new Worker(new URL(`reading-worker${extension}`, import.meta.url), { workerData });
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

  /** Stops using a failed thread, and runs its pending read operations in the calling thread. */
  #breakOff(worker: Worker): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#isBroken = true;
    const unanswered = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of unanswered) this.#answerHere(waiting);
  }

  #answerHere({ resolve, reject, question: { name, values } }: Waiting): void {
    try {
      resolve(this.#readHere(name, values as never) as never);
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
