import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { agentTrace } from "../chaos/agent-trace.ts";
import { grpcSender, httpSender, sendUntilTaken } from "../chaos/senders.ts";
import { ServeProcess } from "../chaos/serve-process.ts";
import { freePort } from "../support/free-port.ts";

/*
 * npm run long -- soak [MINUTES [TRACES_PER_SECOND]]: a steady load on `serve`, half an hour by default, after its memory for ids has been filled. Says how resident memory and open
 * handles develop after the first third, and whether every span is in exactly one counter. Memory goes up and down with the garbage in it: its
 * slope is said with the spread around it, and the median of every five minutes. Ends with 1 when the counters do not balance, or memory grows
 * by more than a MiB a minute, or over the time by more than it goes up and down anyway.
 */

const minutes = Number(process.argv[2] ?? 30);
const perSecond = Number(process.argv[3] ?? 50);
const MOST_GROWTH = 2 ** 20;
/** The process remembers the ids of so many traces that are over: to see how memory goes from then on, there have to be as many. */
const REMEMBERED = 100_000;
const AT_ONCE = 250;

const folder = mkdtempSync(join(tmpdir(), "tracejury-soak-"));
const [http, grpc, admin] = [await freePort(), await freePort(), await freePort()];
const config = join(folder, "config.yaml");
writeFileSync(
  join(folder, "spec.yaml"),
  'version: 1\nagent: chaos\nqueries: [{ query: "*", path: { max_tool_calls: 99 } }]\n',
);
writeFileSync(
  config,
  JSON.stringify({
    data_dir: folder,
    receive: { http: `127.0.0.1:${http}`, grpc: `127.0.0.1:${grpc}` },
    admin: `127.0.0.1:${admin}`,
    specs: [join(folder, "spec.yaml")],
    assemble: { root_quiet: "1s", late_window: "10s" },
    export: { file: join(folder, "verdicts.jsonl") },
  }),
);

interface Sample {
  readonly minute: number;
  readonly rss: number;
  readonly handles: number;
}

const serve = await ServeProcess.start({ config });
const senders = [httpSender(http), grpcSender(grpc)];
let spans = 0;
await fill();
const samples: Sample[] = [];
const begun = performance.now();
const minute = (): number => (performance.now() - begun) / 60_000;
const sampling = setInterval(() => samples.push(sample()), 2_000);
let traces = 0;
const open = new Set<Promise<unknown>>();
while (minute() < minutes) {
  const { root, tools } = agentTrace(6, ++traces, 1 + (traces % 6), 500);
  const sender = senders[traces % 2];
  spans += tools.length + 1;
  if (sender === undefined) continue;
  const sent: Promise<unknown> = sendUntilTaken(sender, [...tools, root], () => false).finally(() =>
    open.delete(sent),
  );
  open.add(sent);
  await sleep(1000 / perSecond);
}
await Promise.all(open);
for (const sender of senders) sender.close();
clearInterval(sampling);
await sleep(15_000);
const metrics = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
await serve.end("SIGTERM");
rmSync(folder, { recursive: true });

const settled = samples.filter((one) => one.minute > minutes / 3);
const counted = sum("tracejury_assembler_spans_total");
const line = lineThrough(settled.map((one) => [one.minute, one.rss]));
const lasted = (settled.at(-1)?.minute ?? 0) - (settled[0]?.minute ?? 0);
const report = {
  minutes,
  traces,
  spans,
  counted,
  accepted: sum("tracejury_receiver_accepted_spans_total"),
  rss_mib: Math.round((settled.at(-1)?.rss ?? 0) / 2 ** 20),
  rss_mib_by_five_minutes: byFiveMinutes(samples),
  rss_kib_per_minute: Math.round(line.slope / 1024),
  rss_mib_grown: Math.round((line.slope * lasted) / 2 ** 20),
  rss_mib_spread: Math.round(line.spread / 2 ** 20),
  handles_per_minute: Number(lineThrough(settled.map((one) => [one.minute, one.handles])).slope.toFixed(2)),
};
console.log(JSON.stringify(report, null, 2));
const grows = line.slope > MOST_GROWTH || line.slope * lasted > line.spread;
process.exitCode = counted === report.accepted && counted >= spans && !grows ? 0 : 1;

/** Traces of one span, as fast as they are taken. */
async function fill(): Promise<void> {
  const lanes = senders.map(async (sender, lane) => {
    for (let first = lane * AT_ONCE; first < REMEMBERED; first += senders.length * AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, (_, n) => agentTrace(8, first + n, 0).root);
      spans += some.length;
      await sendUntilTaken(sender, some, () => false);
    }
  });
  await Promise.all(lanes);
  await sleep(15_000);
}

function sample(): Sample {
  const pages = Number(readFileSync(`/proc/${serve.pid}/statm`, "utf8").split(" ")[1]);
  return { minute: minute(), rss: pages * 4096, handles: readdirSync(`/proc/${serve.pid}/fd`).length };
}

function sum(metric: string): number {
  return [...metrics.matchAll(new RegExp(`^${metric}(?:\\{[^}]*\\})? (\\d+)`, "gm"))].reduce(
    (total, match) => total + Number(match[1]),
    0,
  );
}

/** The line that fits best: how steep it is, and between which values nine tenths of the points lie around it. */
function lineThrough(points: readonly (readonly [x: number, y: number])[]): {
  slope: number;
  spread: number;
} {
  const mean = (at: 0 | 1): number => points.reduce((total, point) => total + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const across = points.reduce((total, point) => total + (point[0] - x) * (point[1] - y), 0);
  const slope = across / points.reduce((total, point) => total + (point[0] - x) ** 2, 0);
  const away = points.map((point) => point[1] - y - slope * (point[0] - x)).sort((a, b) => a - b);
  const at = (share: number): number => away[Math.floor(share * (away.length - 1))] ?? 0;
  return { slope, spread: at(0.95) - at(0.05) };
}

/** The median of each. */
function byFiveMinutes(all: readonly Sample[]): number[] {
  const parts: number[][] = [];
  for (const { minute: at, rss } of all) (parts[Math.floor(at / 5)] ??= []).push(rss);
  return parts.map((part) => {
    const sorted = part.sort((a, b) => a - b);
    return Math.round((sorted[sorted.length >> 1] ?? 0) / 2 ** 20);
  });
}
