import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
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
  const ports = { http: await freePort(), grpc: await freePort() };
  writeFileSync(config, JSON.stringify(configOf(pipeline, { ...ports, backend, storage })));
  const [command, args] = pin(binary, ["--config", config]);
  const env = { ...process.env, GOMAXPROCS: "1" };
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "inherit"], env });
  for (let tries = 0; !(await answers(ports.http)); tries++) {
    if (tries > 300 || child.exitCode !== null) throw new Error("the Collector does not come up");
    await sleep(100);
  }
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    rmSync(storage, { recursive: true, force: true });
  };
  return { ...ports, pid: child.pid ?? 0, stop };
}

/** One without a listener now. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
