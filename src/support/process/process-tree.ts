import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { living, processesOf, signalAll } from "./processes.ts";

/** Result of an ended process. */
export interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Error message if the process could not be started; null otherwise. */
  readonly error: string | null;
}

/** Maximum number of retained output characters of a process. */
const KEPT = 64 * 1024;
/**
 * Milliseconds for reading output after all known processes have ended, because an unknown one may keep the
 * pipe open.
 */
const DRAIN_MS = 2_000;

/** A shell command in a separate process group, so that all its processes can be ended together. */
export class ProcessTree {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  /** Resolves when all output has been read. On a busy machine that is after the process has ended. */
  readonly #drained: Promise<unknown>;
  /**
   * An environment variable that marks all descendants of the command, even those that leave its process
   * group.
   */
  readonly #mark = `TRACEJURY_CALL=${randomUUID()}`;
  #output = "";

  constructor(command: string, options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string }) {
    this.#child = spawn(command, {
      cwd: options.cwd,
      env: { ...options.env, ...Object.fromEntries([this.#mark.split("=", 2)]) },
      shell: true,
      detached: process.platform !== "win32",
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8");
      stream?.on("data", (text: string) => {
        this.#output = (this.#output + text).slice(-KEPT);
      });
      stream?.on("error", () => undefined);
    }
    this.#drained = new Promise((resolve) => this.#child.once("close", resolve));
    this.ended = new Promise((resolve) => {
      this.#child.once("error", (error) => resolve({ exitCode: null, signal: null, error: error.message }));
      this.#child.once("exit", (exitCode, signal) => resolve({ exitCode, signal, error: null }));
    });
  }

  /** Last output of both streams, in order of arrival. */
  get output(): string {
    return this.#output;
  }

  /** Whether the command or any of its descendants still runs. */
  get alive(): boolean {
    const { pid } = this.#child;
    return pid !== undefined && processesOf(pid, this.#mark).length > 0;
  }

  /**
   * Sends SIGTERM to all processes, and SIGKILL to those that still run after `graceMs`. Resolves when all
   * processes have ended and their output has been read.
   */
  async end(graceMs: number): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return;
    const known = processesOf(pid, this.#mark);
    signalAll(known, "SIGTERM");
    const deadline = performance.now() + graceMs;
    while (performance.now() < deadline && living(known).length > 0) await pause(25);
    signalAll([...new Set([...living(known), ...processesOf(pid, this.#mark)])], "SIGKILL");
    await within(DRAIN_MS, this.#drained);
    this.release();
  }

  /** Stops waiting for processes that can no longer be tracked. */
  release(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#child.unref();
  }
}

/** Resolves with the promise, or after the time. */
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
