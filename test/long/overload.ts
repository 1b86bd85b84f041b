import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { bodiesOf } from "../../bench/data/bodies.ts";
import { renumber, traceIdPlaces } from "../../bench/data/trace-ids.ts";
import { specText } from "../../bench/engine.ts";
import { type Answer, postGrpc, postHttp } from "../../bench/harness/post.ts";
import { residentOf } from "../../bench/harness/process-use.ts";
import type { SdkAccount } from "./overload/sdk-worker.ts";
import { underAllocatorSettings } from "./servers/allocator-settings.ts";
import { Tracejury } from "./servers/tracejury.ts";

/*
 * npm run overload [-- SECONDS [MiB]]: for SECONDS (default 120), 32 connections send much more than `serve` can process with a memory
 * limit of MiB (default 300). An application with the OpenTelemetry SDK sends, too. Senders retry. Prints memory, refusals, missing
 * acknowledged telemetry, and the time until a request is accepted afterwards. Exit code 1: a promise is broken.
 */

const MIB = 2 ** 20;
const seconds = Number(process.argv[2] ?? 120);
const limit = Number(process.argv[3] ?? 300);
const HTTP_SENDERS = 24;
const GRPC_SENDERS = 8;
const mayRetry = new Set(["429", "503", "grpc 8", "grpc 14"]);

type Post = (body: Uint8Array) => Promise<Answer>;

/** Counts of all attempts. */
const tally = { attempts: 0, accepted: 0, acceptedSpans: 0, withoutHint: 0, failed: 0 };
const refusals = new Map<string, number>();
const latenciesMs: number[] = [];

/** Sends one body until it is accepted, refused without retry, or the time is over. */
async function deliver(post: Post, body: Uint8Array, spans: number, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    tally.attempts++;
    const began = performance.now();
    const answer = await post(body).catch((error: Error): Answer => ({
      status: error.message,
      retryAfterS: null,
    }));
    if (answer.status === "200") {
      tally.accepted++;
      tally.acceptedSpans += spans;
      latenciesMs.push(performance.now() - began);
      return;
    }
    refusals.set(answer.status, (refusals.get(answer.status) ?? 0) + 1);
    if (!mayRetry.has(answer.status)) return void tally.failed++;
    if (answer.retryAfterS === null) tally.withoutHint++;
    // Waits less than the server asks for; otherwise there would be no overload.
    await sleep(50);
  }
}

async function flood({ http, grpc }: Tracejury["ports"]): Promise<SdkAccount> {
  const { protobuf } = bodiesOf("genai", 6);
  const places = protobuf.map(traceIdPlaces);
  const until = performance.now() + seconds * 1000;
  const isOver = (): boolean => performance.now() > until;
  let round = 0;
  const lane = async (post: Post): Promise<void> => {
    while (!isOver()) {
      const at = round++ % protobuf.length;
      const body = (protobuf[at] ?? new Uint8Array()).slice();
      renumber(body, places[at] ?? [], round);
      await deliver(post, body, places[at]?.length ?? 0, isOver);
    }
  };
  const agents = Array.from({ length: HTTP_SENDERS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const sessions = Array.from({ length: GRPC_SENDERS }, () => connect(`http://127.0.0.1:${grpc}`));
  for (const session of sessions) session.on("error", () => undefined);
  const [sdk] = await Promise.all([
    runSdk(http),
    ...agents.map((agent) => lane((body) => postHttp(agent, http, body))),
    ...sessions.map((session) => lane((body) => postGrpc(session, body))),
  ]);
  for (const one of [...agents, ...sessions]) one.destroy();
  return sdk;
}

/** Runs in its own thread, so that it does not wait for the other senders. */
function runSdk(http: number): Promise<SdkAccount> {
  const script = fileURLToPath(new URL("overload/sdk-worker.js", import.meta.url));
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { workerData: { http, ms: seconds * 1000 } });
    worker.once("message", resolve).once("error", reject);
  });
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

const folder = mkdtempSync(join(tmpdir(), "overload-"));
const serve = await Tracejury.in(folder, {
  spec: specText(),
  under: underAllocatorSettings(),
  settings: { assemble: {}, export: {}, store: {}, limits: { memory: `${limit}MiB` } },
});
await serve.start();
const mib = (bytes: number): string => (bytes / MIB).toFixed(0);
const atRest = residentOf(serve.pid).now;
const seen: number[] = [];
const watch = setInterval(() => seen.push(residentOf(serve.pid).now), 200);
const promise = (what: string, holds: boolean): void => {
  if (!holds) process.exitCode = 1;
  console.log(`${holds ? "holds " : "BROKEN"}  ${what}`);
};
try {
  const sdk = await flood(serve.ports);
  clearInterval(watch);
  const codes = [...refusals].map(([code, count]) => `${code} × ${count}`).join(", ") || "none";
  console.log(
    `${tally.attempts} attempts, ${tally.accepted} accepted (${tally.acceptedSpans} spans); refused: ${codes}`,
  );
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(latenciesMs, share).toFixed(0));
  console.log(`  accepted ones took p50 ${p50} ms, p99 ${p99} ms`);
  console.log(
    `SDK exporter among them: ${sdk.exported} batches accepted, ${sdk.lost} lost ${sdk.reasons.join(", ")}`,
  );
  const began = performance.now();
  const [body = new Uint8Array()] = bodiesOf("genai", 1, 77).protobuf;
  while ((await postHttp(undefined, serve.ports.http, body)).status !== "200") await sleep(100);
  const recoveredMs = performance.now() - began;
  const spans = await serve.counter("tracejury_receiver_accepted_spans_total");
  const { peak } = residentOf(serve.pid);
  console.log(
    `memory: at rest ${mib(atRest)} MiB; median ${mib(quantile(seen, 0.5))}, p95 ${mib(quantile(seen, 0.95))}, peak ${mib(peak)}; limit ${limit}`,
  );
  promise(`resident memory stays below 1.2 × ${limit} MiB`, peak <= 1.2 * limit * MIB);
  promise("every refusal that allows a retry has a retry time", tally.withoutHint === 0);
  promise("no request is refused without retry", tally.failed === 0);
  const acknowledged = tally.acceptedSpans + sdk.spans + traceIdPlaces(body).length;
  promise("every acknowledged span is accounted for", spans >= acknowledged);
  promise("an SDK's exporter that sends again loses nothing", sdk.lost === 0);
  promise(`accepts requests ${recoveredMs.toFixed(0)} ms after the flood`, recoveredMs < 10_000);
} finally {
  clearInterval(watch);
  await serve.end("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
}
