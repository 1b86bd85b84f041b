import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cpuUsOf, residentOf } from "../../../bench/harness/process-use.ts";
import { settle } from "../../chaos/accounts.ts";
import { underAllocatorSettings } from "../servers/allocator-settings.ts";
import { load, randomSeries, Tracejury, within } from "../servers/tracejury.ts";
import type { Attacked } from "./attack.ts";
import { attacks } from "./attacker.ts";
import { countingBackend } from "./backend.ts";
import { Starvation } from "./starvation.ts";

/*
 * npm run attack [-- SECONDS [TEXT|TEXT…]]: starts `serve` with a journal, a store, a backend, 512 MiB and the allocator settings. Runs the
 * network attacks of docs/security.md, each for SECONDS (default 5), and then all of them at once. Honest clients send runs during all of
 * it and wait for each acknowledgement. TEXT selects attacks by a part of their names.
 * The column "starved" is the share of time in which the collector was ready to run but had no processor. Waits are measured without this
 * time.
 * Exit code 1: an honest client waited for more than 2 s, memory exceeded 1.2 times its limit, acknowledged telemetry was lost or doubled,
 * an attack got an unexpected answer, or the process ended.
 */

const SECONDS = Number(process.argv[2] ?? 5);
const WANTED = (process.argv[3] ?? "").split("|");
const LIMIT_MIB = 512;
const LONGEST_WAIT_MS = 2_000;
const MIB = 2 ** 20;

interface Row {
  readonly tried: string;
  readonly requests: number;
  readonly peakMib: number;
  readonly longestMs: number;
  readonly refusals: number;
  /** As a share of one processor. */
  readonly cpuShare: number;
  readonly starvedShare: number;
  readonly wrong: readonly string[];
}

const readToken = `read-${process.pid}-${Date.now()}`;
const folder = mkdtempSync(join(tmpdir(), "tracejury-attack-"));
const series = randomSeries();
const backend = await countingBackend(series.toString(16).padStart(16, "0"));
const serve = await Tracejury.in(folder, {
  under: underAllocatorSettings(),
  settings: {
    assemble: {},
    store: { mode: "sqlite", path: join(folder, "store.db") },
    forward: [{ endpoint: backend.endpoint }],
    limits: { memory: `${LIMIT_MIB}MiB` },
    security: {
      tokens: [
        { token: `admin-${process.pid}-${Date.now()}`, scopes: ["admin"] },
        { token: readToken, scopes: ["read"] },
      ],
    },
    telemetry: { log_format: "json", log_level: "warn" },
  },
});
await serve.start();
const starvation = new Starvation(serve.pid);
const unstarvedMs = (): number => starvation.unstarvedMs;
const honest = load(serve.ports, 0, series, unstarvedMs);
let failed = false;
try {
  await sleep(3_000);
  const wanted = attacks.flatMap(({ name }, index) =>
    WANTED.some((text) => name.includes(text)) ? [index] : [],
  );
  const rows: Row[] = [await phase("nothing", [])];
  for (const index of wanted) {
    const { name = "", leastSeconds = 0 } = attacks[index] ?? {};
    rows.push(await phase(name, [index], Math.max(SECONDS, leastSeconds)));
  }
  if (wanted.length > 1) rows.push(await phase("all at once", wanted, 4 * SECONDS));
  rows.push(await phase("nothing, afterwards", []));
  await honest.stop();
  const sent = honest.acknowledged;
  const unsent = (): number => [...sent.keys()].filter((id) => !backend.times.has(id)).length;
  await within(60, () => settle(serve.verdicts, sent).missing.length + unsent() === 0, unstarvedMs);
  const { missing, wrong, doubled } = settle(serve.verdicts, sent);
  const sentTwice = [...backend.times].filter(([id, times]) => times > 1 && !honest.resent.has(id)).length;
  console.log(`${"attack".padEnd(96)}   requests       peak    longest  sent again     CPU  starved`);
  for (const row of rows) show(row);
  const [longestMs, peakMib] = [
    Math.max(...rows.map((row) => row.longestMs)),
    Math.max(...rows.map((row) => row.peakMib)),
  ];
  const lost = missing.length + wrong.length + unsent();
  const twice = doubled.length + sentTwice;
  console.log(
    `\n${sent.size} honest runs acknowledged; lost ${lost} (without verdict ${missing.length}, incomplete ${wrong.length}, ` +
      `not forwarded ${unsent()}), doubled ${twice}; peak memory ${peakMib.toFixed(0)} MiB of ${LIMIT_MIB}; longest wait ${longestMs.toFixed(0)} ms`,
  );
  check("nothing is lost or doubled", lost + twice === 0);
  check(`no honest client waits for more than ${LONGEST_WAIT_MS} ms`, longestMs <= LONGEST_WAIT_MS);
  check("memory stays below 1.2 times its limit", peakMib <= 1.2 * LIMIT_MIB);
  check(
    "every attack gets an expected answer",
    rows.every((row) => row.wrong.length === 0),
  );
  check("the process lives", !serve.hasCrashed);
} finally {
  starvation.stop();
  await serve.end("SIGKILL");
  backend.close();
  rmSync(folder, { recursive: true, force: true });
}
if (failed) console.log(serve.log.slice(-3_000));
process.exit(failed ? 1 : 0);

