import { setTimeout as sleep } from "node:timers/promises";
import kafkajs from "kafkajs";
import { Collector } from "../../../bench/collector/collector.ts";
import { type AgentTrace, agentTrace, requestAsProtobuf } from "../../chaos/agent-trace.ts";
import { httpSender, sendUntilTaken } from "../../chaos/senders.ts";
import { at, Fleet, freePorts, randomSeries, within } from "../servers/tracejury.ts";
import { broker } from "./broker.ts";
import { committedOf, connect, readTopic } from "./topic.ts";

/*
 * npm run long -- kafka [PART…]: tests consumer groups with a real broker. `group`: processes are killed, suspended, added and stopped, and
 * the broker restarts, while traces arrive (A11). `collector`: reads what the Collector's kafka exporter writes (A12; needs Go).
 */

const PARTITIONS = 12;
const PER_SECOND = 40;
const TOOLS = 3;
const wanted = process.argv.slice(2);
const run = Date.now().toString(36);
const address = await broker.start();
const kafka = connect(address);
const fleets: Fleet[] = [];
let isGood = true;
try {
  for (const [name, part] of Object.entries({ group, collector })) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const { good, ...figures } = await part();
    isGood &&= good;
    console.log(JSON.stringify({ part: name, good, ...figures }));
  }
} finally {
  for (const fleet of fleets) {
    await fleet.endAll();
    fleet.remove();
  }
  await broker.stop();
}
process.exit(isGood ? 0 : 1); // ends clients that still try to reconnect to the broker

interface Topics {
  readonly traces: string;
  readonly deadLetter: string;
  readonly group: string;
}

function newFleet({ traces, deadLetter, group: name }: Topics, encoding = "otlp_proto"): Fleet {
  const settings = {
    receive: { http: "off", grpc: "off" },
    assemble: { root_quiet: "1s", root_open: "8s", root_cap: "30s", idle: "60s", late_window: "2s" },
    receivers: {
      kafka: {
        brokers: [address],
        topics: { traces, logs: "off" },
        group: name,
        encoding,
        dead_letter: deadLetter,
        session_timeout: "6s",
      },
    },
  };
  const fleet = new Fleet({ settings });
  fleets.push(fleet);
  return fleet;
}

async function group(): Promise<{ good: boolean }> {
  const topics = await createTopics("group");
  const fleet = newFleet(topics);
  await Promise.all(["a", "b", "c"].map((name) => fleet.start(name)));
  const over = new AbortController();
  const watching = watch(topics, fleet, over.signal);
  const sending = send(topics.traces, 45);
  const signal = (name: string, to: NodeJS.Signals) => process.kill(fleet.member(name).pid, to);
  await Promise.all([
    at(6, "a is killed", () => fleet.end("a", "SIGKILL")),
    at(12, "a starts again", () => fleet.start("a")),
    at(15, "b is suspended for longer than the session's time-out", () => signal("b", "SIGSTOP")),
    at(29, "b goes on", () => signal("b", "SIGCONT")),
    at(33, "d comes", () => fleet.start("d")),
    at(38, "c is stopped", () => fleet.end("c", "SIGTERM")),
    at(42, "the broker restarts", () => broker.restart()),
  ]);
  const { sent, poison } = await sending;
  const isDone = async (): Promise<boolean> =>
    account(sent, fleet).missing === 0 && (await committedOf(kafka, topics.group, topics.traces)).isAll;
  const inTime = await within(120, () => isDone().catch(() => false));
  over.abort();
  const moments = await watching;
  await fleet.endAll();
  const result = account(sent, fleet);
  const records = await readTopic(kafka, topics.traces);
  // A committed offset after a trace without a verdict at that time.
  const passed = moments.flatMap(({ committed, judged }) =>
    records.filter(
      ({ partition, offset, traceId }) =>
        isTraceId(traceId) && offset < (committed.get(partition) ?? 0) && !judged.has(traceId),
    ),
  ).length;
  const letters = await readTopic(kafka, topics.deadLetter);
  const deadLetters = letters.filter(({ reason }) => reason === "malformed").length;
  const { crashed, log } = fleet;
  const good = inTime && result.wrong === 0 && passed === 0 && crashed.length === 0 && deadLetters >= poison;
  if (!good) console.error(log);
  const figures = { inTime, ...result, passed, looks: moments.length, poison, deadLetters, crashed };
  return { good, ...figures };
}

/** Records the committed offsets of the group repeatedly, each time with the traces that have a verdict just afterwards. */
async function watch({ group: name, traces }: Topics, fleet: Fleet, over: AbortSignal) {
  const moments: { committed: ReadonlyMap<number, number>; judged: ReadonlySet<string> }[] = [];
  for (; !over.aborted; await sleep(700)) {
    // Reads the offsets before the verdicts: a trace without a verdict now had none when the offset was read.
    const found = await committedOf(kafka, name, traces).catch(() => null);
    const judged = new Set(fleet.lines().map((line) => line.trace_id));
    if (found !== null) moments.push({ committed: found.committed, judged });
  }
  return moments;
}

