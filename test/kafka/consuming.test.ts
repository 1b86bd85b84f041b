import { expect, test } from "vitest";
import { type ServeOptions, serveInTest } from "../support/serve.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import type { JudgedRun } from "../../src/pipeline/judge-run.ts";
import type { KafkaSettings } from "../../src/receive/kafka/settings.ts";
import { type AgentTrace, agentTrace, requestAsJson, requestAsProtobuf } from "../chaos/agent-trace.ts";
import { eventLoopTurns } from "../support/eventually.ts";
import { specOf } from "../support/spec-of.ts";
import { StoppedClock } from "../support/stopped-clock.ts";
import { FakeBroker, FakeMember, kafkaDefaults } from "./support.ts";

const spec = specOf(`agent: chaos
queries: [{ query: "*", correctness: { not_in_answer: [nothing] } }]
`);

/** No member is taken to be dead because the test takes long. */
const sessionTimeoutMs = 600_000;

interface Worker {
  readonly live: Collector;
  readonly member: FakeMember;
  readonly judged: JudgedRun[];
}

async function worker(
  broker: FakeBroker,
  kafka: Partial<KafkaSettings> = {},
  options: ServeOptions = {},
): Promise<Worker> {
  const member = new FakeMember(broker);
  const judged: JudgedRun[] = [];
  const live = await serveInTest({
    specs: [spec],
    kafkaPort: member,
    onJudged: (one) => judged.push(one),
    http: "off",
    admin: "off",
    kafka: { ...kafkaDefaults, sessionTimeoutMs, ...kafka },
    timeouts: { rootQuietMs: 100, rootOpenMs: 300, lateWindowMs: 100 },
    ...options,
  });
  await expect.poll(() => member.events).toBeDefined();
  return { live, member, judged };
}

const T = "otlp_spans";

function send(
  broker: FakeBroker,
  { traceId, tools, root }: AgentTrace,
  part: "all" | "tools" | "root" = "all",
): void {
  const spans = [...(part === "root" ? [] : tools), ...(part === "tools" ? [] : [root])];
  for (const span of spans) broker.append(T, { key: traceId, value: requestAsProtobuf([span]), headers: {} });
}

function ids({ judged }: Worker): (string | undefined)[] {
  return judged.map(({ run }) => run.traceIds[0]);
}

test("records are judged, and committed once their traces are finished and not before", async () => {
  const broker = new FakeBroker();
  const one = await worker(broker);
  await one.member.join([T]);
  send(broker, agentTrace(1, 1, 3));
  send(broker, agentTrace(1, 2, 3), "tools");
  send(broker, agentTrace(1, 3, 3));
  await one.member.read(T);
  await expect.poll(() => ids(one)).toHaveLength(2);
  await expect.poll(() => broker.committed.get(T)).toBe(4); // the second trace is open
  send(broker, agentTrace(1, 2, 3), "root");
  await one.member.read(T);
  await expect.poll(() => broker.committed.get(T)).toBe(12);
  expect(one.judged.map(({ run }) => run.tools.length)).toEqual([3, 3, 3]);
});

test("a trace that was open when its partition went is judged once, whole, by whoever has it then", async () => {
  const broker = new FakeBroker();
  const [one, two] = [await worker(broker), await worker(broker)];
  await one.member.join([T]);
  send(broker, agentTrace(2, 1, 2), "tools");
  await one.member.read(T);
  await one.member.join([], true);
  await two.member.join([T]);
  send(broker, agentTrace(2, 1, 2), "root");
  await two.member.read(T);
  await expect.poll(() => two.judged).toHaveLength(1);
  expect(two.judged[0]?.run).toMatchObject({ complete: true, tools: [{}, {}] });
  expect(one.live.openTraces()).toBe(0);
  expect(one.judged).toEqual([]);
});

test("what was judged before a crash is not judged again by who reads it again", async () => {
  const broker = new FakeBroker();
  const [one, two] = [await worker(broker), await worker(broker)];
  await one.member.join([T]);
  send(broker, agentTrace(3, 1, 2), "tools"); // stays open, so nothing is committed
  send(broker, agentTrace(3, 2, 2));
  await one.member.read(T);
  await expect.poll(() => broker.records("notes").length).toBeGreaterThanOrEqual(2);
  await two.member.join([T]); // the first is taken to be dead
  send(broker, agentTrace(3, 1, 2), "root");
  await two.member.read(T);
  await expect.poll(() => two.judged).toHaveLength(1);
  expect([ids(one), ids(two)]).toEqual([[agentTrace(3, 2, 2).traceId], [agentTrace(3, 1, 2).traceId]]);
});