/** Measures the collector and its honest clients during these attacks. */
async function phase(tried: string, indices: readonly number[], seconds = 3): Promise<Row> {
  try {
    writeFileSync(`/proc/${serve.pid}/clear_refs`, "5");
  } catch {
    // Without permission to reset the peak, the peak is that of the whole time.
  }
  honest.takeWaits();
  const [begunMs, begun] = [performance.now(), cpuUsOf(serve.pid)];
  const ran = await Promise.all(indices.map((index) => attacker(index, seconds)));
  if (indices.length === 0) await sleep(seconds * 1000);
  const { longestMs, refusals } = honest.takeWaits();
  const tookUs = (performance.now() - begunMs) * 1000;
  const now = cpuUsOf(serve.pid);
  const wrong = ran.flatMap((one) => one.wrong);
  const row = {
    tried,
    requests: ran.reduce((sum, one) => sum + one.requests, 0),
    peakMib: residentOf(serve.pid).peak / MIB,
    longestMs,
    refusals,
    cpuShare: (now.used - begun.used) / tookUs,
    starvedShare: (now.waited - begun.waited) / tookUs,
    // If all attacks run at once, some get no answer: new connections wait behind a flood, because Node accepts one connection per turn of
    // the event loop. Attackers also get so little of the processor that they are disconnected as slow senders. When an attack runs alone,
    // it must be answered.
    wrong: indices.length > 1 ? wrong.filter((one) => !/answered (late|closed)$/.test(one)) : wrong,
  };
  await sleep(500);
  return row;
}

async function attacker(index: number, seconds: number): Promise<Attacked> {
  const script = fileURLToPath(new URL("attacker.js", import.meta.url));
  const { http, grpc, admin } = serve.ports;
  const addresses = [http, grpc, admin].map((port) => `127.0.0.1:${port}`);
  const child = spawn(process.execPath, [script, String(index), String(seconds), ...addresses], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ATTACK_READ_TOKEN: readToken },
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000 + 60_000);
  const [written] = await Promise.all([text(child.stdout), once(child, "close")]);
  clearTimeout(timer);
  const name = attacks[index]?.name ?? "";
  if (written.trim() === "") return { requests: 0, wrong: [`${name}: the attacking process did not end`] };
  const { requests, wrong } = JSON.parse(written) as Attacked;
  return { requests, wrong: wrong.map((one) => `${name.slice(0, 30)}…: ${one}`) };
}

function show(row: Row): void {
  const { tried, requests, peakMib, longestMs, refusals, cpuShare, starvedShare, wrong } = row;
  const cells = [
    tried.padEnd(96),
    String(requests).padStart(9),
    `${peakMib.toFixed(0)} MiB`.padStart(9),
    `${longestMs.toFixed(0)} ms`.padStart(9),
    `${refusals}`.padStart(10),
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
