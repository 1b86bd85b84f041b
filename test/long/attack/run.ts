import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { settle } from "../../chaos/accounts.ts";
import { ServeProcess } from "../../chaos/serve-process.ts";
import { freePort } from "../../support/free-port.ts";
import type { Attacked } from "./attack.ts";
import { attacks } from "./attacks.ts";
import { countingBackend } from "./backend.ts";
import { Control } from "./control.ts";
import { HonestClients } from "./honest.ts";
import { localAttacks, runTests } from "./local.ts";
import { ProcessUse } from "./memory.ts";

/*
 * npm run attack [-- SECONDS [TEXT]]: attacks a fresh `serve` (journal, store, a backend, 512 MiB) in every way of docs/security.md that needs a network,
 * each for so long (5 s) and then all at once; attacks on files, locks and programs of specs are tests, which run beside it. All the while honest clients send runs and wait for each acknowledgement. TEXT: only attacks whose names
 * hold it. The table shows, beside the longest wait of an honest client, that of a server which does nothing (control), and for how much of the time
 * the collector was ready and got no processor (starved): on a machine that is busy otherwise both say so. Ends with 1 when an honest client waits for more than 2 s, memory exceeds 1.2 times the limit, anything acknowledged is lost or doubled,
 * an attack is answered otherwise than it should be, or the process ends.
 */

const SECONDS = Number(process.argv[2] ?? 5);
const WANTED = process.argv[3] ?? "";
const LIMIT_MIB = 512;
const LONGEST_WAIT_MS = 2_000;
const MOST_OF_LIMIT = 1.2;

interface Row {
  readonly tried: string;
  readonly requests: number;
  readonly peakMib: number;
  readonly longestMs: number;
  readonly refusals: number;
  /** The longest wait at a server that does nothing, under the same load. */
  readonly controlMs: number;
  /** Of one processor. */
  readonly cpuShare: number;
  /** Of the time: the main thread was ready and got no processor. */
  readonly starvedShare: number;
  readonly wrong: readonly string[];
}