async function collector(): Promise<{ good: boolean }> {
  const figures: Record<string, object> = {};
  let good = true;
  for (const compression of ["none", "gzip", "snappy", "lz4", "zstd"]) {
    const encoding = compression === "none" ? "otlp_json" : "otlp_proto";
    const topics = await createTopics(`collector-${compression}`);
    const fleet = newFleet(topics, encoding);
    await Promise.all([fleet.start("a"), fleet.start("b")]);
    const exporter = {
      brokers: [address],
      partition_traces_by_id: true,
      traces: { topic: topics.traces, encoding },
      producer: { compression, required_acks: -1 },
    };
    const ports = await freePorts();
    const writer = new Collector(fleet.folder, ports, { exporters: { kafka: exporter } });
    await writer.start();
    const sender = httpSender(ports.http);
    const series = randomSeries();
    const sent = Array.from({ length: 60 }, (_, n) => agentTrace(series, n, TOOLS));
    // Each request has spans of many traces, and each trace is split between two requests.
    for (const spans of [sent.flatMap(({ tools }) => tools), sent.map(({ root }) => root)])
      await sendUntilTaken(sender, spans, () => false);
    const inTime = await within(60, () => account(sent, fleet).missing === 0);
    sender.close();
    await writer.end("SIGTERM");
    await fleet.endAll();
    const result = account(sent, fleet);
    const records = await readTopic(kafka, topics.traces);
    const isKeyed = records.every(({ traceId }) => isTraceId(traceId));
    const places = new Set(records.map(({ traceId, partition }) => `${traceId} ${partition}`));
    const isWhole = places.size === sent.length;
    good &&= inTime && result.wrong === 0 && isKeyed && isWhole;
    figures[`${encoding} ${compression}`] = { ...result, records: records.length, isKeyed, isWhole };
    if (!good) console.error(fleet.log);
  }
  return { good, ...figures };
}

function isTraceId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/** Counts the verdicts for each sent trace; `wrong` is the sum of the counts that must be zero. */
function account(sent: readonly AgentTrace[], fleet: Fleet) {
  const lines = fleet.lines();
  const sum = { missing: 0, contradicted: 0, repeated: 0, partial: 0, revised: 0 };
  for (const { traceId, tools } of sent) {
    const all = lines.filter((line) => line.trace_id === traceId);
    const last = Math.max(...all.map(({ revision }) => revision));
    const final = all.filter(({ revision }) => revision === last);
    const [one] = final;
    const ids = new Set(all.map((line) => line.verdict_id));
    const said = new Set(final.map((line) => `${line.outcome} ${line.metrics.tool_calls}`));
    const isPartial = !one?.complete || one.outcome !== "pass" || one.metrics.tool_calls !== tools.length;
    if (one === undefined) sum.missing++;
    // Two ids, or two different verdicts with the latest revision. Equal repeated lines are allowed.
    if (ids.size > 1 || said.size > 1) sum.contradicted++;
    sum.repeated += all.length - new Set(all.map(({ revision }) => revision)).size;
    if (last > 1) sum.revised++;
    if (isPartial) sum.partial++;
  }
  return { traces: sent.length, ...sum, wrong: sum.missing + sum.contradicted + sum.partial };
}

/** Sends the tool spans of each trace first and its root a little later; some records are not telemetry. */
async function send(topic: string, seconds: number): Promise<{ sent: AgentTrace[]; poison: number }> {
  const producer = kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
  await producer.connect();
  const { None, GZIP } = kafkajs.CompressionTypes;
  const give = (key: string, values: readonly Uint8Array[], compression = None): Promise<unknown> => {
    const messages = values.map((value) => ({ key, value: Buffer.from(value) }));
    return producer.send({ topic, compression, messages });
  };
  const series = randomSeries();
  const sent: AgentTrace[] = [];
  const later: Promise<unknown>[] = [];
  let poison = 0;
  for (let n = 0; n < seconds * PER_SECOND; n++) {
    const trace = agentTrace(series, n, TOOLS);
    sent.push(trace);
    const tools = trace.tools.map((span) => requestAsProtobuf([span]));
    const all = async (): Promise<void> => {
      await give(trace.traceId, tools, n % 2 === 0 ? GZIP : None);
      await sleep(200 + (n % 20) * 150);
      await give(trace.traceId, [requestAsProtobuf([trace.root])]);
    };
    later.push(all());
    if (n % 200 === 50) {
      poison++;
      later.push(give(`poison ${n}`, [Buffer.from(`no telemetry ${n}`)]));
    }
    await sleep(1000 / PER_SECOND);
  }
  await Promise.all(later);
  await producer.disconnect();
  return { sent, poison };
}

async function createTopics(part: string): Promise<Topics> {
  const name = `${part}-${run}`;
  const made = { traces: `${name}-spans`, deadLetter: `${name}-dead`, group: name };
  const admin = kafka.admin();
  await admin.connect();
  const topics = [
    { topic: made.traces, numPartitions: PARTITIONS },
    { topic: made.deadLetter, numPartitions: 1 },
  ];
  await admin.createTopics({ waitForLeaders: false, topics });
  // Waits until the broker has created the topic.
  const isKnown = async (): Promise<boolean> =>
    (await admin.fetchTopicOffsets(made.traces)).length === PARTITIONS;
  await within(60, () => isKnown().catch(() => false));
  await admin.disconnect();
  return made;
}
