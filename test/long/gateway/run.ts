import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type AgentTrace, agentTrace, type PlainSpan } from "../../chaos/agent-trace.ts";
import { httpSender, type Sender } from "../../chaos/senders.ts";
import { hasPostgres, PostgresServer } from "../../support/postgres-server.ts";
import { Ring } from "./ring.ts";
import { type Counted, Workers } from "./workers.ts";

/*
 * npm run long -- gateway: three processes share a PostgreSQL of this machine, a sender routes traces to them as the Collector's load balancing
 * exporter does. One is killed, comes back, another one is added, each is stopped and started in turn, the database is away for a while.
 * Every trace that went to one process must have one final verdict in the database; what is said of one that went to several must be no
 * clean pass.
 */

const PER_SECOND = 30;
const SECONDS = 60;
const TOOLS = 3;
if (!hasPostgres) throw new Error("there is no PostgreSQL on this machine");

const server = await PostgresServer.start();
const workers = new Workers(server.url);
const senders = new Map<string, Sender>();
/** Processes that acknowledged spans of a trace, and those that were sent some and may have taken them without a word. */
const went = new Map<string, Set<string>>();
const tried = new Map<string, Set<string>>();
let ring = new Ring([]);
const counted: Counted[] = [];
let good = false;
try {
  good = await scenario();
} finally {
  for (const sender of senders.values()) sender.close();
  await workers.endAll();
  await server.remove();
  if (good) workers.remove();
}
process.exitCode = good ? 0 : 1;

async function scenario(): Promise<boolean> {
  const members = ["a", "b", "c"];
  await Promise.all(members.map((name) => workers.start(name)));
  ring = new Ring(members);
  const sending = send();
  await at(6, "c is killed", () => workers.end("c", "SIGKILL"));
  await at(2, "c is taken out", () => route(["a", "b"]));
  await at(8, "c starts again, with its journal", () => workers.start("c"));
  await at(1, "c is back", () => route(["a", "b", "c"]));
  await at(7, "d comes", () => workers.start("d"));
  await at(1, "d is taken in", () => route(["a", "b", "c", "d"]));
  for (const name of ["a", "b", "c", "d"]) {
    await at(3, `${name} is stopped`, () => stop(name));
    await at(1, `${name} starts again`, () => workers.start(name));
  }
  await at(3, "the database crashes", () => server.down());
  await at(6, "the database is back", () => server.up());
  const sent = await sending;
  say(`${sent.length} traces sent, ${torn().length} of them to more than one process`);
  const inTime = await until(90, async () => (await account(sent)).missing === 0 && (await allWritten()));
  say(inTime ? "every trace has a verdict" : "not done in time");
  await sleep(5_000); // late windows end
  const sums = await Promise.all(["a", "b", "c", "d"].map((name) => workers.sums(name)));
  const figures = await account(sent);
  for (const name of workers.running) await stop(name);
  const balanced = counted.every(
    ({ spans, records, dropped }) => spans === 0 && records === 0 && dropped === 0,
  );
  const alike = new Set(sums).size === 1;
  const { missing, doubled, wrong, clean, unnamed } = figures;
  const holds =
    inTime &&
    balanced &&
    alike &&
    missing + doubled + wrong + clean + unnamed === 0 &&
    workers.crashed.length === 0;
  console.log(
    JSON.stringify(
      { good: holds, ...figures, balanced, alike, crashed: workers.crashed.length, counted },
      null,
      2,
    ),
  );
  if (!holds) console.error(workers.log());
  return holds;
}

async function stop(name: string): Promise<void> {
  counted.push(await workers.counted(name));
  await workers.end(name, "SIGTERM");
}

function route(names: readonly string[]): Promise<void> {
  ring = new Ring(names);
  return Promise.resolve();
}

/** Sends the tools of each trace first and its root a little later. */
async function send(): Promise<AgentTrace[]> {
  const series = Date.now() % 1_000_000;
  const sent: AgentTrace[] = [];
  const later: Promise<unknown>[] = [];
  for (let n = 0; n < SECONDS * PER_SECOND; n++) {
    const trace = agentTrace(series, n, TOOLS);
    sent.push(trace);
    later.push(
      (async () => {
        for (const tool of trace.tools) {
          await deliver([tool]);
          await sleep(100 + (n % 10) * 60);
        }
        await deliver([trace.root]);
      })(),
    );
    await sleep(1000 / PER_SECOND);
  }
  await Promise.all(later);
  return sent;
}

