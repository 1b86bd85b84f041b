import { existsSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type ExportRequest, recordingsBelow, requestsOf } from "../../bench/data/real/recordings.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { replayedRuns } from "../long/runs/assemble.ts";
import { asJson, asProtobuf, type Body, recordsOf, requestOf } from "../long/runs/records.ts";
import { createJudgeRun } from "../../src/pipeline/judge-run.ts";
import { verdictJson } from "../../src/report/json/verdict-json.ts";
import { call, frame, session } from "../receive/support.ts";
import { killed, verdictFile, verdictLines } from "../support/data-folder.ts";
import { LONGEST_WAIT_MS, until } from "../support/eventually.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { type ServeOptions, inMemory, serveInTest } from "../support/serve.ts";
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
  return serveInTest({
    specs,
    timeouts,
    export: { file: verdictFile(data), revisions: "all" },
    dataDir: data,
    now: clock.now,
    store: inMemory,
    ...options,
  });
}

/** Resolves when the collector has judged so many runs. The file has them after a second, or at the stop. */
async function judged({ listening }: Collector, count: number): Promise<void> {
  await until(async () => {
    const answer = await fetch(`http://${listening.admin}/api/v1/facets`);
    return ((await answer.json()) as { readonly total: number }).total >= count;
  });
}

/** The last revision of each verdict in the file. */
function written(data: string): Verdicts {
  const newest = new Map<string, string>();
  for (const line of verdictLines(data)) {
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
  .map((record, at) => (at % 2 === 0 ? asProtobuf : asJson)(requestOf(record)));

describe("runs from log records alone", () => {
  let expected: Verdicts = [];
  beforeAll(() => {
    expected = replayed(requests.map(asJson));
  });

  const arrived = async (data: string, live: Collector): Promise<Verdicts> => {
    clock.start();
    await judged(live, expected.length);
    await live.stop(LONGEST_WAIT_MS);
    return written(data);
  };

  test("are more than a few, and the same as protobuf, and record by record in either encoding", () => {
    expect(expected.length).toBeGreaterThan(10);
    expect(replayed(requests.map(asProtobuf))).toEqual(expected);
    expect(replayed(oneByOne)).toEqual(expected);
  });

  test("over HTTP and gRPC, while they are forwarded", async () => {
    const sink = await startOtlpSink();
    onTestFinished(() => sink.close());
    const data = temporaryFolder();
    const live = await start(data, { grpc: "127.0.0.1:0", forwardTo: [{ endpoint: sink.endpoint }] });
    const client = session(String(live.listening.grpc));
    const path = "/opentelemetry.proto.collector.logs.v1.LogsService/Export";
    const statuses = new Set<unknown>();
    for (const [at, request] of requests.entries()) {
      if (at % 2 > 0) await post(live, asProtobuf(request));
      else statuses.add((await call(client, frame(asProtobuf(request).bytes), { path })).status);
    }
    expect(statuses).toEqual(new Set([0]));
    await until(() => sink.logs.length >= oneByOne.length);
    expect(await arrived(data, live)).toEqual(expected);
  });

  test("half before a process was killed, half after", async () => {
    const before = temporaryFolder();
    const first = await start(before);
    const half = Math.floor(oneByOne.length / 2);
    for (const body of oneByOne.slice(0, half)) await post(first, body);
    const after = killed(before);
    const second = await start(after);
    for (const body of oneByOne.slice(half)) await post(second, body);
    expect(await arrived(after, second)).toEqual(expected);
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
    await judged(live, 1);
    await live.stop(LONGEST_WAIT_MS); // Its traces are finished.
  }
  // This process is killed while the trace of the third question is open.
  const third = await start(data);
  await post(third, turn(3));
  const after = killed(data);
  const fourth = await start(after);
  clock.start();
  await judged(fourth, 1);
  await fourth.stop(LONGEST_WAIT_MS);
  expect(asked(after).sort()).toEqual(["question 1", "question 2", "question 3"]);
});
