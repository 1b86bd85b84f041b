import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import { defaultPatience } from "../../src/assemble/patience.ts";
import { startLive } from "../../src/cli/serve/live.ts";
import type { LiveSettings } from "../../src/cli/serve/live-options.ts";
import { forwardDefaults } from "../../src/forward/settings.ts";
import { exportDefaults } from "../../src/export/settings.ts";
import { benchSpec } from "../engine.ts";

/**
 * A server to be measured, told by its parent over IPC what it has used: `node serving.js discard` reads bodies and drops them,
 * `node serving.js live 500` is all of `serve` with one spec, a trace being held for so many milliseconds after its root. With
 * `http://backend memory` or `http://backend fsync` behind that, it sends on what it gets, with a queue and, for `fsync`, a journal on the disk.
 */
async function start(): Promise<{ http: number; grpc: number }> {
  if (process.argv[2] === "discard") return { http: await discard(), grpc: 0 };
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const live = await startLive({
    settings: {
      http: "127.0.0.1:0",
      grpc: "127.0.0.1:0",
      admin: "127.0.0.1:0",
      maxBody: 20 * 2 ** 20,
      patience: { ...defaultPatience, rootQuietMs: Number(process.argv[3] ?? 500), lateWindowMs: 0 },
      export: exportDefaults,
      attributes: [],
      prices: {},
      otelcolNames: false,
      ...sendingOn(process.argv[4], process.argv[5]),
    },
    specs: [benchSpec()],
    unasked: { judge: "off" },
    log: silent as never,
  });
  return { http: portOf(live.listening.http), grpc: portOf(live.listening.grpc) };
}

function sendingOn(endpoint: string | undefined, durability = "memory"): Partial<LiveSettings> {
  if (endpoint === undefined) return {};
  const destinations = [{ ...forwardDefaults, endpoint }];
  const dataDir = mkdtempSync(join(tmpdir(), "tracejury-bench-"));
  process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  if (durability !== "fsync") return { forward: { destinations, dataDir, durability: "memory" } };
  return {
    forward: { destinations, dataDir, durability },
    journal: { dir: join(dataDir, "journal"), durability, budget: 2 ** 31 },
  };
}

function portOf(address: string | null): number {
  return Number(address?.slice(address.lastIndexOf(":") + 1));
}

function discard(): Promise<number> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.end());
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

const ports = await start();
process.on("message", () => process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }));
process.on("disconnect", () => process.exit());
process.send?.(ports);
