import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { type ClientHttp2Session, connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { runSdk, type SdkAccount } from "./sdk-worker.ts";
import { bodiesOf } from "../../../bench/data/bodies.ts";
import { renumber, traceIdPlaces } from "../../../bench/data/trace-ids.ts";

/*
 * `npm run overload [seconds] [MiB]`: sends far more than `serve` can take, to a process that may take so much memory (300 MiB), for so long (120 s);
 * then 64 bodies at once that inflate to 60 MiB each. Senders retry as SDKs do. Says what memory was taken, what was refused and how, whether anything
 * that was acknowledged is missing, and how soon a single request gets through afterwards. Ends with 1 when a promise was broken.
 */

const MIB = 2 ** 20;
const SECONDS = Number(process.argv[2] ?? 120);
const LIMIT = Number(process.argv[3] ?? 300);
const HTTP_SENDERS = 24;
const GRPC_SENDERS = 8;
/** As exporters do: five attempts, then the batch is dropped. */
const MOST_ATTEMPTS = 1000;

interface Tally {
  attempts: number;
  accepted: number;
  acceptedSpans: number;
  /** By status, and of those that may be retried without being told when. */
  readonly refused: Map<string, number>;
  withoutHint: number;
  failed: number;
  latenciesMs: number[];
}

interface Answer {
  readonly status: string;
  readonly retryAfterS: number | null;
}

interface Server {
  readonly child: ChildProcess;
  readonly http: string;
  readonly grpc: string;
  readonly admin: string;
}

async function start(dir: string): Promise<Server> {
  const config = join(dir, "config.yaml");
  writeFileSync(
    config,
    `data_dir: ${join(dir, "data")}
receive: { http: "127.0.0.1:0", grpc: "127.0.0.1:0" }
admin: "127.0.0.1:0"
specs: [ bench/spec.yaml ]
limits: { memory: ${LIMIT}MiB }
judge: { mode: "off" }
telemetry: { log_level: warn, log_format: json }
`,
  );
  const child = spawn(process.execPath, ["bin/tracejury.js", "serve", "--config", config], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  for await (const line of lines) {
    const { listening } = JSON.parse(line) as { listening: Omit<Server, "child"> };
    return { child, ...listening };
  }
  throw new Error("serve did not start");
}

function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
  return { now: field("VmRSS"), peak: field("VmHWM") };
}

function tally(): Tally {
  return {
    attempts: 0,
    accepted: 0,
    acceptedSpans: 0,
    refused: new Map(),
    withoutHint: 0,
    failed: 0,
    latenciesMs: [],
  };
}

type Post = (body: Uint8Array, gzipped: boolean) => Promise<Answer>;

function httpPost(address: string, agent: Agent): Post {
  const { hostname, port } = new URL(`http://${address}`);
  return (body, gzipped) =>
    new Promise((resolve, reject) => {
      const headers = {
        "content-type": "application/x-protobuf",
        "content-length": body.length,
        ...(gzipped ? { "content-encoding": "gzip" } : {}),
      };
      const sent = request(
        { hostname, port, path: "/v1/traces", method: "POST", agent, headers },
        (response) => {
          const wait = response.headers["retry-after"];
          const answer = {
            status: String(response.statusCode),
            retryAfterS: wait === undefined ? null : Number(wait),
          };
          response.on("end", () => resolve(answer)).resume();
          response.on("error", reject);
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
}

function grpcPost(session: ClientHttp2Session): Post {
  return (body, gzipped) =>
    new Promise((resolve, reject) => {
      const stream = session.request({
        ":method": "POST",
        ":path": "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
        "content-type": "application/grpc",
        te: "trailers",
        ...(gzipped ? { "grpc-encoding": "gzip" } : {}),
      });
      const head: Record<string, string | string[] | number | undefined> = {};
      stream.on("response", (headers) => void Object.assign(head, headers));
      stream.on("trailers", (trailers) => void Object.assign(head, trailers));
      stream.on("error", reject);
      stream.on("close", () => {
        const status = head["grpc-status"];
        if (status === undefined) return reject(new Error("no status"));
        resolve({
          status: status === "0" ? "200" : `grpc ${String(Number(status))}`,
          retryAfterS: head["grpc-status-details-bin"] === undefined ? null : 1,
        });
      });
      stream.resume();
      const prefix = Buffer.alloc(5);
      prefix.writeUInt8(gzipped ? 1 : 0, 0);
      prefix.writeUInt32BE(body.length, 1);
      stream.write(prefix);
      stream.end(body);
    });
}

/** Sends one body until it is taken, or until it must not be sent again, or the time is over. */
async function deliver(
  post: Post,
  body: Uint8Array,
  spans: number,
  into: Tally,
  isOver: () => boolean,
  gzipped = false,
) {
  for (let attempt = 0; attempt < MOST_ATTEMPTS && !isOver(); attempt++) {
    into.attempts++;
    const began = performance.now();
    const answer = await post(body, gzipped).catch((error: Error) => ({
      status: error.message,
      retryAfterS: null,
    }));
    if (answer.status === "200") {
      into.accepted++;
      into.acceptedSpans += spans;
      into.latenciesMs.push(performance.now() - began);
      return;
    }
    into.refused.set(answer.status, (into.refused.get(answer.status) ?? 0) + 1);
    const mayRetry = ["429", "503", "grpc 8", "grpc 14"].includes(answer.status);
    if (!mayRetry) {
      into.failed++;
      return;
    }
    if (answer.retryAfterS === null) into.withoutHint++;
    // In a flood nobody waits as long as asked for; it would be none.
    await sleep(gzipped ? (answer.retryAfterS ?? 1) * 1000 * (0.5 + Math.random()) : 50);
  }
}

async function flood(server: Server, into: Tally): Promise<SdkAccount> {
  const { protobuf } = bodiesOf("genai", 6);
  const { protobuf: counted } = { protobuf: protobuf.map((body) => traceIdPlaces(body)) };
  const until = performance.now() + SECONDS * 1000;
  const isOver = (): boolean => performance.now() > until;
  let round = 0;
  const lane = async (post: Post): Promise<void> => {
    while (!isOver()) {
      const at = round++ % protobuf.length;
      const body = (protobuf[at] ?? new Uint8Array()).slice();
      renumber(body, counted[at] ?? [], round);
      await deliver(post, body, counted[at]?.length ?? 0, into, isOver);
    }
  };
  const agents = Array.from({ length: HTTP_SENDERS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const sessions = Array.from({ length: GRPC_SENDERS }, () => connect(`http://${server.grpc}`));
  for (const session of sessions) session.on("error", () => undefined);
  const [sdk] = await Promise.all([
    runSdk(server.http, SECONDS * 1000),
    ...agents.map((agent) => lane(httpPost(server.http, agent))),
    ...sessions.map((session) => lane(grpcPost(session))),
  ]);
  for (const agent of agents) agent.destroy();
  for (const session of sessions) session.destroy();
  return sdk;
}

function lengthDelimited(tag: number, inner: Uint8Array): Buffer {
  const head = [tag];
  let rest = inner.length;
  for (; rest > 127; rest >>>= 7) head.push((rest & 127) | 128);
  head.push(rest);
  return Buffer.concat([Buffer.from(head), inner]);
}

/** A request of 60 MiB with one span that has one long attribute. */
function oneLongText(): Buffer {
  const value = lengthDelimited(18, lengthDelimited(10, Buffer.alloc(60 * MIB, 0x61)));
  const ids = Buffer.from([10, 16, ...Array<number>(16).fill(9), 18, 8, ...Array<number>(8).fill(1)]);
  const attribute = lengthDelimited(74, Buffer.concat([lengthDelimited(10, Buffer.from("key")), value]));
  return lengthDelimited(10, lengthDelimited(18, lengthDelimited(18, Buffer.concat([ids, attribute]))));
}

/** A request of 60 MiB with nothing but the smallest of spans. */
function bareSpans(): Buffer {
  const span = Buffer.from([
    18,
    28,
    10,
    16,
    ...Array<number>(16).fill(8),
    18,
    8,
    ...Array<number>(8).fill(2),
  ]);
  const list = Buffer.alloc(Math.floor((60 * MIB) / span.length) * span.length);
  for (let at = 0; at < list.length; at += span.length) span.copy(list, at);
  return lengthDelimited(10, lengthDelimited(18, list));
}

async function bombs(server: Server, body: Uint8Array, into: Tally): Promise<void> {
  const until = performance.now() + 15_000;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const post = httpPost(server.http, agent);
  const isOver = (): boolean => performance.now() > until;
  await Promise.all(Array.from({ length: 64 }, () => deliver(post, body, 1, into, isOver, true)));
  agent.destroy();
}

async function counter(server: Server, name: string): Promise<number> {
  const text = await (await fetch(`http://${server.admin}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}

async function recovery(server: Server): Promise<number> {
  const began = performance.now();
  const [body = new Uint8Array()] = bodiesOf("genai", 1, 77).protobuf;
  const post = httpPost(server.http, new Agent({ keepAlive: false }));
  while ((await post(body, false)).status !== "200") await sleep(100);
  return performance.now() - began;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function say(
  name: string,
  { attempts, accepted, acceptedSpans, refused, withoutHint, failed, latenciesMs }: Tally,
): void {
  const codes = [...refused].map(([code, count]) => `${code} × ${count}`).join(", ") || "none";
  console.log(
    `${name}: ${attempts} attempts, ${accepted} accepted (${acceptedSpans} spans); refused: ${codes}`,
  );
  console.log(`  without a time to come back: ${withoutHint}; not to be sent again: ${failed}`);
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(latenciesMs, share).toFixed(0));
  console.log(`  accepted ones took p50 ${p50} ms, p99 ${p99} ms`);
}

async function main(): Promise<boolean> {
  const dir = mkdtempSync(join(tmpdir(), "overload-"));
  const server = await start(dir);
  const pid = server.child.pid ?? 0;
  const atRest = memoryOf(pid).now;
  const seen: number[] = [];
  const timer = setInterval(() => seen.push(memoryOf(pid).now), 200);
  const kept: boolean[] = [];
  const promise = (what: string, holds: boolean): void => {
    kept.push(holds);
    console.log(`${holds ? "holds " : "BROKEN"}  ${what}`);
  };
  try {
    const flooding = tally();
    const sdk = await flood(server, flooding);
    const afterFlood = memoryOf(pid).peak;
    const median = quantile(seen, 0.5).toFixed(0);
    const high = quantile(seen, 0.95).toFixed(0);
    say(`flood of ${SECONDS} s`, flooding);
    const reasons = [...sdk.reasons].map(([reason, count]) => `, ${reason} × ${count}`).join("");
    console.log(`SDK exporter among them: ${sdk.exported} batches taken, ${sdk.lost} lost${reasons}`);
    const recovered = await recovery(server);
    const used = await counter(server, "tracejury_memory_used_bytes");
    console.log(
      `after the flood ${(used / MIB).toFixed(0)} MiB are in the account, ${memoryOf(pid).now.toFixed(0)} are resident`,
    );
    const spans = await counter(server, "tracejury_receiver_accepted_spans_total");
    const [single] = bodiesOf("genai", 1, 77).protobuf.map((body) => traceIdPlaces(body).length);
    const long = tally();
    await bombs(server, gzipSync(oneLongText()), long);
    say("64 × 60 MiB, one text each", long);
    const bare = tally();
    await bombs(server, gzipSync(bareSpans()), bare);
    say("64 × 60 MiB of bare spans", bare);
    const peak = memoryOf(pid).peak;
    const collections = await counter(server, "tracejury_memory_collections_total");
    console.log(
      `memory: at rest ${atRest.toFixed(0)} MiB; flood median ${median}, p95 ${high}, peak ${afterFlood.toFixed(0)}; peak of all ${peak.toFixed(0)}; ` +
        `limit ${LIMIT}; garbage collected ${collections} times`,
    );
    promise(`resident memory stays below 1.2 × ${LIMIT} MiB`, peak <= 1.2 * LIMIT);
    const hints = flooding.withoutHint + long.withoutHint + bare.withoutHint;
    promise("every refusal that may be retried says when", hints === 0);
    promise("nothing in the flood is refused for good", flooding.failed === 0);
    promise(
      "every acknowledged span is accounted for",
      spans >= flooding.acceptedSpans + sdk.spans + (single ?? 0),
    );
    promise("an SDK's exporter that sends again loses nothing", sdk.lost === 0);
    promise(`takes requests ${recovered.toFixed(0)} ms after the flood`, recovered < 10_000);
  } finally {
    clearInterval(timer);
    server.child.kill("SIGTERM");
    await new Promise((resolve) => server.child.once("exit", resolve));
    rmSync(dir, { recursive: true, force: true });
  }
  return kept.every(Boolean);
}

process.exitCode = (await main()) ? 0 : 1;
