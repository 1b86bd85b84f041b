import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type ExportRequest, recordingsBelow, requestsOf } from "../../bench/data/real/recordings.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { FakeBroker, FakeMember, kafkaDefaults } from "../kafka/support.ts";
import { replayedRuns } from "../long/runs/assemble.ts";
import { asJson, asProtobuf, type Body, recordsOf, requestOf } from "../long/runs/records.ts";
import { createJudgeRun } from "../../src/pipeline/judge-run.ts";
import { verdictJson } from "../../src/report/json/verdict-json.ts";
import { call, frame, session } from "../receive/support.ts";
import { until } from "../support/eventually.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { serve, type ServeOptions } from "../support/serve.ts";
import { specOf } from "../support/spec-of.ts";
import { StoppedClock } from "../support/stopped-clock.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * Agents that send log records and no spans: their runs, and so their verdicts, are the same however the records arrive.
 */

const specs = [
  specOf(`version: 1
agent: "*"
queries: [{ query: "*", path: { max_tool_calls: 1 }, cost: { max_total_tokens: 500 } }]
`),
];

const timeouts = { idleMs: 300, rootQuietMs: 100, rootOpenMs: 150, lateWindowMs: 600_000 };

/** The collectors' clock stands still while records are sent, so that no trace is closed between two of them. */
const clock = new StoppedClock();

/** Folders of producers that tie records to a session; of recordings that also have spans these are left out. */
const folders = [
  "test/fixtures/recordings/claude-code",
  "test/fixtures/recordings/codex-cli",
  "test/fixtures/recordings/gemini-cli",
  "test/fixtures/recordings/qwen-code",
  "adapters/qwen-code/fixtures",
  "../shared/recordings/cli/claude-2.1.332-logs-only",
  "../shared/recordings/cli/qwen",
].filter((folder) => existsSync(folder));

const requests: readonly ExportRequest[] = folders
  .flatMap((folder) => recordingsBelow([folder]).filter((_, at) => at % 2 === 0))
  .flatMap(requestsOf)
  .filter(({ signal }) => signal === "logs");

type Verdicts = readonly string[];

/** Without what names the way of arrival. */
function comparable(verdict: Readonly<Record<string, unknown>>): string {
  const { close_reason: _, revision: __, source: ___, ...rest } = verdict;
  return JSON.stringify(rest);
}

function replayed(bodies: readonly Body[]): Verdicts {
  const judge = createJudgeRun({ specs, judgeSkipPolicy: { judge: "off" }, engine: engineVersion() });
  return replayedRuns(bodies)
    .flatMap((run) => judge(run).verdicts)
    .map((verdict) => comparable(JSON.parse(JSON.stringify(verdictJson(verdict))) as Record<string, unknown>))
    .sort();
}

