import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Ports, Tracejury } from "../../test/long/servers/tracejury.ts";
import { specText } from "../engine.ts";
import { cpuUsOf } from "./process-use.ts";
import type { Sender } from "./sender.ts";

/** A server in a process of its own. */
export interface Measured {
  readonly ports: Ports;
  readonly pid: number;
  stop(): Promise<void>;
}

const cores = availableParallelism();
const canPin = cores > 1 && spawnSync("taskset", ["-c", "0", "true"]).status === 0;

type Who = "measured" | "others";

/** Words to run a program under that pin it to the first core where that can be done, so that helper threads share it; what sends to it and what it
 * sends to is pinned to the last one. */
export function pinned(who: Who = "measured"): string[] {
  return canPin ? ["taskset", "-c", String(who === "measured" ? 0 : cores - 1)] : [];
}

/** Node's program, pinned, and its arguments. */
export function pinnedNode(args: readonly string[], who?: Who): [program: string, args: string[]] {
  const [program = process.execPath, ...rest] = [...pinned(who), process.execPath, ...args];
  return [program, rest];
}

/** How `serve` is measured; absent: as it is without a configuration, but for the journal, which is none. */
export interface Served {
  /** How long a trace waits after its root; 500 ms when absent. */
  readonly holdMs?: number;
  /** How long one without a root waits. */
  readonly idleMs?: number;
  /** Address of a backend that everything is sent on to. */
  readonly forwardTo?: string;
  readonly durability?: "memory" | "flush" | "fsync";
  /** Which agent's runs the spec is about; that of the generated ones when absent. */
  readonly agent?: "*";
}

/** All of `serve` with one spec. */
export async function startServe(served: Served = {}): Promise<Measured> {
  const { holdMs = 500, idleMs = 60_000, forwardTo, durability = "memory", agent } = served;
  const folder = mkdtempSync(join(tmpdir(), "tracejury-bench-"));
  const settings = {
    assemble: {
      root_quiet: `${holdMs}ms`,
      root_open: `${Math.max(holdMs, 10_000)}ms`,
      root_cap: `${Math.max(holdMs, 60_000)}ms`,
      idle: `${idleMs}ms`,
      max_age: `${Math.max(idleMs, 600_000)}ms`,
      late_window: "0s",
    },
    export: {},
    journal: { durability },
    limits: { memory: "4GiB" },
    forward: forwardTo === undefined ? [] : [{ endpoint: forwardTo }],
  };
  const serve = await Tracejury.in(folder, { settings, spec: specText(agent), under: pinned() });
  await serve.start();
  return {
    ports: serve.ports,
    pid: serve.pid,
    async stop() {
      await serve.end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server that reads bodies and drops them. */
export async function startDiscarding(who?: Who): Promise<Measured> {
  const script = fileURLToPath(new URL("../servers/discarding.js", import.meta.url));
  const child = spawn(...pinnedNode([script], who), { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return {
    ports: { http: Number(port.toString()), grpc: 0 },
    pid: child.pid ?? 0,
    stop: () => Promise.resolve(void child.kill()),
  };
}

const QUIET_MS = 250;
/** Microseconds of CPU in that time that timers alone may take. */
const IDLE_US = 20_000;

/** The CPU of a server once it works no more, which goes on only after it has held what it got for so long. */
async function idleCpuUs({ pid }: Measured, holdS = 0): Promise<number> {
  await sleep(holdS * 1000);
  let before = cpuUsOf(pid).used;
  for (let quiet = 0; quiet < 3;) {
    await sleep(QUIET_MS);
    const now = cpuUsOf(pid).used;
    quiet = now - before < IDLE_US ? quiet + 1 : 0;
    before = now;
  }
  return before;
}

/** Microseconds of CPU a span until the server works no more. */
export async function costOf(server: Measured, sender: Sender, count: number, holdS = 0): Promise<number> {
  const before = cpuUsOf(server.pid).used;
  await sender.send(server.ports, { count });
  return ((await idleCpuUs(server, holdS)) - before) / (count * sender.spansARequest);
}

/** So many spans twice, and a server that judges has compiled nearly all that it will compile. */
const WARM_SPANS = 200_000;

/** Has a server work until what it does costs no more than it will. */
export async function warm(server: Measured, sender: Sender, holdS = 0): Promise<void> {
  // What is left open at first ends while the rest is sent, and is handled by code that nothing else needs.
  for (let time = 0; time < 2; time++)
    await costOf(server, sender, Math.ceil(WARM_SPANS / sender.spansARequest), holdS);
}
