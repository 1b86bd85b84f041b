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

/** A server in its own process. */
export interface Measured {
  readonly ports: Ports;
  readonly pid: number;
  stop(): Promise<void>;
}

const cores = availableParallelism();
const canPin = cores > 1 && spawnSync("taskset", ["-c", "0", "true"]).status === 0;

type Who = "measured" | "others";

/**
 * A prefix for a command that pins it to the first core if possible, so that helper threads share this core. `others` (senders and
 * backends) are pinned to the last core.
 */
export function pinned(who: Who = "measured"): string[] {
  return canPin ? ["taskset", "-c", String(who === "measured" ? 0 : cores - 1)] : [];
}

/** Node's program and its arguments, pinned. */
export function pinnedNode(args: readonly string[], who?: Who): [program: string, args: string[]] {
  const [program = process.execPath, ...rest] = [...pinned(who), process.execPath, ...args];
  return [program, rest];
}

/** Settings of the measured `serve`. It always has 4 GiB of memory and no wait for late spans. By default it has no journal. */
export interface Served {
  /** Wait after the end of a root span; default: 500 ms. */
  readonly holdMs?: number;
  /** Wait for a trace without a root span. */
  readonly idleMs?: number;
  /** Address of a backend that all telemetry is forwarded to. */
  readonly forwardTo?: string;
  readonly durability?: "memory" | "flush" | "fsync";
  /** `*` for recorded runs, which have many different agents; absent: the agent of the generated runs. */
  readonly agent?: "*";
}

/** Starts a complete `serve` with one spec. */
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

/** Starts a server that discards all bodies. */
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
/** CPU in microseconds that timers alone may use in `QUIET_MS`. */
const IDLE_US = 20_000;

/** Waits `holdS` seconds and then until the server is idle; returns its CPU in microseconds. */
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

/** CPU per span in microseconds, until the server is idle. */
export async function costOf(server: Measured, sender: Sender, count: number, holdS = 0): Promise<number> {
  const before = cpuUsOf(server.pid).used;
  await sender.send(server.ports, { count });
  return ((await idleCpuUs(server, holdS)) - before) / (count * sender.spansARequest);
}

/** After twice this number of spans, V8 has compiled almost all code of a server with a spec. */
const WARM_SPANS = 200_000;

/** Sends requests until the server's CPU per span no longer falls. */
export async function warm(server: Measured, sender: Sender, holdS = 0): Promise<void> {
  // Traces that are still open after the first part end during the second part, which runs further code.
  for (let time = 0; time < 2; time++)
    await costOf(server, sender, Math.ceil(WARM_SPANS / sender.spansARequest), holdS);
}
