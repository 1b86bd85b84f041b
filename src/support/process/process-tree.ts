import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { messageOf } from "../structures/error-message.ts";
import { living, processesOf, signalAll } from "./processes.ts";

export interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Error message if the process could not be started, otherwise null. */
  readonly error: string | null;
}

/** Number of characters, at the end of a process's output, that are retained. */
const KEPT = 64 * 1024;
/**
 * Maximum milliseconds to read output after all known processes have ended. A descendant that was not found may still hold the pipe open.
 */
const DRAIN_MS = 2_000;

/** A shell command in its own process group, so that all of its processes can be ended together. */
export class ProcessTree {
  readonly ended: Promise<Ended>;
  /** Null if the system refused to start the command, such as a command that is empty or too long. */
  readonly #child: ChildProcess | null = null;
  /** Resolves when all output has been read. On a busy machine, this can be later than the end of the process. */
  readonly #drained: Promise<unknown>;
  /** Environment variable that all descendants of the command inherit. It identifies descendants that have left the process group. */
  readonly #mark = `TRACEJURY_CALL=${randomUUID()}`;
  #output = "";

  constructor(command: string, options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string }) {
    let child: ChildProcess;
    try {
      child = spawn(command, {
        cwd: options.cwd,
        env: { ...options.env, ...Object.fromEntries([this.#mark.split("=", 2)]) },
        shell: true,
        detached: process.platform !== "win32",
        stdio: ["ignore", "pipe", "pipe"],
        windowsHide: true,
      });
    } catch (error) {
      this.#drained = Promise.resolve();
      this.ended = Promise.resolve({ exitCode: null, signal: null, error: messageOf(error) });
      return;
    }
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8");
      stream?.on("data", (text: string) => {
        this.#output = (this.#output + text).slice(-KEPT);
      });
      stream?.on("error", () => undefined);
    }
    this.#drained = new Promise((resolve) => child.once("close", resolve));
    this.ended = new Promise((resolve) => {
      child.once("error", (error) => resolve({ exitCode: null, signal: null, error: error.message }));
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal, error: null }));
    });
  }

  /** The last characters of stdout and stderr together, in order of arrival. */
  get output(): string {
    return this.#output;
  }

  /** Whether the command or one of its descendants is still running. */
  get alive(): boolean {
    const pid = this.#child?.pid;
    return pid !== undefined && processesOf(pid, this.#mark).length > 0;
  }

  /**
   * Sends SIGTERM to all processes, and SIGKILL to those that still run after `graceMs` milliseconds. Resolves when the processes have
   * ended and their output has been read, or when a time-out is over.
   */
  async end(graceMs: number): Promise<void> {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    const known = processesOf(pid, this.#mark);
    signalAll(known, "SIGTERM");
    const deadline = performance.now() + graceMs;
    while (performance.now() < deadline && living(known).length > 0) await pause(25);
    signalAll([...new Set([...living(known), ...processesOf(pid, this.#mark)])], "SIGKILL");
    await within(DRAIN_MS, this.#drained);
    this.release();
  }

  /** Closes the output pipes, which descendants that were not found may hold open, so that this process can end. */
  release(): void {
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
    this.#child?.unref();
  }
}

/** Resolves when the promise resolves, but after `ms` milliseconds at the latest. */
async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, over]);
  clearTimeout(timer);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