function engineVersion(): string {
  return (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version;
}

async function start(data: string, options: ServeOptions = {}): Promise<Collector> {
  clock.stop();
  const live = await serve({
    specs,
    timeouts,
    export: { file: join(data, "verdicts.jsonl"), revisions: "all" },
    dataDir: data,
    now: clock.now,
    ...options,
  });
  onTestFinished(() => live.stop(5_000));
  return live;
}

/** The last revision of each verdict in the file. */
function written(data: string): Verdicts {
  const path = join(data, "verdicts.jsonl");
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  const newest = new Map<string, string>();
  for (const line of lines) {
    const verdict = JSON.parse(line) as Record<string, unknown>;
    newest.set(String(verdict["verdict_id"]), comparable(verdict));
  }
  return [...newest.values()].sort();
}

async function post({ listening }: Collector, { bytes, encoding }: Body): Promise<void> {
  const answer = await fetch(`http://${listening.http}/v1/logs`, {
    method: "POST",
    headers: { "content-type": encoding === "json" ? "application/json" : "application/x-protobuf" },
    body: Buffer.from(bytes),
  });
  expect(answer.status).toBe(200);
}

const oneByOne = requests
  .flatMap((request) => recordsOf(request))
  .map((record) => asProtobuf(requestOf(record)));

describe("runs from log records alone", () => {
  let expected: Verdicts = [];
  beforeAll(() => {
    expected = replayed(requests.map(asJson));
  });

  const arrived = async (data: string): Promise<Verdicts> => {
    clock.start();
    await until(() => written(data).length >= expected.length);
    return written(data);
  };

  test("are more than a few, and the same as protobuf and record by record", () => {
    expect(expected.length).toBeGreaterThan(10);
    expect(replayed(requests.map(asProtobuf))).toEqual(expected);
    expect(replayed(oneByOne)).toEqual(expected);
  });

  test.each([
    ["JSON", asJson],
    ["protobuf", asProtobuf],
  ])("over HTTP as %s", async (_, encoded) => {
    const data = temporaryFolder();
    const live = await start(data);
    for (const request of requests) await post(live, encoded(request));
    expect(await arrived(data)).toEqual(expected);
  });

  test("over gRPC", async () => {
    const data = temporaryFolder();
    const live = await start(data, { grpc: "127.0.0.1:0" });
    const client = session(String(live.listening.grpc));
    const path = "/opentelemetry.proto.collector.logs.v1.LogsService/Export";
    for (const request of requests) {
      const { status } = await call(client, frame(asProtobuf(request).bytes), { path });
      expect(status).toBe(0);
    }
    expect(await arrived(data)).toEqual(expected);
  });

  test("half before a process was killed, half after", async () => {
    const before = temporaryFolder();
    const first = await start(before);
    const half = Math.floor(oneByOne.length / 2);
    for (const body of oneByOne.slice(0, half)) await post(first, body);
    const after = temporaryFolder();
    cpSync(before, after, { recursive: true });
    rmSync(join(after, "journal", "lock"), { force: true });
    const second = await start(after);
    for (const body of oneByOne.slice(half)) await post(second, body);
    expect(await arrived(after)).toEqual(expected);
  });

  test("over Kafka", async () => {
    const broker = new FakeBroker();
    const member = new FakeMember(broker);
    const data = temporaryFolder();
    await start(data, {
      kafkaPort: member,
      kafka: { ...kafkaDefaults, sessionTimeoutMs: 600_000 },
      http: "off",
    });
    await expect.poll(() => member.events).toBeDefined();
    await member.join(["otlp_logs"]);
    for (const request of requests)
      broker.append("otlp_logs", { key: null, value: asProtobuf(request).bytes, headers: {} });
    await member.read("otlp_logs");
    expect(await arrived(data)).toEqual(expected);
  });

  test("while they are forwarded", async () => {
    const sink = await startOtlpSink();
    onTestFinished(() => sink.close());
    const data = temporaryFolder();
    const live = await start(data, { forwardTo: [{ endpoint: sink.endpoint }] });
    for (const request of requests) await post(live, asProtobuf(request));
    expect(await arrived(data)).toEqual(expected);
    await until(() => sink.logs.length >= oneByOne.length);
  });
});

/** The records of one question to an agent, all in one session. */
function turn(nth: number): Body {
  const timeUnixNano = (record: number) => `${1_760_000_000 + 600 * nth}00000000${record}`;
  const record = (at: number, eventName: string, attributes: Record<string, string>) => ({
    timeUnixNano: timeUnixNano(at),
    eventName: `claude_code.${eventName}`,
    attributes: Object.entries({ ...attributes, "session.id": "s", "event.name": eventName }).map(
      ([key, value]) => ({ key, value: { stringValue: value } }),
    ),
  });
  const logRecords = [
    record(1, "user_prompt", { prompt: `question ${nth}`, "prompt.id": `p${nth}` }),
    record(2, "api_request", { "prompt.id": `p${nth}`, model: "claude-sonnet-4-5", input_tokens: "9" }),
  ];
  const resource = { attributes: [{ key: "service.name", value: { stringValue: "claude-code" } }] };
  const scopeLogs = [{ scope: { name: "com.anthropic.claude_code.events" }, logRecords }];
  return asProtobuf({ signal: "logs", document: { resourceLogs: [{ resource, scopeLogs }] } });
}

test("a session goes on in the next process: each question has a run and a verdict of its own", async () => {
  const data = temporaryFolder();
  const asked = (folder: string): string[] =>
    written(folder).map((line) => (JSON.parse(line) as { readonly query: string }).query);
  for (const nth of [1, 2]) {
    const live = await start(data);
    await post(live, turn(nth));
    clock.start();
    await until(() => written(data).length >= nth);
    await live.stop(5_000); // Its traces are finished.
  }
  // This process is killed while the trace of the third question is open.
  const third = await start(data);
  await post(third, turn(3));
  const after = temporaryFolder();
  cpSync(data, after, { recursive: true });
  rmSync(join(after, "journal", "lock"), { force: true });
  await start(after);
  clock.start();
  await until(() => written(after).length >= 3);
  expect(asked(after).sort()).toEqual(["question 1", "question 2", "question 3"]);
});
