import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface ServeProcessOptions {
  readonly config: string;
  /** Lets the journal fail while a file of this name holds an error code, such as ENOSPC. */
  readonly faultFile?: string;
  /** Lets the clock jump. */
  readonly clockJumps?: boolean;
  /** What the process is run under, such as strace. */
  readonly under?: readonly string[];
}

/** The project's folder, from the sources and from what was built of them alike. */
const root = new URL(import.meta.url.includes("/dist/test/") ? "../../../" : "../../", import.meta.url);
const command = fileURLToPath(new URL("bin/tracejury.js", root));
const faults = new URL("test/chaos/faults.js", root).href;

/** One `tracejury serve`, to be killed. */
export class ServeProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #log = "";
  #isExpected = false;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = once(child, "exit");
    child.stderr?.on("data", (chunk: Buffer) => {
      this.#log = `${this.#log}${chunk.toString()}`.slice(-20_000);
    });
  }

  /** Resolves when it listens. Rejects with what it said when it ends before. */
  static async start(options: ServeProcessOptions): Promise<ServeProcess> {
    const { config, faultFile, clockJumps = false, under = [] } = options;
    const faulty = faultFile === undefined && !clockJumps ? [] : ["--import", faults];
    const words = [...under, process.execPath, ...faulty, command, "serve", "--config", config];
    const [program = "", ...rest] = words;
    const env = {
      ...process.env,
      ...(faultFile === undefined ? {} : { CHAOS_FAULT: faultFile }),
      ...(clockJumps ? { CHAOS_CLOCK: "jumps" } : {}),
    };
    const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"], env });
    const started = new ServeProcess(child);
    const listening = child.stdout === null ? Promise.resolve() : once(child.stdout, "data");
    const first = await Promise.race([listening.then(() => "listens"), started.#exited.then(() => "ended")]);
    if (first === "ended") throw new Error(`serve ended with ${child.exitCode}:\n${started.#log}`);
    child.stdout?.resume();
    return started;
  }

  get log(): string {
    return this.#log;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** Ended without having been told to. */
  get hasCrashed(): boolean {
    return !this.#isExpected && (this.#child.exitCode !== null || this.#child.signalCode !== null);
  }

  /** Gives the exit code, null after a signal that ended it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.hasCrashed) this.#isExpected = true;
    this.#child.kill(signal);
    await this.#exited;
    return this.#child.exitCode;
  }
}
