import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { openForwarding } from "../../src/collector/outputs/forwarding.ts";
import { startCollectorProcess } from "../../src/collector/collector.ts";
import type { CollectorSettings } from "../../src/collector/settings/options.ts";
import { acceptAndForward } from "../../src/export/forward/accept-and-forward.ts";
import { openJournal } from "../../src/journal/journal.ts";
import type { Accept } from "../../src/receive/ports.ts";
import { withoutPretenuring } from "../../src/receive/admission/garbage.ts";
import { createReceiver } from "../../src/receive/receiver.ts";
import { damageReport } from "../../src/support/telemetry/reports/damage-report.ts";
import { Records } from "../../src/support/telemetry/metrics/recorder.ts";
import { benchSpec } from "../engine.ts";
import type { Served } from "../harness/served.ts";
import type { Ports } from "./peers.ts";
import { exportDefaults, forwardDefaults } from "../../test/support/settings-defaults.ts";

/** All of `serve` with one spec. Its folder ends with the process. */
export async function live(served: Served): Promise<Ports> {
  const { holdMs = 500, idleMs = defaultTraceTimeouts.idleMs, sampled = 1, agent } = served;
  withoutPretenuring();
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const { listening } = await startCollectorProcess({
    settings: {
      http: "127.0.0.1:0",
      grpc: "127.0.0.1:0",
      admin: "127.0.0.1:0",
      maxBody: 20 * 2 ** 20,
      timeouts: { ...defaultTraceTimeouts, rootQuietMs: holdMs, idleMs, lateWindowMs: 0 },
      export: exportDefaults,
      attributes: [],
      prices: {},
      otelcolNames: false,
      sampling: { rate: sampled, agents: new Map(), queries: new Map(), always: [] },
      ...kept(served),
    },
    specs: [benchSpec(agent)],
    judgeSkipPolicy: { judge: "off" },
    log: silent as never,
  });
  return { http: portOf(listening.http), grpc: portOf(listening.grpc) };
}

type Kept = Pick<CollectorSettings, "journal"> & Required<Pick<CollectorSettings, "forward">>;

function kept({ forwardTo, durability = "memory" }: Served): Kept {
  const dataDir = mkdtempSync(join(tmpdir(), "tracejury-bench-"));
  process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  const destinations = forwardTo === undefined ? [] : [{ ...forwardDefaults, endpoint: forwardTo }];
  return {
    forward: { destinations, dataDir, durability },
    journal: durability === "memory" ? null : { dir: join(dataDir, "journal"), durability, budget: 2 ** 31 },
  };
}

/** The receiver, the journal and the queue of a backend as `serve` has them; nothing looks into the requests. */
export async function relay(served: Served): Promise<Ports> {
  const { journal: settings, forward } = kept(served);
  withoutPretenuring();
  const log = { debug() {}, info() {}, warn() {}, error() {} } as never;
  const recorder = new Records();
  const journal = settings && (await openJournal({ ...settings, budgetBytes: settings.budget }));
  const forwarder = await openForwarding(forward, {
    listeners: [],
    recorder,
    damage: damageReport(recorder, log, () => 0),
    log,
    eventsOf: () => ({ protobuf: () => new Uint8Array(), json: () => "" }),
  });
  const keep: Accept = async (body, request) => {
    const { signal, encoding } = request;
    const queues = forwarder?.journalBacked?.queuesFor(body, request, settings?.budget ?? 0) ?? [];
    const sent = { isCompressed: false, headers: {}, queues };
    const position = await journal?.append(body, { signal, encoding, receivedUnixMs: Date.now(), sent });
    if (journal && position !== undefined) {
      forwarder?.journalBacked?.begin(request, queues, journal.share(position));
      journal.release(position);
    }
    return { kind: "accepted", rejected: 0, message: "" };
  };
  const { listening } = await createReceiver({
    http: "127.0.0.1:0",
    grpc: "127.0.0.1:0",
    accept: forwarder === null ? keep : acceptAndForward(forwarder, keep, () => undefined),
    log,
  });
  return { http: portOf(listening.http), grpc: portOf(listening.grpc) };
}

function portOf(address: string | null): number {
  return Number(address?.slice(address.lastIndexOf(":") + 1));
}
