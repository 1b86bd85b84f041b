import { Worker } from "node:worker_threads";
import { pathToFileURL } from "node:url";
import type { Finding } from "../../evaluate/checks/check.ts";
import { broken, MOST_REPLY_BYTES, readReply } from "./reply.ts";
import { messageOf } from "../../support/structures/error-message.ts";

/** Runs in the thread: plain JavaScript, so that it needs no file of its own. */
const program = `
const { parentPort, workerData } = require("node:worker_threads");
const loaded = import(workerData.url);
loaded.catch(() => undefined);
parentPort.on("message", async ({ exported, input }) => {
  try {
    const module = await loaded;
    const check = module[exported] ?? module.default?.[exported];
    if (typeof check !== "function") throw new Error("the module exports no function " + exported);
    const result = await check(JSON.parse(input));
    const text = JSON.stringify(result);
    if (text === undefined) throw new Error("it gave nothing that can be written as JSON");
    if (text.length > workerData.most) throw new Error("its result is longer than " + workerData.most + " characters");
    parentPort.postMessage({ result: text });
  } catch (error) {
    parentPort.postMessage({ error: String(error && error.message || error).slice(0, 500) });
  }
});
`;

const MEMORY_MB = 128;

interface Job {
  readonly exported: string;
  readonly input: string;
  readonly timeoutMs: number;
  readonly resolve: (finding: Finding) => void;
}

type Reply = { readonly result: string } | { readonly error: string };

/**
 * The functions of one module, in a thread of their own with bounded memory: one that runs too long is ended with its thread, and the
 * next call starts another. Calls are done one after the other.
 */
export class ModuleThread {
  readonly #file: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #queue: Job[] = [];
  #running: Job | undefined;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: string, env: NodeJS.ProcessEnv) {
    this.#file = file;
    this.#env = env;
  }

  /** Never rejects. */
  run(exported: string, input: string, timeoutMs: number): Promise<Finding> {
    return new Promise((resolve) => {
      this.#queue.push({ exported, input, timeoutMs, resolve });
      this.#next();
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const job = this.#queue.shift();
    if (job === undefined) return;
    this.#running = job;
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#timer = setTimeout(() => this.#end(`it took longer than ${job.timeoutMs} ms`), job.timeoutMs);
    this.#worker.postMessage({ exported: job.exported, input: job.input }, []);
  }

  #start(): Worker {
    const worker = new Worker(program, {
      eval: true,
      env: this.#env,
      stdout: true,
      stderr: true,
      workerData: { url: pathToFileURL(this.#file).href, most: MOST_REPLY_BYTES },
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    // What a check prints must not get between our own lines.
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on("message", (reply: Reply) => {
      if (worker === this.#worker)
        this.#done("result" in reply ? readReply(reply.result) : broken(reply.error));
    });
    worker.on("error", (error) => {
      if (worker === this.#worker) this.#end(messageOf(error));
    });
    worker.on("exit", () => {
      if (worker === this.#worker) this.#end("its thread ended");
    });
    return worker;
  }

  #end(why: string): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    this.#done(broken(why));
  }

  #done(finding: Finding): void {
    clearTimeout(this.#timer);
    const running = this.#running;
    this.#running = undefined;
    this.#worker?.unref();
    running?.resolve(finding);
    this.#next();
  }
}