/** Again until it is acknowledged, each time by the routing of the moment. */
async function deliver(spans: readonly PlainSpan[]): Promise<void> {
  const [{ traceId } = { traceId: "" }] = spans;
  for (;;) {
    const name = ring.workerOf(traceId);
    let sender = senders.get(name);
    if (sender === undefined) senders.set(name, (sender = httpSender(workers.port(name))));
    tried.set(traceId, (tried.get(traceId) ?? new Set()).add(name));
    if (await sender.send(spans)) {
      went.set(traceId, (went.get(traceId) ?? new Set()).add(name));
      return;
    }
    await sleep(100);
  }
}

function torn(): string[] {
  return [...went].filter(([, names]) => names.size > 1).map(([id]) => id);
}

interface Figures {
  readonly traces: number;
  readonly verdicts: number;
  readonly torn: number;
  /** Traces without a verdict. */
  readonly missing: number;
  /** Verdicts that are there more than once: the same run and spec, or two newest revisions. */
  readonly doubled: number;
  /** Traces of which an answer was lost, so that the sender does not know whether they are in one piece. */
  readonly unsure: number;
  /** Verdicts that are neither of a whole trace nor say that they are of a part. */
  readonly wrong: number;
  /** Verdicts about a part that are a clean pass. */
  readonly clean: number;
  /** Verdicts about a part that do not say so. */
  readonly unnamed: number;
  /** Verdicts that had been a pass in the file of a process before anybody could know better. */
  readonly passed_before: number;
}

async function account(sent: readonly AgentTrace[]): Promise<Figures> {
  const rows = await verdicts();
  const byTrace = new Map<string, Row[]>();
  for (const row of rows) byTrace.set(row.trace_id, [...(byTrace.get(row.trace_id) ?? []), row]);
  const ofTorn = torn().flatMap((id) => byTrace.get(id) ?? []);
  const whole = sent.filter(({ traceId }) => tried.get(traceId)?.size === 1);
  const ofWhole = whole.flatMap(({ traceId }) => byTrace.get(traceId) ?? []);
  const parts = new Set(torn());
  const unsure = sent.filter(({ traceId }) => !parts.has(traceId) && (tried.get(traceId)?.size ?? 0) > 1);
  const ofUnsure = unsure.flatMap(({ traceId }) => byTrace.get(traceId) ?? []);
  return {
    traces: sent.length,
    verdicts: rows.length,
    torn: parts.size,
    missing: sent.filter(({ traceId }) => !byTrace.has(traceId)).length,
    doubled: rows.length - new Set(rows.map((row) => row.verdict_id)).size + ofWhole.length - whole.length,
    unsure: unsure.length,
    wrong: [
      ...ofWhole.filter((row) => !isWhole(row)),
      ...ofUnsure.filter((row) => !isWhole(row) && !isPart(row)),
    ].length,
    clean: ofTorn.filter((row) => row.outcome === "pass").length,
    unnamed: ofTorn.filter((row) => !isPart(row)).length,
    passed_before: workers.lines().filter((line) => parts.has(line.trace_id) && line.outcome === "pass")
      .length,
  };
}

function isWhole({ outcome, complete, tool_calls: tools }: Row): boolean {
  return outcome === "pass" && complete && tools === TOOLS;
}

function isPart({ outcome, close_reason: reason }: Row): boolean {
  return outcome === "incomplete" && reason === "split";
}

interface Row {
  readonly verdict_id: string;
  readonly trace_id: string;
  readonly outcome: string;
  readonly complete: boolean;
  readonly close_reason: string;
  readonly tool_calls: number | null;
}

async function verdicts(): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ verdict_id: string; outcome: string; json: string }>(
      "SELECT verdict_id, outcome, json FROM tracejury.verdicts WHERE latest",
    );
    return rows.map(({ verdict_id, outcome, json }) => {
      const { trace_id, complete, close_reason, metrics } = JSON.parse(json) as Omit<Row, "tool_calls"> & {
        metrics: { tool_calls: number | null };
      };
      return { verdict_id, outcome, trace_id, complete, close_reason, tool_calls: metrics.tool_calls };
    });
  } finally {
    await client.end();
  }
}

/** Nothing waits for the database any more. */
async function allWritten(): Promise<boolean> {
  const all = await Promise.all(workers.running.map((name) => workers.counted(name)));
  return all.every(({ records }) => records === 0);
}

async function at(seconds: number, what: string, act: () => Promise<unknown>): Promise<void> {
  await sleep(seconds * 1000);
  say(what);
  await act();
}

async function until(seconds: number, holds: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(500))
    if (await holds()) return true;
  return false;
}

function say(what: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${what}`);
}
