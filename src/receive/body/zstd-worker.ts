import { createRequire } from "node:module";
import { Worker, type MessagePort } from "node:worker_threads";
import type { Decompress, decompress } from "fzstd";

/** A request to the worker. `declared`: whether every frame declares its content size. */
interface Job {
  readonly body: Uint8Array;
  readonly limit: number;
  readonly declared: boolean;
}

/** The worker's reply: the decompressed bytes, or an error. */
export type Unzstd = Uint8Array | "too_large" | { readonly error: string };

interface Waiting {
  readonly job: Job;
  readonly resolve: (result: Unzstd) => void;
}

/**
 * Decompresses zstd in a worker thread, one body at a time. A malicious body can occupy the decoder fzstd for minutes, and a thread can be
 * terminated. Also, large valid bodies in the thread do not block other requests. The first body starts the thread. The thread does not
 * keep the process alive.
 */
export class ZstdWorker {
  readonly #timeoutMs: number;
  readonly #queue: Waiting[] = [];
  #worker: Worker | undefined;
  #running: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Decompresses a body. Transfers the body's memory to the worker, so the caller must not use the body afterwards.
   * @param declared whether every frame declares its content size
   */
  run(body: Uint8Array, limit: number, declared: boolean): Promise<Unzstd> {
    return new Promise((resolve) => {
      this.#queue.push({ job: { body, limit, declared }, resolve });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running !== undefined) return;
    this.#running = this.#queue.shift();
    if (this.#running === undefined) return;
    const { job } = this.#running;
    this.#worker ??= this.#start();
    this.#timer = setTimeout(() => this.#giveUp("decompression takes too long"), this.#timeoutMs);
    this.#worker.postMessage(job, [job.body.buffer as ArrayBuffer]);
  }

  #done(result: Unzstd): void {
    clearTimeout(this.#timer);
    const running = this.#running;
    this.#running = undefined;
    running?.resolve(result);
    this.#next();
    // Calls `unref` again, because the thread's start messages keep the process alive.
    if (this.#running === undefined) this.#worker?.unref();
  }

  #giveUp(error: string): void {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.removeAllListeners();
    void worker?.terminate();
    this.#done({ error });
  }

  #start(): Worker {
    const fzstd = createRequire(import.meta.url).resolve("fzstd");
    const source = `(${work.toString()})(require("node:worker_threads").parentPort, require(${JSON.stringify(fzstd)}))`;
    const worker = new Worker(source, { eval: true });
    worker.unref();
    worker.on("message", (result: Unzstd) => this.#done(result));
    worker.on("error", (error) => this.#giveUp(error.message));
    return worker;
  }
}

interface Fzstd {
  readonly decompress: typeof decompress;
  readonly Decompress: typeof Decompress;
}

/** The program of the worker thread. The function is converted to text, so it can use nothing but its parameters. */
function work(port: MessagePort, fzstd: Fzstd): void {
  const stream = (body: Uint8Array, limit: number): Uint8Array | "too_large" => {
    const pieces: Uint8Array[] = [];
    let length = 0;
    const tooLarge = new Error("too large");
    const decoder = new fzstd.Decompress((piece) => {
      length += piece.length;
      if (length > limit) throw tooLarge;
      pieces.push(piece);
    });
    try {
      decoder.push(body, true);
    } catch (error) {
      if (error === tooLarge) return "too_large";
      throw error;
    }
    const whole = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  };
  port.on("message", ({ body, limit, declared }: Job) => {
    try {
      // If all sizes are declared, fzstd writes directly into the result. Otherwise fzstd would copy its window for each block, so the body
      // is streamed.
      const result = declared ? fzstd.decompress(body) : stream(body, limit);
      const owned = typeof result === "string" || result.byteLength === result.buffer.byteLength;
      const answer = owned ? result : result.slice();
      const transfer = typeof answer === "string" ? [] : [answer.buffer as ArrayBuffer];
      port.postMessage(answer, transfer);
    } catch (error) {
      port.postMessage({ error: error instanceof Error ? error.message : "invalid" });
    }
  });
}
