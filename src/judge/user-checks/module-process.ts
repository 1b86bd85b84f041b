import { type ChildProcess, spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import type { Finding } from "../../evaluate/checks/check.ts";
import { endGroup } from "./process-group.ts";
import { broken, MOST_REPLY_BYTES, readReply } from "./reply.ts";

const MEMORY_MB = 128;

/**
 * Program of the child process, as JavaScript text, so that no file is needed. The path of the module is sent as a message, because other
 * users of the machine can see arguments.
 */
const program = `
const most = ${MOST_REPLY_BYTES};
let loaded;
process.on("disconnect", () => process.exit());
process.on("message", async ({ n, url, exported, input }) => {
  try {
    loaded ??= import(url);
    const module = await loaded;
    const check = module[exported] ?? module.default?.[exported];
    if (typeof check !== "function") throw new Error("the module exports no function " + exported);
    const result = await check(JSON.parse(input));
    const text = JSON.stringify(result);
    if (text === undefined) throw new Error("the function returned nothing that JSON can represent");
    if (text.length > most) throw new Error("the result is longer than " + most + " characters");
    process.send({ n, result: text });
  } catch (error) {
    process.send({ n, error: String(error && error.message || error).slice(0, 500) });
  }
});
`;

interface Job {
  readonly exported: string;
  readonly input: string;
  readonly timeoutMs: number;
  readonly resolve: (finding: Finding) => void;
}

/** Message from the child process. Field types are unknown, because the user's module can send messages, too. */
interface Reply {
  readonly n?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/**
 * Runs the functions of one user module in a child process with limited memory and a minimal environment. (A thread would share the
 * environment of this process, which contains keys.) Calls run one at a time. If a call exceeds its time-out, the child process is ended,
 * and the next call starts a new one.
 */
export class ModuleProcess {
  readonly #file: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #queue: Job[] = [];
  #running: Job | undefined;
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #calls = 0;

  constructor(file: string, env: NodeJS.ProcessEnv) {
    this.#file = file;
    this.#env = env;
  }

  /** Runs a check. If the check cannot run, the finding has the outcome `error`; the promise does not reject. */
  run(exported: string, input: string, timeoutMs: number): Promise<Finding> {
    return new Promise((resolve) => {
      this.#queue.push({ exported, input, timeoutMs, resolve });
      this.#next();
    });
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const ended = new Promise((resolve) => child.once("exit", resolve));
    endGroup(child);
    await ended;
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const job = this.#queue.shift();
    if (job === undefined) return;
    this.#running = job;
    const child = (this.#child ??= this.#start());
    child.ref();
    child.channel?.ref();
    this.#timer = setTimeout(
      () => this.#end(`the function took longer than ${job.timeoutMs} ms`),
      job.timeoutMs,
    );
    const { exported, input } = job;
    child.send({ n: ++this.#calls, url: pathToFileURL(this.#file).href, exported, input }, () => undefined);
  }

  #start(): ChildProcess {
    // The output of the child process is discarded; results are sent as messages.
    const child = spawn(process.execPath, [`--max-old-space-size=${MEMORY_MB}`, "-e", program], {
      env: this.#env,
      detached: process.platform !== "win32",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const isCurrent = (): boolean => child === this.#child;
    child.on("message", (reply: Reply | null) => {
      const { n, result, error } = reply ?? {};
      // Ignores messages that do not answer the current call, because the user's module can send messages.
      if (isCurrent() && n === this.#calls)
        this.#done(typeof result === "string" ? readReply(result) : broken(String(error)));
    });
    child.on("error", (error) => {
      if (isCurrent()) this.#end(error.message);
    });
    child.on("exit", (code, signal) => {
      if (isCurrent()) this.#end(`the process ended with ${signal ?? `code ${code}`}`);
    });
    return child;
  }

  #end(why: string): void {
    const child = this.#child;
    this.#child = undefined;
    if (child !== undefined) endGroup(child);
    this.#done(broken(why));
  }

  #done(finding: Finding): void {
    clearTimeout(this.#timer);
    const running = this.#running;
    this.#running = undefined;
    this.#child?.unref();
    this.#child?.channel?.unref();
    running?.resolve(finding);
    this.#next();
  }
}
