import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import kafkajs from "kafkajs";
import { buildKafkaCollector } from "../../../bench/collector/build.ts";
import { type AgentTrace, agentTrace, requestAsProtobuf } from "../../chaos/agent-trace.ts";
import { httpSender, sendUntilTaken } from "../../chaos/senders.ts";
import { freePort } from "../../support/free-port.ts";
import { account, isGood } from "./account.ts";
import { Broker } from "./broker.ts";
import { Group, type GroupOptions } from "./group.ts";
import { connect, OffsetWatch, readTopic } from "./watch.ts";

/*
 * npm run long -- kafka [PART…]: consumer groups against a real broker. `group`: processes are killed, suspended, added and stopped, and the
 * broker restarts, while traces come (A11). `verdicts`: what two processes that are killed write to a topic (once each), also while the broker
 * restarts (once or more). `collector`: the Collector's kafka exporter writes what they read (A12; needs Go).
 */

const PARTITIONS = 12;
const PER_SECOND = 40;
const TOOLS = 3;
const wanted = process.argv.slice(2);
const run = Date.now().toString(36);
const broker = await Broker.start();
const kafka = connect(broker.address);
const groups: Group[] = [];
let failed = false;
try {
  const parts = { group, verdicts, collector };
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const begun = performance.now();
    const { good, ...figures } = await part();
    failed ||= !good;
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(JSON.stringify({ part: name, good, seconds, ...figures }));
  }
} finally {
  for (const one of groups) {
    await one.endAll();
    one.delete();
  }
  await broker.stop();
}
process.exit(failed ? 1 : 0); // clients that lost the broker would go on looking for it

async function group(): Promise<{ good: boolean }> {
  const options = await topics("group");
  const all = newGroup(options);
  await Promise.all(["a", "b", "c"].map((name) => all.start(name)));
  const watch = new OffsetWatch(kafka, options.traces, options.group, all);
  const sending = send(options.traces, 45);
  const at = async (seconds: number, what: string, act: () => unknown): Promise<void> => {
    await sleep(seconds * 1000);
    say(what);
    await act();
  };
  await Promise.all([
    at(6, "a is killed", () => all.end("a", "SIGKILL")),
    at(12, "a starts again", () => all.start("a")),
    at(15, "b is suspended, past the session's time-out", () => all.signal("b", "SIGSTOP")),
    at(29, "b goes on", () => all.signal("b", "SIGCONT")),
    at(33, "d comes", () => all.start("d")),
    at(38, "c is stopped", () => all.end("c", "SIGTERM")),
    at(42, "the broker restarts", () => broker.restart()),
  ]);
  const { sent, poison } = await sending;
  say(`${sent.length} traces sent`);
  const inTime = await until(
    120,
    async () => account(sent, all.lines()).missing === 0 && (await watch.isDone()),
  );
  say(inTime ? "every trace has a verdict, everything is committed" : "not done in time");
  await watch.stop();
  const { crashed } = all;
  await all.endAll();
  say("all have stopped");
  const result = account(sent, all.lines());
  const passed = watch.passed(await readTopic(kafka, options.traces)).size;
  const letters = await readTopic(kafka, options.deadLetter);
  const named = letters.filter(({ headers }) => headers["tracejury.reason"] === "malformed").length;
  const good = inTime && isGood(result) && passed === 0 && crashed.length === 0 && named >= poison;
  if (!good) for (const name of ["a", "b", "c", "d"]) console.error(`--- ${name}\n${all.logOf(name)}`);
  return { good, ...result, passed, looks: watch.looks, poison, dead_letters: named, crashed } as {
    good: boolean;
  };
}

/** Every verdict is in the topic of verdicts: once, and after a restart of the broker once or more. */
async function verdicts(): Promise<{ good: boolean }> {
  const figures: Record<string, object> = {};
  let good = true;
  for (const [name, restarts] of [
    ["kills", false],
    ["kills and a restart of the broker", true],
  ] as const) {
    const made = await topics(restarts ? "verdicts-restart" : "verdicts");
    const options = { ...made, verdicts: `${made.group}-verdicts` };
    const all = newGroup(options);
    await Promise.all([all.start("a"), all.start("b")]);
    const sending = send(options.traces, 30);
    for (const [afterMs, victim] of [
      [4000, "a"],
      [6000, "b"],
      [7000, "a"],
      [6000, "b"],
    ] as const) {
      await sleep(afterMs);
      say(`${victim} is killed`);
      await all.end(victim, "SIGKILL");
      if (restarts && victim === "a") await broker.restart();
      await all.start(victim);
    }
    const { sent } = await sending;
    const inTime = await until(120, async () => account(sent, all.lines()).missing === 0);
    await sleep(5000);
    await all.endAll();
    const lines = account(sent, all.lines());
    const messages = await readTopic(kafka, options.verdicts);
    const keys = messages.map(
      ({ headers }) => `${headers["tracejury.verdict.id"]} ${headers["tracejury.revision"]}`,
    );
    const wanted = new Set(all.lines().map(({ verdict_id: id, revision }) => `${id} ${revision}`));
    const present = new Set(keys);
    const missing = [...wanted].filter((key) => !present.has(key)).length;
    const withTrace = new Set(messages.map(({ traceId }) => traceId));
    const unjudged = sent.filter(({ traceId }) => !withTrace.has(traceId)).length;
    const repeated = keys.length - present.size;
    good &&= inTime && missing + unjudged === 0 && (restarts || repeated === 0);
    const { traces, missing: withoutLine, repeated: repeatedLines } = lines;
    figures[name] = {
      traces,
      messages: keys.length,
      missing,
      unjudged,
      repeated,
      withoutLine,
      repeatedLines,
    };
    if (!good) console.error(all.logOf("a"), all.logOf("b"));
  }
  return { good, ...figures };
}

