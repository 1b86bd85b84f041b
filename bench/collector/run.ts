import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { bodiesOf } from "../data/bodies.ts";
import { type Profile, profiles } from "../data/requests.ts";
import { Child, pin } from "../harness/child.ts";
import { conclude, type Goal, type Result } from "../harness/result.ts";
import { table } from "../harness/table.ts";
import { buildCollector } from "./build.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const bodiesFolder = join(root, "dist/collector/bodies");
const COLLECTOR_PORT = 24318;
/** Longer than anything is sent for: all of it is held when the memory is read. */
const HOLD_MS = 30_000;

/** What the sender tells: spans taken, seconds of the server's CPU, its resident bytes before and at most. */
interface Sent {
  readonly spans: number;
  readonly refused: number;
  readonly cpu: number;
  readonly idle: number;
  readonly peak: number;
}

interface Server {
  readonly port: number;
  readonly pid: number;
  stop(): void;
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    only: { type: "string", multiple: true, default: [] },
    json: { type: "string" },
  },
});
const rounds = Math.max(1, Number(values.rounds));
const built = buildCollector();
const results: Result[] = [];
const wanted = (name: string): boolean => values.only.length === 0 || values.only.includes(name);

const discard = createServer((request, response) => {
  request.resume().on("end", () => response.end());
});
await new Promise<void>((resolve) => void discard.listen(0, "127.0.0.1", resolve));
const backend = `http://127.0.0.1:${(discard.address() as AddressInfo).port}`;

for (const profile of profiles) {
  writeBodies(profile);
  const cpuGoal: Goal = { atMost: 1 / 2.5 };
  if (wanted(`P1.${profile}`)) {
    const what = "CPU a span: serve with a spec / Collector otlp → nop";
    results.push(conclude({ name: `P1.${profile}`, what, goal: cpuGoal }, await compare(profile, cpuOf)));
  }
  if (profile !== "small" && wanted(`P3.${profile}`)) {
    const what = "resident bytes a held span: serve / Collector tail_sampling";
    results.push(
      conclude({ name: `P3.${profile}`, what, goal: { atMost: 1 / 3 } }, await compare(profile, memoryOf)),
    );
  }
}
for (const profile of ["genai", "plain"] as const) {
  const forwarded: Goal = { atMost: profile === "genai" ? 1 / 3 : 1 / 5 };
  for (const [name, how, goal] of [
    ["P4", "batched", forwarded],
    ["P5", "durable", { atMost: 1 / 5 }],
  ] as const) {
    if (!wanted(`${name}.${profile}`)) continue;
    const what =
      how === "batched"
        ? "CPU a span: serve with a spec that sends on / Collector otlp → batch → otlphttp"
        : "CPU a span: the same, synced to the disk before the answer / Collector with file_storage and fsync";
    results.push(
      conclude({ name: `${name}.${profile}`, what, goal }, await compare(profile, sendingOn(how))),
    );
    const added = "CPU a span that sending on adds, each against itself without";
    const rounds = await compare(profile, addedBy(how));
    results.push(conclude({ name: `${name}.${profile}.added`, what: added, goal }, rounds));
  }
}
discard.close();
process.stdout.write(`${table(results)}\n`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);

function writeBodies(profile: Profile): void {
  const folder = join(bodiesFolder, profile);
  mkdirSync(folder, { recursive: true });
  const { protobuf } = bodiesOf(profile, profile === "small" ? 256 : 16);
  for (const [index, body] of protobuf.entries()) writeFileSync(join(folder, `${index}.pb`), body);
}

type Measure = (profile: Profile, side: "ours" | "collector", seed: number) => Promise<number>;

/** Ours divided by theirs, round by round. */
async function compare(profile: Profile, measure: Measure): Promise<number[]> {
  const measured: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const ours = await measure(profile, "ours", round);
    const theirs = await measure(profile, "collector", round);
    process.stderr.write(`${profile} ours ${ours.toFixed(2)} Collector ${theirs.toFixed(2)}\n`);
    measured.push(ours / theirs);
  }
  return measured;
}

/** Microseconds a span, until the server works no more. */
async function cpuOf(profile: Profile, side: "ours" | "collector", seed: number): Promise<number> {
  return cpuBy(profile, side === "ours" ? await ours(500) : await collector("nop.yaml"), seed);
}

