import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

/** How a process ended. */
export interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** It could not be started at all. */
  readonly error: string | null;
}

/** What a process printed last. */
const KEPT = 64 * 1024;

/** A shell command in a process group of its own, so that everything it starts can be ended with it. */
export class ProcessTree {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  /** Stands in the environment of everything it starts, however far that goes away from it. */
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
    this.ended = new Promise((resolve) => {
      this.#child.once("error", (error) => resolve({ exitCode: null, signal: null, error: error.message }));
      this.#child.once("exit", (exitCode, signal) => resolve({ exitCode, signal, error: null }));
    });
  }

  /** The end of what it printed, both streams as they came. */
  get output(): string {
    return this.#output;
  }

  /** Whether anything it started is still there, itself included. */
  get alive(): boolean {
    const { pid } = this.#child;
    return pid !== undefined && this.#pids(pid).length > 0;
  }

  /** Asks everything to end, and ends what has not done so after `graceMs`. Settles when all is gone. */
  async end(graceMs: number): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return;
    const known = this.#pids(pid);
    signalAll(known, "SIGTERM");
    const deadline = performance.now() + graceMs;
    while (performance.now() < deadline && living(known).length > 0) await pause(25);
    signalAll([...new Set([...living(known), ...this.#pids(pid)])], "SIGKILL");
    this.release();
  }

  /** Does not wait any longer for what has left our hands. */
  release(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#child.unref();
  }

  /** The group, what has left it but descends from it, and on Linux what carries our mark. */
  #pids(root: number): readonly number[] {
    if (process.platform === "win32") return living([root]);
    const listed = spawnSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat="], { encoding: "utf8" }).stdout ?? "";
    const processes = listed.split("\n").flatMap((line) => {
      const [pid = "", parent = "", group = "", state = ""] = line.trim().split(/\s+/);
      return pid === "" || state.startsWith("Z")
        ? []
        : [{ pid: Number(pid), parent: Number(parent), group: Number(group) }];
    });
    if (processes.length === 0) return living([root]);
    const found = new Set(
      processes.filter(({ pid, group }) => group === root || pid === root).map(({ pid }) => pid),
    );
    for (let grown = true; grown;) {
      grown = false;
      for (const { pid, parent } of processes) {
        if (!found.has(parent) || found.has(pid)) continue;
        found.add(pid);
        grown = true;
      }
    }
    for (const pid of marked(
      this.#mark,
      processes.map((one) => one.pid),
    ))
      found.add(pid);
    return [...found];
  }
}

function marked(mark: string, pids: readonly number[]): number[] {
  if (process.platform !== "linux") return [];
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").split("\u0000").includes(mark);
    } catch {
      return false;
    }
  });
}

function living(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  });
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  if (process.platform === "win32") {
    for (const pid of pids) spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"]);
    return;
  }
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended by itself.
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
