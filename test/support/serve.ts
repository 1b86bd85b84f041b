import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { defaultTraceTimeouts, type TraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { startCollectorProcess } from "../../src/collector/collector.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import type { CollectorOptions, CollectorSettings } from "../../src/collector/settings/options.ts";
import type { ForwardDestination } from "../../src/export/forward/settings.ts";
import type { ExportSettings } from "../../src/export/settings.ts";
import type { StoreSettings } from "../../src/store/settings.ts";
import { createLog } from "../../src/support/telemetry/log/log.ts";
import { type PlainSpan, requestAsProtobuf } from "../chaos/agent-trace.ts";
import { LONGEST_WAIT_MS } from "./eventually.ts";
import { exportDefaults, forwardDefaults } from "./settings-defaults.ts";

/** A store that keeps telemetry until the process ends. */
export const inMemory: StoreSettings = {
  mode: "memory",
  path: "",
  telemetry: true,
  retention: { maxAgeMs: 86_400_000, maxBytes: 2 ** 27 },
  perSecond: 1_000,
};

/** Options of `serve` in a test; all others have the defaults below. */
export interface ServeOptions
  extends
    Partial<Omit<CollectorOptions, "settings">>,
    Partial<Omit<CollectorSettings, "timeouts" | "export">> {
  readonly timeouts?: Partial<TraceTimeouts>;
  readonly export?: Partial<ExportSettings>;
  /** Folder of the journal and of the queues of outputs and backends; absent: everything is in memory. */
  readonly dataDir?: string;
  /** Backends that telemetry is forwarded to; requires `dataDir`. */
  readonly forwardTo?: readonly (Partial<ForwardDestination> & Pick<ForwardDestination, "endpoint">)[];
}

/** Starts the collector of `serve` in this process, on free ports, without judges and log output. The test must stop it. */
export function serve({ dataDir, forwardTo, ...options }: ServeOptions): Promise<Collector> {
  return startCollectorProcess({
    specs: [],
    judgeSkipPolicy: { judge: "off" },
    log: createLog({ level: "silent", format: "json" }),
    ...options,
    settings: {
      http: "127.0.0.1:0",
      grpc: "off",
      admin: "127.0.0.1:0",
      maxBody: 2 ** 26,
      attributes: [],
      prices: {},
      otelcolNames: false,
      ...(dataDir === undefined ? {} : inFolder(dataDir, forwardTo)),
      ...options,
      timeouts: { ...defaultTraceTimeouts, ...options.timeouts },
      export: { ...exportDefaults, ...options.export },
    },
  });
}

/** As `serve`; the collector is stopped when the test ends, if the test has not stopped it. */
export async function serveInTest(options: ServeOptions): Promise<Collector> {
  const live = await serve(options);
  onTestFinished(() => live.stop(1_000));
  return live;
}

/** The text of the metrics. */
export async function metricsOf({ listening }: Pick<Collector, "listening">): Promise<string> {
  return (await fetch(`http://${listening.admin}/metrics`)).text();
}

function inFolder(
  dataDir: string,
  forwardTo: ServeOptions["forwardTo"] = [],
): Pick<CollectorSettings, "journal" | "outputQueues" | "forward"> {
  // With a long timeout, a request that a busy machine answers late is not sent again.
  const destinations = forwardTo.map((one) => ({ ...forwardDefaults, timeoutMs: LONGEST_WAIT_MS, ...one }));
  return {
    journal: { dir: join(dataDir, "journal"), durability: "flush", budget: 2 ** 24 },
    outputQueues: { dir: join(dataDir, "export"), sync: false, mayYield: false },
    ...(destinations.length === 0 ? {} : { forward: { destinations, dataDir, durability: "flush" } }),
  };
}

/** Posts a request with telemetry; returns the status. */
export async function post(
  { listening }: Pick<Collector, "listening">,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const type = typeof body === "string" ? "application/json" : "application/x-protobuf";
  const answer = await fetch(`http://${listening.http}/v1/traces`, {
    method: "POST",
    headers: { "content-type": type, ...headers },
    body: typeof body === "string" ? body : Buffer.from(body),
  });
  return answer.status;
}

/** Posts spans as one request; returns the status. */
export function postSpans(live: Collector, spans: readonly PlainSpan[]): Promise<number> {
  return post(live, requestAsProtobuf(spans));
}

/** Posts a recording of test/fixtures/runs, one request per line. */
export async function postRecording(live: Pick<Collector, "listening">, recording: string): Promise<void> {
  const lines = readFileSync(`test/fixtures/runs/${recording}.jsonl`, "utf8").split("\n");
  for (const line of lines.filter((text) => text !== "")) {
    const status = await post(live, line);
    if (status !== 200) throw new Error(`${recording}: the collector answered with status ${status}`);
  }
}