const readToken = `read-${process.pid}-${Date.now()}`;
const folder = mkdtempSync(join(tmpdir(), "tracejury-attack-"));
const [httpPort, grpcPort, adminPort] = [await freePort(), await freePort(), await freePort()];
const backend = await countingBackend(/^0+a0\d/);
const verdicts = join(folder, "verdicts.jsonl");
const serving = await ServeProcess.start({ config: configIn(folder) });
const memory = new ProcessUse(serving.pid);
const honest = new HonestClients(httpPort, grpcPort);
const control = await Control.start();
const rows: Row[] = [];
let failed = false;
try {
  await sleep(3_000);
  rows.push(await phase("nothing", nothing));
  const wanted = attacks.flatMap(({ name }, index) => (name.includes(WANTED) ? [index] : []));
  for (const index of wanted) {
    const { name = "", leastSeconds = 0 } = attacks[index] ?? {};
    rows.push(await phase(name, async () => [await attacker(index, Math.max(SECONDS, leastSeconds))]));
  }
  for (const { name, tests } of localAttacks.filter(({ name }) => name.includes(WANTED)))
    rows.push(await phase(name, async () => [await runTests(tests, folder)]));
  if (wanted.length > 1) {
    const all = async () =>
      (await Promise.all(wanted.map((index) => attacker(index, 4 * SECONDS)))).map(inCompany);
    rows.push(await phase("all at once", all));
  }
  rows.push(await phase("nothing, afterwards", nothing));
  await honest.stop();
  const { missing, wrong, doubled } = await settled();
  const unsent = [...honest.acknowledged.keys()].filter((id) => !backend.times.has(id));
  const sentTwice = [...backend.times].filter(([id, times]) => times > 1 && !honest.resent.has(id)).length;
  const lost = missing.length + wrong.length + unsent.length;
  const twice = doubled.length + sentTwice;
  console.log(
    [
      "tried".padEnd(96),
      " requests",
      "     peak",
      "  longest",
      "sent again",
      "  control",
      "   CPU",
      "starved",
    ].join("  "),
  );
  for (const row of rows) show(row);
  const longestMs = Math.max(...rows.map((row) => row.longestMs));
  console.log(
    `\n${honest.acknowledged.size} honest runs acknowledged; lost ${lost} (without verdict ${missing.length}, incomplete ${wrong.length}, ` +
      `not sent on ${unsent.length}), doubled ${twice}; peak memory ${memory.overall.toFixed(0)} MiB of ${LIMIT_MIB}; longest wait ${longestMs.toFixed(0)} ms`,
  );
  check("nothing is lost or doubled", lost + twice === 0);
  check(`no honest client waits for more than ${LONGEST_WAIT_MS} ms`, longestMs <= LONGEST_WAIT_MS);
  check(`memory stays below ${MOST_OF_LIMIT} of its limit`, memory.overall <= MOST_OF_LIMIT * LIMIT_MIB);
  check(
    "every attack is answered as it should be",
    rows.every((row) => row.wrong.length === 0),
  );
  check("the process lives", !serving.hasCrashed);
} finally {
  await serving.end("SIGKILL");
  backend.close();
  control.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (failed) console.log(serving.log.slice(-3_000));
process.exit(failed ? 1 : 0);

function configIn(dir: string): string {
  const spec = join(dir, "chaos.yaml");
  writeFileSync(spec, 'version: 1\nagent: chaos\nqueries: [{ query: "*", path: { max_tool_calls: 100 } }]\n');
  const config = join(dir, "config.yaml");
  const settings = {
    specs: [spec],
    data_dir: join(dir, "data"),
    receive: { http: `127.0.0.1:${httpPort}`, grpc: `127.0.0.1:${grpcPort}` },
    admin: `127.0.0.1:${adminPort}`,
    store: { mode: "sqlite", path: join(dir, "store.db") },
    export: { file: verdicts },
    forward: [{ endpoint: backend.endpoint }],
    limits: { memory: `${LIMIT_MIB}MiB` },
    judge: { mode: "off" },
    security: {
      tokens: [
        { token: `admin-${process.pid}-${Date.now()}`, scopes: ["admin"] },
        { token: readToken, scopes: ["read"] },
      ],
    },
    telemetry: { log_format: "json", log_level: "warn" },
  };
  writeFileSync(config, JSON.stringify(settings));
  return config;
}

/**
 * Of attacks side by side: new connections wait for those of a flood, as Node accepts one in each turn of its event loop, and attackers have so
 * little of the processor that they are cut as slow senders. Each by itself has to be answered.
 */
function inCompany({ requests, wrong }: Attacked): Attacked {
  return { requests, wrong: wrong.filter((one) => !/answered (late|closed)$/.test(one)) };
}

async function nothing(): Promise<readonly Attacked[]> {
  await sleep(3_000);
  return [];
}

/** Measures the collector and its honest clients while `attack` runs. */
async function phase(tried: string, attack: () => Promise<readonly Attacked[]>): Promise<Row> {
  memory.restart();
  honest.takeWaits();
  control.takeLongestMs();
  const [begunMs, begunCpuMs, begunWaitMs] = [performance.now(), memory.cpuMs(), memory.processorWaitMs()];
  const ran = await attack();
  const { longestMs, refusals } = honest.takeWaits();
  const controlMs = control.takeLongestMs();
  const tookMs = performance.now() - begunMs;
  const row = {
    tried,
    requests: ran.reduce((sum, one) => sum + one.requests, 0),
    peakMib: memory.read(),
    longestMs,
    refusals,
    controlMs,
    cpuShare: (memory.cpuMs() - begunCpuMs) / tookMs,
    starvedShare: (memory.processorWaitMs() - begunWaitMs) / tookMs,
    wrong: ran.flatMap((one) => one.wrong),
  };
  if (ran.length > 0) await sleep(500);
  return row;
}

async function attacker(index: number, seconds: number): Promise<Attacked> {
  const script = fileURLToPath(new URL("attacker.js", import.meta.url));
  const addresses = [httpPort, grpcPort, adminPort].map((port) => `127.0.0.1:${port}`);
  const child = spawn(process.execPath, [script, String(index), String(seconds), ...addresses], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ATTACK_READ_TOKEN: readToken },
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000 + 60_000);
  const [written] = await Promise.all([text(child.stdout), once(child, "close")]);
  clearTimeout(timer);
  const name = attacks[index]?.name ?? "";
  if (written.trim() === "") return { requests: 0, wrong: [`${name}: the attacker did not end`] };
  const { requests, wrong } = JSON.parse(written) as Attacked;
  return { requests, wrong: wrong.map((one) => `${name.slice(0, 30)}…: ${one}`) };
}

/** Waits until every honest run has its verdict and was sent on, at most a minute. */
async function settled() {
  const until = performance.now() + 60_000;
  for (;;) {
    const accounts = settle(verdicts, honest.acknowledged);
    const isSentOn = [...honest.acknowledged.keys()].every((id) => backend.times.has(id));
    if ((accounts.missing.length === 0 && isSentOn) || performance.now() > until) return accounts;
    await sleep(500);
  }
}

function show(row: Row): void {
  const { tried, requests, peakMib, longestMs, refusals, controlMs, cpuShare, starvedShare, wrong } = row;
  const cells = [
    tried.padEnd(96),
    String(requests).padStart(9),
    `${peakMib.toFixed(0)} MiB`.padStart(9),
    `${longestMs.toFixed(0)} ms`.padStart(9),
    `${refusals}`.padStart(4),
    `${controlMs.toFixed(0)} ms`.padStart(9),
    `${(100 * cpuShare).toFixed(0)} %`.padStart(6),
    `${(100 * starvedShare).toFixed(0)} %`.padStart(7),
    wrong.join("; "),
  ];
  console.log(cells.join("  ").trimEnd());
}

function check(what: string, holds: boolean): void {
  failed ||= !holds;
  console.log(`${holds ? "holds " : "BROKEN"}  ${what}`);
}
