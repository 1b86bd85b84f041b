import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultPatience } from "../../src/assemble/patience.ts";
import { startLive } from "../../src/cli/serve/live.ts";
import type { LiveSettings } from "../../src/cli/serve/live-options.ts";
import { exportDefaults } from "../../src/export/settings.ts";
import { forwardDefaults } from "../../src/forward/settings.ts";
import { benchSpec } from "../engine.ts";
import type { Served } from "../harness/served.ts";
import type { Ports } from "./peers.ts";

/** All of `serve` with one spec. Its folder ends with the process. */
export async function live(served: Served): Promise<Ports> {
  const { holdMs = 500, idleMs = defaultPatience.idleMs, sampled = 1 } = served;
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const { listening } = await startLive({
    settings: {
      http: "127.0.0.1:0",
      grpc: "127.0.0.1:0",
      admin: "127.0.0.1:0",
      maxBody: 20 * 2 ** 20,
      patience: { ...defaultPatience, rootQuietMs: holdMs, idleMs, lateWindowMs: 0 },
      export: exportDefaults,
      attributes: [],
      prices: {},
      otelcolNames: false,
      sampling: { rate: sampled, agents: new Map(), queries: new Map(), always: [] },
      ...kept(served),
    },
    specs: [benchSpec()],
    unasked: { judge: "off" },
    log: silent as never,
  });
  return { http: portOf(listening.http), grpc: portOf(listening.grpc) };
}

function kept({ forwardTo, durability = "memory" }: Served): Partial<LiveSettings> {
  const dataDir = mkdtempSync(join(tmpdir(), "tracejury-bench-"));
  process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  const destinations = forwardTo === undefined ? [] : [{ ...forwardDefaults, endpoint: forwardTo }];
  return {
    forward: { destinations, dataDir, durability },
    ...(durability === "memory"
      ? {}
      : { journal: { dir: join(dataDir, "journal"), durability, budget: 2 ** 31 } }),
  };
}

function portOf(address: string | null): number {
  return Number(address?.slice(address.lastIndexOf(":") + 1));
}
