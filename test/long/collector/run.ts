import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildCollector } from "../../../bench/collector/build.ts";
import { settle } from "../../chaos/accounts.ts";
import { freePort } from "../../support/free-port.ts";
import { type OtlpSink, startOtlpSink } from "../../support/otlp-sink.ts";
import {
  freePorts,
  load,
  type Peer,
  type Ports,
  type Protocol,
  Tracejury,
  within,
} from "../servers/peers.ts";

/*
 * npm run long -- collector [KILLS]: `serve` behind, in front of and between OpenTelemetry Collectors, over HTTP and gRPC, each with its queue on the disk.
 * Either is killed again and again while two senders send. Every span that was acknowledged must arrive at the other end: with a verdict that saw
 * the whole trace behind the Collector, and at the backend in front of it. Then `serve` refuses for want of room, and the Collector's retry has to
 * bring everything. The Collector is built with Go the first time.
 */

const kills = Number(process.argv[2] ?? 6);
const { collector: binary } = buildCollector();

class Collector implements Peer {
  readonly name = "collector";
  readonly #config: string;
  readonly #port: number;
  #child: ChildProcess | undefined;

  constructor(folder: string, ports: Ports, next: Ports, protocol: Protocol) {
    const storage = join(folder, "collector");
    mkdirSync(storage, { recursive: true });
    const exporter = protocol === "http" ? "otlphttp" : "otlp";
    const address = protocol === "http" ? `http://127.0.0.1:${next.http}` : `127.0.0.1:${next.grpc}`;
    const exporters = {
      [exporter]: {
        endpoint: address,
        tls: { insecure: true },
        timeout: "5s",
        sending_queue: { storage: "file_storage", num_consumers: 1, queue_size: 100_000 },
        retry_on_failure: { initial_interval: "100ms", max_interval: "1s", max_elapsed_time: "0s" },
      },
    };
    const config = {
      extensions: { file_storage: { directory: storage } },
      receivers: {
        otlp: {
          protocols: {
            http: { endpoint: `127.0.0.1:${ports.http}` },
            grpc: { endpoint: `127.0.0.1:${ports.grpc}` },
          },
        },
      },
      exporters,
      service: {
        extensions: ["file_storage"],
        telemetry: { metrics: { level: "none" }, logs: { level: "error" } },
        pipelines: { traces: { receivers: ["otlp"], exporters: [exporter] } },
      },
    };
    this.#port = ports.http;
    this.#config = join(folder, "collector.yaml");
    writeFileSync(this.#config, JSON.stringify(config));
  }

  async start(): Promise<void> {
    const child = spawn(binary, ["--config", this.#config], { stdio: ["ignore", "ignore", "inherit"] });
    this.#child = child;
    for (let tries = 0; !(await listens(this.#port)); tries++) {
      if (tries > 300 || child.exitCode !== null) throw new Error("the Collector does not come up");
      await sleep(100);
    }
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null) return;
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
  }
}

async function killInTurn(peers: readonly Peer[]): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    await sleep(500 + Math.random() * 1500);
    const peer = peers[kill % peers.length];
    await peer?.end("SIGKILL");
    await sleep(Math.random() * 1000);
    await peer?.start();
  }
}

/** senders → Collector → tracejury: every trace has one verdict that saw all of it. */
async function behind(folder: string, protocol: Protocol, more: object, padding: number): Promise<object> {
  const [outer, inner, admin] = [await freePorts(), await freePorts(), await freePort()];
  const tracejury = new Tracejury(folder, inner, admin, more);
  const collector = new Collector(folder, outer, inner, protocol);
  await tracejury.start();
  await collector.start();
  const loading = load(outer, padding);
  if (padding === 0) await killInTurn([tracejury, collector]);
  else await sleep(10_000);
  const acknowledged = await loading.stop();
  const accounts = (): ReturnType<typeof settle> => settle(tracejury.verdicts, acknowledged);
  await within(180, () => accounts().missing.length + accounts().wrong.length === 0);
  const refused = await tracejury.counter("tracejury_receiver_requests_total", 'outcome="unavailable"');
  const expired = await tracejury.counter("tracejury_assembler_spans_total", 'outcome="expired"');
  await collector.end("SIGTERM");
  await tracejury.end("SIGTERM");
  const { traces, spans, missing, wrong, doubled } = accounts();
  const figures = {
    traces,
    spans,
    lost: missing.length,
    incomplete: wrong.length,
    doubled: doubled.length,
    expired,
  };
  return { ...figures, ...(padding === 0 ? {} : { refused, wasRefused: refused > 0 }) };
}

/** senders → tracejury → Collector → backend: every span arrives. */
async function inFront(folder: string, protocol: Protocol, sink: OtlpSink): Promise<object> {
  const [outer, inner, admin] = [await freePorts(), await freePorts(), await freePort()];
  const address = protocol === "http" ? inner.http : inner.grpc;
  const forward = [{ endpoint: `http://127.0.0.1:${address}`, protocol }];
  const tracejury = new Tracejury(folder, outer, admin, { forward });
  const collector = new Collector(
    folder,
    inner,
    { http: Number(new URL(sink.endpoint).port), grpc: 0 },
    "http",
  );
  await tracejury.start();
  await collector.start();
  const loading = load(outer, 0);
  await killInTurn([tracejury, collector]);
  const acknowledged = await loading.stop();
  const lost = (): number => lostSpans(acknowledged, sink);
  await within(60, () => lost() === 0);
  await tracejury.end("SIGTERM");
  await collector.end("SIGTERM");
  const unique = [...spansByTrace(sink).values()].reduce((sum, { size }) => sum + size, 0);
  return { traces: acknowledged.size, lost: lost(), sentTwice: sink.spans.length - unique };
}

/** senders → Collector → tracejury → Collector → backend: every span arrives, and every trace has one verdict that saw all of it. */
async function between(folder: string, protocol: Protocol, sink: OtlpSink): Promise<object> {
  const [outer, middle, inner] = [await freePorts(), await freePorts(), await freePorts()];
  const address = protocol === "http" ? inner.http : inner.grpc;
  const forward = [{ endpoint: `http://127.0.0.1:${address}`, protocol }];
  const tracejury = new Tracejury(folder, middle, await freePort(), { forward });
  const backend = { http: Number(new URL(sink.endpoint).port), grpc: 0 };
  const [before, after] = [join(folder, "before"), join(folder, "after")];
  for (const one of [before, after]) mkdirSync(one);
  const first = new Collector(before, outer, middle, protocol);
  const last = new Collector(after, inner, backend, "http");
  const peers = [tracejury, first, last];
  for (const peer of peers) await peer.start();
  const loading = load(outer, 0);
  await killInTurn(peers);
  const acknowledged = await loading.stop();
  const accounts = (): ReturnType<typeof settle> => settle(tracejury.verdicts, acknowledged);
  await within(
    180,
    () => accounts().missing.length + accounts().wrong.length + lostSpans(acknowledged, sink) === 0,
  );
  for (const peer of peers) await peer.end("SIGTERM");
  const { traces, spans, missing, wrong, doubled } = accounts();
  return {
    traces,
    spans,
    lost: missing.length + lostSpans(acknowledged, sink),
    incomplete: wrong.length,
    doubled: doubled.length,
  };
}

/** Spans that were acknowledged and did not arrive. */
function lostSpans(acknowledged: ReadonlyMap<string, number>, sink: OtlpSink): number {
  const spans = spansByTrace(sink);
  let lost = 0;
  for (const [id, tools] of acknowledged) lost += tools + 1 - (spans.get(id)?.size ?? 0);
  return lost;
}

function spansByTrace(sink: OtlpSink): ReadonlyMap<string, ReadonlySet<string>> {
  const spans = new Map<string, Set<string>>();
  for (const { traceId, spanId } of sink.spans)
    spans.set(traceId, (spans.get(traceId) ?? new Set()).add(spanId));
  return spans;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

async function withSink<Result>(use: (sink: OtlpSink) => Promise<Result>): Promise<Result> {
  const sink = await startOtlpSink();
  try {
    return await use(sink);
  } finally {
    await sink.close();
  }
}

/** A journal for a second or two of what comes. */
const narrow = {
  journal: { budget: "1MiB" },
  assemble: { root_quiet: "200ms", root_open: "300ms", late_window: "500ms" },
};

const parts: Readonly<Record<string, (folder: string) => Promise<object>>> = {
  "behind, HTTP": (folder) => behind(folder, "http", {}, 0),
  "behind, gRPC": (folder) => behind(folder, "grpc", {}, 0),
  "behind, refusing, HTTP": (folder) => behind(folder, "http", narrow, 10_000),
  "behind, refusing, gRPC": (folder) => behind(folder, "grpc", narrow, 10_000),
  "in front, HTTP": (folder) => withSink((sink) => inFront(folder, "http", sink)),
  "between two, HTTP": (folder) => withSink((sink) => between(folder, "http", sink)),
  "between two, gRPC": (folder) => withSink((sink) => between(folder, "grpc", sink)),
  "in front, gRPC": (folder) => withSink((sink) => inFront(folder, "grpc", sink)),
};
const wanted = process.argv.slice(3);
let failed = false;
for (const [part, run] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(part)) continue;
  const folder = mkdtempSync(join(tmpdir(), "tracejury-collector-"));
  try {
    const figures = await run(folder);
    const counts = new Map(Object.entries(figures));
    for (const bad of ["lost", "incomplete", "doubled"]) if ((counts.get(bad) ?? 0) !== 0) failed = true;
    if (counts.get("wasRefused") === false) failed = true;
    console.log(JSON.stringify({ part, ...figures }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exitCode = failed ? 1 : 0;
