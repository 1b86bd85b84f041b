import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../support/free-port.ts";
import { freePorts, type Ports, Tracejury, within } from "../servers/peers.ts";
import type { Backend } from "./backend.ts";
import { GrpcBackend, grpcTroubles } from "./grpc-backend.ts";
import { HttpBackend, httpTroubles } from "./http-backend.ts";
import { sendEachKind, sendFor, type Sent } from "./send.ts";

/*
 * npm run long -- backends [SECONDS [PART…]]: sends telemetry on to a backend over HTTP, then over gRPC. First the bytes there have to be the bytes that
 * came. Then the backend is in trouble for a while (down: a minute, the others SECONDS), and well again: all that was accepted has to arrive but for
 * what the backend refused for good, the counters have to balance, and those who send must not notice. At last it is down for longer than its queue
 * has room: senders are refused, and nothing that was accepted is missing.
 */

const seconds = Number(process.argv[2] ?? 15);
const wanted = process.argv.slice(3);
const DOWN_MS = 60_000;
/** These are not to be sent again. */
const FINAL = ["400", "INVALID_ARGUMENT"];

interface Scene {
  readonly backend: Backend;
  readonly tracejury: Tracejury;
  readonly ports: Ports;
}

/** Figures, and whether they are as they should be. */
interface Seen {
  readonly isGood: boolean;
  readonly [figure: string]: unknown;
}

async function withBackend(
  backend: Backend,
  more: object,
  play: (scene: Scene) => Promise<Seen>,
): Promise<Seen> {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-backends-"));
  await backend.listen();
  const [ports, admin] = [await freePorts(), await freePort()];
  const { endpoint, protocol } = backend;
  const forward = [{ endpoint, protocol, timeout: "2s", ...more }];
  const tracejury = new Tracejury(folder, ports, admin, { forward });
  await tracejury.start();
  try {
    const seen = await play({ backend, tracejury, ports });
    if (!seen.isGood) console.error(tracejury.log);
    return seen;
  } finally {
    await tracejury.end("SIGTERM");
    await backend.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bytes({ backend, ports }: Scene): Promise<Seen> {
  const posted = await sendEachKind(ports, backend.protocol);
  const missing = (): string[] =>
    posted.flatMap(({ kind, digests }) =>
      digests.every((one) => backend.taken.digests.has(one)) ? [] : [kind],
    );
  await within(10, () => missing().length === 0);
  return { isGood: missing().length === 0, equal: posted.map(({ kind }) => kind), changed: missing() };
}

async function trouble(name: string, { backend, tracejury, ports }: Scene): Promise<Seen> {
  const before = await sendFor(5_000, ports, 1);
  if (name === "down") await backend.stop();
  backend.fall(name);
  const attempts = backend.taken.requests;
  const during = await sendFor(name === "down" ? DOWN_MS : seconds * 1000, ports, 2);
  const tries = backend.taken.requests - attempts;
  backend.fall(null);
  if (name === "down") await backend.listen();
  const healed = performance.now();
  const after = await sendFor(2_000, ports, 3);
  const settled = await settle({ backend, tracejury, ports }, [before, during, after]);
  const refused = await refusals(tracejury);
  const { missing, dropped } = settled;
  const isComplete = FINAL.includes(name) ? missing === 5 * dropped : missing === 0 && dropped === 0;
  return {
    isGood: isComplete && settled.balances && refused === 0,
    ...settled,
    refused,
    unanswered: before.untaken + during.untaken + after.untaken - refused,
    tries,
    ackMs: { before: shares(before.latenciesMs), during: shares(during.latenciesMs) },
    drainedS: Math.round((performance.now() - healed) / 100) / 10,
    peakMiB: peakMiB(tracejury.pid),
  };
}

/** Down for longer than the queue has room. */
async function fullQueue(scene: Scene): Promise<Seen> {
  const { backend, ports, tracejury } = scene;
  await backend.stop();
  const during = await sendFor(seconds * 1000, ports, 2, 20_000);
  await backend.listen();
  const settled = await settle(scene, [during]);
  const refused = await refusals(tracejury);
  const isGood = settled.missing === 0 && settled.dropped === 0 && settled.balances && refused > 0;
  return { isGood, ...settled, refused, peakMiB: peakMiB(tracejury.pid) };
}

/** Waits until nothing waits any more, then counts. */
async function settle({ backend, tracejury }: Scene, sent: readonly Sent[]) {
  const all = sent.flatMap(({ spans }) => [...spans]);
  const missing = (): number => all.filter((id) => !backend.taken.spans.has(id)).length;
  const count = (metric: string): Promise<number> => tracejury.counter(`tracejury_forward_${metric}`);
  for (let waited = 0; waited < 180 && (await count("queue_requests")) > 0; waited++) await sleep(500);
  await within(5, () => missing() === 0);
  const accepted = await count("accepted_total");
  const delivered = await count("delivered_total");
  const dropped = await count("dropped_total");
  const waiting = await count("queue_requests");
  const balances =
    accepted + (await count("recovered_total")) === delivered + dropped + waiting && waiting === 0;
  return { spans: all.length, missing: missing(), accepted, delivered, dropped, waiting, balances };
}

/** Requests that senders were asked to send again; one that got no answer in time, as on a busy machine, is none. */
function refusals(tracejury: Tracejury): Promise<number> {
  return tracejury.counter("tracejury_receiver_requests_total", 'outcome="unavailable"');
}

function shares(values: readonly number[]): { p50: number; p99: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.floor(sorted.length * share)] ?? Number.NaN) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99) };
}

function peakMiB(pid: number): number {
  const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(found) / 1024);
}

const protocols = [
  { open: () => new HttpBackend(), troubles: Object.keys(httpTroubles) },
  { open: () => new GrpcBackend(), troubles: Object.keys(grpcTroubles) },
];
let allGood = true;
for (const { open, troubles } of protocols) {
  for (const part of ["bytes", "down", ...troubles, "full queue"]) {
    const backend = open();
    const name = `${backend.protocol}: ${part}`;
    if (wanted.length > 0 && !wanted.includes(part) && !wanted.includes(name)) continue;
    const play = part === "bytes" ? bytes : part === "full queue" ? fullQueue : trouble.bind(null, part);
    const seen = await withBackend(backend, part === "full queue" ? { queue: "2MiB" } : {}, play);
    console.log(JSON.stringify({ part: name, ...seen }));
    allGood &&= seen.isGood;
  }
}
process.exitCode = allGood ? 0 : 1;
