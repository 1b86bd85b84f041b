import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Sender } from "./sender.ts";
import type { Served, Usage } from "./served.ts";

const serving = fileURLToPath(new URL("../servers/serving.js", import.meta.url));

/**
 * Pins to the first core where that can be done, so that helper threads share it; `others`, what sends to it and what it sends to, to the
 * last one.
 */
export function pin(
  command: string,
  args: readonly string[],
  who: "measured" | "others" = "measured",
): [command: string, args: string[]] {
  const cores = availableParallelism();
  const can = cores > 1 && spawnSync("taskset", ["-c", "0", "true"]).status === 0;
  const core = who === "measured" ? 0 : cores - 1;
  return can ? ["taskset", ["-c", String(core), command, ...args]] : [command, [...args]];
}

/** A server in a process of its own. */
export class Child {
  readonly ports: { readonly http: number; readonly grpc: number };
  /** Whether it goes on working once it has answered. */
  readonly worksOn: boolean;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, ports: { http: number; grpc: number }, { kind }: Served) {
    this.#process = process;
    this.ports = ports;
    this.worksOn = kind === "live" || kind === "relay" || kind === "objects";
  }

  static async start(served: Served, who: "measured" | "others" = "measured"): Promise<Child> {
    const [command, args] = pin(process.execPath, [serving, JSON.stringify(served)], who);
    const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    return new Child(child, (await answer(child)) as { http: number; grpc: number }, served);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  async usage(): Promise<Usage> {
    const answered = answer(this.#process);
    this.#process.send("usage");
    return (await answered) as Usage;
  }

  stop(): void {
    this.#process.disconnect();
  }
}

const QUIET_MS = 250;
/** Microseconds of CPU in that time that timers alone may take. */
const IDLE_US = 20_000;

/** What the server has used once it has closed and judged all that it was sent, and works no more. */
export async function idleUsage(child: Child): Promise<Usage> {
  if (!child.worksOn) {
    await sleep(50);
    return child.usage();
  }
  let before = await child.usage();
  let { longestPauseMs } = before;
  for (let quiet = 0; quiet < 3;) {
    await sleep(QUIET_MS);
    const now = await child.usage();
    longestPauseMs = Math.max(longestPauseMs, now.longestPauseMs);
    quiet = now.cpu - before.cpu < IDLE_US ? quiet + 1 : 0;
    before = now;
  }
  return { ...before, longestPauseMs };
}

/** So many spans twice, and a server that judges has compiled nearly all that it will compile. */
const WARM_SPANS = 200_000;

/** Has a server work until what it does costs no more than it will. */
export async function warm(child: Child, sender: Sender, protocol: "http" | "grpc" = "http"): Promise<void> {
  const count = Math.ceil(WARM_SPANS / sender.spansARequest);
  // What is left open at first ends while the rest is sent, and is handled by code that nothing else needs.
  for (let time = 0; time < 2; time++) {
    if (protocol === "grpc") await sender.grpc(child.ports.grpc, count, 4);
    else await sender.http(child.ports.http, count, 4);
    await idleUsage(child);
  }
}

function answer(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`the server ended with ${code}`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message);
    });
  });
}