test("a root that comes after its run was judged, and after a crash, revises the verdict", async () => {
  const broker = new FakeBroker();
  const early = { timeouts: { rootQuietMs: 100, rootOpenMs: 100, idleMs: 100, lateWindowMs: 600_000 } };
  const clock = new StoppedClock();
  const begin = (): Promise<Worker> => worker(broker, {}, { ...early, now: clock.now });
  const [one, two] = [await begin(), await begin()];
  const trace = agentTrace(11, 1, 2);
  await one.member.join([T]);
  send(broker, trace, "tools");
  await one.member.read(T);
  clock.start();
  await expect.poll(() => broker.records("notes").length).toBeGreaterThanOrEqual(2); // judged, delivered
  clock.stop();
  await two.member.join([T]); // the first is taken to be dead
  send(broker, trace, "root");
  await two.member.read(T);
  clock.start();
  await expect.poll(() => two.judged).toHaveLength(1);
  const [before, after] = [one.judged[0]?.verdicts[0], two.judged[0]?.verdicts[0]];
  expect(after).toMatchObject({ verdictId: before?.verdictId, revision: 2, run: { complete: true } });
  expect([before?.revision, before?.run.complete, after?.run.runId]).toEqual([1, false, before?.run.runId]);
});

test("the last spans of a finished trace, behind the committed offset, are not taken for a trace of their own", async () => {
  const broker = new FakeBroker();
  const [one, two] = [await worker(broker), await worker(broker)];
  await one.member.join([T]);
  send(broker, agentTrace(10, 1, 2), "tools");
  send(broker, agentTrace(10, 2, 1), "tools"); // stays open, and holds up the offset
  send(broker, agentTrace(10, 1, 2), "root");
  await one.member.read(T);
  await expect.poll(() => broker.committed.get(T)).toBe(2);
  await two.member.join([T]);
  send(broker, agentTrace(10, 2, 1), "root");
  await two.member.read(T);
  await expect.poll(() => two.judged).toHaveLength(1);
  expect(ids(two)).toEqual([agentTrace(10, 2, 1).traceId]);
});

test("a process that does not know whether it is still a member says nothing until it does", async () => {
  const broker = new FakeBroker();
  const one = await worker(broker);
  const expired = performance.now() - sessionTimeoutMs;
  await one.member.join([T], false, expired);
  send(broker, agentTrace(4, 1, 1));
  send(broker, agentTrace(4, 2, 1));
  await one.member.read(T);
  await one.live.whenIdle();
  await eventLoopTurns();
  const before = one.judged.length;
  await one.member.join([T], false, expired); // it was taken to be dead, and others had the partition meanwhile
  await eventLoopTurns();
  expect([before, one.judged.length]).toEqual([0, 0]);
  one.member.events?.alive(performance.now());
  await one.member.read(T);
  await expect.poll(() => one.judged).toHaveLength(2);
});

test("a member that stays in the group goes on where it was, with its open traces", async () => {
  const broker = new FakeBroker();
  const one = await worker(broker);
  await one.member.join([T]);
  send(broker, agentTrace(5, 1, 2), "tools");
  await one.member.read(T);
  await one.member.join([T, "otlp_logs"], true);
  send(broker, agentTrace(5, 1, 2), "root");
  await one.member.read(T);
  await expect.poll(() => one.judged[0]?.run.tools).toHaveLength(2);
});

test("a record that cannot be read goes to the dead-letter topic with what is wrong, and holds up nothing", async () => {
  const broker = new FakeBroker();
  const one = await worker(broker);
  await one.member.join([T]);
  broker.append(T, { key: "k", value: Buffer.from("no protobuf"), headers: { team: "a" } });
  broker.append(T, { key: "k", value: null, headers: {} });
  send(broker, agentTrace(6, 1, 1));
  await one.member.read(T);
  await expect.poll(() => broker.committed.get(T)).toBe(4);
  const [letter] = broker.records("dead");
  const headers = Object.fromEntries(
    (letter?.headers ?? []).map(([name, text]) => [name, Buffer.from(text).toString()]),
  );
  expect(headers).toMatchObject({
    team: "a",
    "tracejury.reason": "malformed",
    "tracejury.topic": T,
    "tracejury.partition": "0",
    "tracejury.offset": "0",
  });
  expect(Buffer.from(letter?.value ?? []).toString()).toBe("no protobuf");
  expect(one.judged).toHaveLength(1);
});

test("JSON records and records of the logs topic are read as what they are", async () => {
  const broker = new FakeBroker();
  const one = await worker(broker, { encoding: "otlp_json" });
  await one.member.join([T, "otlp_logs"]);
  const { root, tools, traceId } = agentTrace(8, 1, 1);
  broker.append(T, { key: traceId, value: requestAsJson([root, ...tools]), headers: {} });
  broker.append("otlp_logs", {
    key: traceId,
    value: Buffer.from('{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"x"}}]}]}]}'),
    headers: {},
  });
  await one.member.read(T);
  await one.member.read("otlp_logs");
  await expect.poll(() => one.judged).toHaveLength(1);
  expect(broker.records("dead")).toEqual([]);
});

test("a stop leaves what is open to others and commits what is finished", async () => {
  const broker = new FakeBroker();
  const one = await worker(broker);
  await one.member.join([T]);
  send(broker, agentTrace(9, 1, 1));
  send(broker, agentTrace(9, 2, 1), "tools");
  await one.member.read(T);
  await expect.poll(() => one.judged).toHaveLength(1);
  await one.live.stop(60_000);
  expect(one.judged).toHaveLength(1);
  expect(broker.committed.get(T)).toBe(2);
});
