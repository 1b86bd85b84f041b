import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Child, pin } from "../harness/child.ts";
import type { Served } from "../harness/served.ts";
import { configOf, type Pipeline } from "./pipelines.ts";

/** A server that runs by itself. */
export interface Server {
  readonly http: number;
  readonly grpc: number;
  readonly pid: number;
  stop(): Promise<void>;
}

const PORTS = { http: 24318, grpc: 24317 };

/** A backend that drops what it gets. */
export async function startBackend(): Promise<{ readonly url: string; close(): void }> {
  const child = await Child.start({ kind: "discard" }, "others");
  return { url: `http://127.0.0.1:${child.ports.http}`, close: () => child.stop() };
}

export async function startOurs(served: Served): Promise<Server> {
  const child = await Child.start(served);
  const stop = async (): Promise<void> => {
    child.stop();
    await sleep(100);
  };
  return { ...child.ports, pid: child.pid, stop };
}

/** @param binary the Collector's program */
export async function startCollector(binary: string, pipeline: Pipeline, backend: string): Promise<Server> {
  const storage = mkdtempSync(join(tmpdir(), "otelcol-"));
  const config = join(storage, "config.yaml");
  writeFileSync(config, JSON.stringify(configOf(pipeline, { ...PORTS, backend, storage })));
  const [command, args] = pin(binary, ["--config", config]);
  const env = { ...process.env, GOMAXPROCS: "1" };
  while (await answers()) await sleep(100); // the one before may still be about to end
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "inherit"], env });
  for (let tries = 0; !(await answers()); tries++) {
    if (tries > 300 || child.exitCode !== null) throw new Error("the Collector does not come up");
    await sleep(100);
  }
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    rmSync(storage, { recursive: true, force: true });
  };
  return { ...PORTS, pid: child.pid ?? 0, stop };
}

function answers(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(PORTS.http, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
