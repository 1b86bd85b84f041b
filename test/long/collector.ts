import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Collector } from "../../bench/collector/collector.ts";
import { settle } from "../chaos/accounts.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { freePorts, load, type Peer, type Ports, Tracejury, within } from "./servers/tracejury.ts";

/*
 * npm run long -- collector [KILLS [PART…]]: `serve` between two OpenTelemetry Collectors with queues on disk, over HTTP and gRPC. Each of
 * the three is killed repeatedly while two senders send. Each acknowledged span must arrive at the backend, and each trace must have a
 * verdict on its complete run. Afterwards `serve` refuses requests because its memory is full; the retries of the Collector must deliver
 * everything. Needs Go the first time.
 */

type Protocol = "http" | "grpc";

const kills = Number(process.argv[2] ?? 6);
const wanted = process.argv.slice(3);

function sendingTo(home: string, ports: Ports, next: Ports, protocol: Protocol): Collector {
  const exporter = protocol === "http" ? "otlphttp" : "otlp";
  mkdirSync(home, { recursive: true });
  const settings = {
    endpoint: protocol === "http" ? `http://127.0.0.1:${next.http}` : `127.0.0.1:${next.grpc}`,
    tls: { insecure: true },
    timeout: "5s",
    sending_queue: { storage: "file_storage", num_consumers: 1, queue_size: 100_000 },
    retry_on_failure: { initial_interval: "100ms", max_interval: "1s", max_elapsed_time: "0s" },
  };
  return new Collector(home, ports, { exporters: { [exporter]: settings }, storage: { fsync: false } });
}

/** senders → Collector → tracejury → Collector → backend */
async function between(folder: string, protocol: Protocol): Promise<object> {
  const sink = await startOtlpSink();
  const [outer, inner] = [await freePorts(), await freePorts()];
  const endpoint = `http://127.0.0.1:${protocol === "http" ? inner.http : inner.grpc}`;
  const tracejury = await Tracejury.in(folder, { settings: { forward: [{ endpoint, protocol }] } });
  const backend = { http: Number(new URL(sink.endpoint).port), grpc: 0 };
  const peers: readonly Peer[] = [
    tracejury,
    sendingTo(join(folder, "before"), outer, tracejury.ports, protocol),
    sendingTo(join(folder, "after"), inner, backend, "http"),
  ];
  for (const peer of peers) await peer.start();
  const loading = load(outer, 0);
  for (let kill = 0; kill < kills; kill++) {
    await sleep(500 + Math.random() * 1500);
    const peer = peers[kill % peers.length];
    await peer?.end("SIGKILL");
    await sleep(Math.random() * 1000);
    await peer?.start();
  }
  await loading.stop();
  const { acknowledged } = loading;
  const unsent = (): number => {
    const arrived = new Set(sink.spans.map(({ traceId, spanId }) => traceId + spanId)).size;
    return [...acknowledged.values()].reduce((sum, tools) => sum + tools + 1, 0) - arrived;
  };
  const figures = await settled(tracejury, acknowledged, () => unsent() <= 0);
  for (const peer of peers) await peer.end("SIGTERM");
  await sink.close();
  return { ...figures, unsent: Math.max(0, unsent()) };
}

/** senders → Collector → tracejury, whose memory is full after one or two seconds */
async function refusing(folder: string, protocol: Protocol): Promise<object> {
  const outer = await freePorts();
  const settings = {
    journal: { budget: "1MiB" },
    assemble: { root_quiet: "200ms", root_open: "300ms", late_window: "500ms" },
  };
  const tracejury = await Tracejury.in(folder, { settings });
  const collector = sendingTo(join(folder, "before"), outer, tracejury.ports, protocol);
  await tracejury.start();
  await collector.start();
  const loading = load(outer, 10_000);
  await sleep(10_000);
  await loading.stop();
  const figures = await settled(tracejury, loading.acknowledged, () => true);
  const refused = await tracejury.counter("tracejury_receiver_requests_total", 'outcome="unavailable"');
  await collector.end("SIGTERM");
  await tracejury.end("SIGTERM");
  return { ...figures, refused, neverRefused: refused > 0 ? 0 : 1 };
}

async function settled(tracejury: Tracejury, sent: ReadonlyMap<string, number>, isSent: () => boolean) {
  const accounts = (): ReturnType<typeof settle> => settle(tracejury.verdicts, sent);
  await within(180, () => accounts().missing.length + accounts().wrong.length === 0 && isSent());
  const { traces, spans, missing, wrong, doubled } = accounts();
  return { traces, spans, lost: missing.length, incomplete: wrong.length, doubled: doubled.length };
}

let isGood = true;
for (const protocol of ["http", "grpc"] as const)
  for (const [name, run] of Object.entries({ between, refusing })) {
    const part = `${name}, ${protocol}`;
    if (wanted.length > 0 && !wanted.includes(part)) continue;
    const folder = mkdtempSync(join(tmpdir(), "tracejury-collector-"));
    try {
      const figures = new Map(Object.entries(await run(folder, protocol)));
      console.log(JSON.stringify({ part, ...Object.fromEntries(figures) }));
      const bad = ["lost", "incomplete", "doubled", "unsent", "neverRefused"];
      isGood &&= bad.every((one) => (figures.get(one) ?? 0) === 0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
process.exitCode = isGood ? 0 : 1;