async function collector(): Promise<{ good: boolean }> {
  const program = buildKafkaCollector();
  const figures: Record<string, object> = {};
  let good = true;
  for (const [compression, encoding] of [
    ["none", "otlp_json"],
    ["gzip", "otlp_proto"],
    ["snappy", "otlp_proto"],
    ["lz4", "otlp_proto"],
    ["zstd", "otlp_proto"],
  ] as const) {
    const options = { ...(await topics(`collector-${compression}`)), encoding };
    const all = newGroup(options);
    await Promise.all([all.start("a"), all.start("b")]);
    const port = await freePort();
    const config = join(all.folder, "collector.yaml");
    writeFileSync(config, collectorConfig(port, options, compression));
    const child = spawn(program, ["--config", config], { stdio: ["ignore", "ignore", "inherit"] });
    const sender = httpSender(port);
    const sent = Array.from({ length: 60 }, (_, n) => agentTrace(series(compression), n, TOOLS));
    // Each request has spans of many traces, and no trace is in one request.
    for (const spans of [sent.flatMap(({ tools }) => tools), sent.map(({ root }) => root)]) {
      await sendUntilTaken(sender, spans, () => false);
    }
    const inTime = await until(60, async () => account(sent, all.lines()).missing === 0);
    sender.close();
    child.kill("SIGTERM");
    await once(child, "exit");
    await all.endAll();
    const result = account(sent, all.lines());
    const records = await readTopic(kafka, options.traces);
    const keyed = records.every(({ traceId }) => /^[0-9a-f]{32}$/.test(traceId));
    const places = new Map(records.map(({ traceId, partition }) => [`${traceId} ${partition}`, traceId]));
    const isWhole = places.size === sent.length;
    good &&= inTime && isGood(result) && keyed && isWhole;
    figures[`${encoding} ${compression}`] = { ...result, records: records.length, keyed, isWhole };
    if (!good) console.error(all.logOf("a"), all.logOf("b"));
  }
  return { good, ...figures };
}

function newGroup(options: GroupOptions): Group {
  const made = new Group(options);
  groups.push(made);
  return made;
}

/** Sends the tools of each trace first and its root a little later, with a record now and then that is no telemetry. */
async function send(topic: string, seconds: number): Promise<{ sent: AgentTrace[]; poison: number }> {
  const producer = kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
  await producer.connect();
  const sent: AgentTrace[] = [];
  const later: Promise<unknown>[] = [];
  let poison = 0;
  const give = (key: string, values: readonly Uint8Array[], compression: number): Promise<unknown> =>
    producer.send({
      topic,
      compression,
      messages: values.map((value) => ({ key, value: Buffer.from(value) })),
    });
  const { None, GZIP } = kafkajs.CompressionTypes;
  for (let n = 0; n < seconds * PER_SECOND; n++) {
    const trace = agentTrace(series(topic), n, TOOLS);
    sent.push(trace);
    later.push(
      (async () => {
        await give(
          trace.traceId,
          trace.tools.map((span) => requestAsProtobuf([span])),
          n % 2 === 0 ? GZIP : None,
        );
        await sleep(200 + (n % 20) * 150);
        await give(trace.traceId, [requestAsProtobuf([trace.root])], None);
      })(),
    );
    if (n % 200 === 50) {
      poison++;
      later.push(give(`poison ${n}`, [Buffer.from(`no telemetry ${n}`)], None));
    }
    await sleep(1000 / PER_SECOND);
  }
  await Promise.all(later);
  await producer.disconnect();
  return { sent, poison };
}

async function topics(part: string): Promise<GroupOptions & { readonly traces: string }> {
  const name = `${part}-${run}`;
  const options = { traces: `${name}-spans`, deadLetter: `${name}-dead`, group: name };
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({
    waitForLeaders: false,
    topics: [
      { topic: options.traces, numPartitions: PARTITIONS },
      { topic: options.deadLetter, numPartitions: 1 },
    ],
  });
  // Until the broker knows its own topics.
  await until(60, async () => (await admin.fetchTopicOffsets(options.traces)).length === PARTITIONS);
  await admin.disconnect();
  return { broker: broker.address, ...options };
}

function collectorConfig(
  port: number,
  options: GroupOptions & { readonly traces: string },
  compression: string,
): string {
  return JSON.stringify({
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: {
      kafka: {
        brokers: [broker.address],
        partition_traces_by_id: true,
        traces: { topic: options.traces, encoding: options.encoding ?? "otlp_proto" },
        producer: { compression, required_acks: -1 },
      },
    },
    service: {
      telemetry: { metrics: { level: "none" }, logs: { level: "warn" } },
      pipelines: { traces: { receivers: ["otlp"], exporters: ["kafka"] } },
    },
  });
}

async function until(seconds: number, isSo: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(500)) {
    if (await isSo().catch(() => false)) return true;
  }
  return false;
}

/** A number of its own for each name, so that no two parts have a trace id in common. */
function series(name: string): number {
  return [...Buffer.from(`${name}${run}`)].reduce((sum, byte) => (sum * 31 + byte) % 0xffffff, 7);
}

function say(what: string): void {
  process.stderr.write(`${what}\n`);
}