type How = "batched" | "durable";

/** The same with a backend that all is sent on to. */
function sendingOn(how: How): Measure {
  return async (profile, side, seed) => {
    const durability = how === "durable" ? "fsync" : "memory";
    const server = side === "ours" ? await ours(500, [backend, durability]) : await collectorTo(how);
    return cpuBy(profile, server, seed);
  };
}

/** What it takes more than without. */
function addedBy(how: How): Measure {
  return async (profile, side, seed) =>
    (await sendingOn(how)(profile, side, seed)) - (await cpuOf(profile, side, seed));
}

/** Configures the Collector to send on as its documentation advises: in batches, or with a queue on the disk. */
function collectorTo(how: How): Promise<Server> {
  const storage = mkdtempSync(join(tmpdir(), "otelcol-"));
  const isDurable = how === "durable";
  const queue = isDurable ? { storage: "file_storage", queue_size: 100_000 } : { queue_size: 100_000 };
  const config = {
    extensions: isDurable ? { file_storage: { directory: storage, fsync: true } } : {},
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${COLLECTOR_PORT}` } } } },
    processors: isDurable ? {} : { batch: {} },
    exporters: { otlphttp: { endpoint: backend, compression: "none", sending_queue: queue } },
    service: {
      extensions: isDurable ? ["file_storage"] : [],
      telemetry: { metrics: { level: "none" }, logs: { level: "error" } },
      pipelines: {
        traces: { receivers: ["otlp"], processors: isDurable ? [] : ["batch"], exporters: ["otlphttp"] },
      },
    },
  };
  const path = join(storage, "config.yaml");
  writeFileSync(path, JSON.stringify(config));
  return collector(path);
}

/** Stops the server afterwards. */
async function cpuBy(profile: Profile, server: Server, seed: number): Promise<number> {
  try {
    const count = profile === "small" ? 1000 : 48;
    await send(profile, server, count, seed, true);
    const { cpu, spans } = await send(profile, server, count * 2, seed + 100, true);
    return (cpu * 1e6) / spans;
  } finally {
    server.stop();
  }
}

/** Growth of the resident set a span while all are held. */
async function memoryOf(profile: Profile, side: "ours" | "collector", seed: number): Promise<number> {
  const server = side === "ours" ? await ours(HOLD_MS) : await collector("hold.yaml");
  try {
    const { peak, idle, spans } = await send(profile, server, profile === "genai" ? 100 : 200, seed, false);
    return (peak - idle) / spans;
  } finally {
    server.stop();
  }
}

async function send(
  profile: Profile,
  { port, pid }: Server,
  count: number,
  seed: number,
  settle: boolean,
): Promise<Sent> {
  const { stdout } = await promisify(execFile)(built.sender, [
    `-url=http://127.0.0.1:${port}/v1/traces`,
    `-bodies=${join(bodiesFolder, profile)}`,
    `-pid=${pid}`,
    `-count=${count}`,
    `-seed=${seed}`,
    `-settle=${settle}`,
  ]);
  const sent = JSON.parse(stdout) as Sent;
  if (sent.refused > 0) throw new Error(`${sent.refused} requests were refused`);
  return sent;
}

async function ours(holdMs: number, more: readonly string[] = []): Promise<Server> {
  const child = await Child.start("live", holdMs, more);
  return { port: child.ports.http, pid: child.pid, stop: () => child.stop() };
}

async function collector(config: string): Promise<Server> {
  const path = resolve(root, "bench/collector", config);
  const [command, args] = pin(built.collector, ["--config", path]);
  const env = { ...process.env, GOMAXPROCS: "1" };
  while (await answers()) await sleep(100); // the one before may still be about to end
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "inherit"], env });
  for (let tries = 0; !(await answers()); tries++) {
    if (tries > 300 || child.exitCode !== null) throw new Error("the Collector does not come up");
    await sleep(100);
  }
  const stop = (): void => void child.kill("SIGKILL");
  return { port: COLLECTOR_PORT, pid: child.pid ?? 0, stop };
}

function answers(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(COLLECTOR_PORT, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
