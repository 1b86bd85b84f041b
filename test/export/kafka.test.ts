import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ExportEvents } from "../../src/export/records/export-events.ts";
import type { PublishOptions, VerdictExporter } from "../../src/export/exporter.ts";
import { messageKey, MessageTooLarge, type VerdictMessage } from "../../src/export/kafka/verdict-topic.ts";
import type { ExportSettings } from "../../src/export/settings.ts";
import { verdictJsonText } from "../../src/report/json/verdict-json.ts";
import { checkOf, judgedRun, verdictOf } from "../support/verdict-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { exporterInFolder } from "./exporter-in-folder.ts";

/** A topic that outlives the processes that write to it. */
class FakeTopic {
  readonly messages: VerdictMessage[] = [];
  readonly searches: string[][] = [];
  /** What the next request comes to; `lost`: written, and the answer does not arrive. */
  next: "ok" | "refused" | "lost" = "ok";
  largest = Infinity;

  async produce(messages: readonly VerdictMessage[]): Promise<void> {
    const { next } = this;
    this.next = "ok";
    if (next === "refused") throw new Error("no leader");
    if (messages.some(({ value }) => value.length > this.largest)) throw new MessageTooLarge("too large");
    this.messages.push(...messages);
    if (next === "lost") throw new Error("connection lost");
  }

  async find(keys: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    this.searches.push([...keys]);
    return new Set(this.messages.map(messageKey).filter((key) => keys.has(key)));
  }

  async close(): Promise<void> {}

  get keys(): string[] {
    return this.messages.map(messageKey);
  }
}

let folder: string;
let topic: FakeTopic;
let exporter: VerdictExporter | undefined;

beforeEach(() => {
  folder = temporaryFolder();
  topic = new FakeTopic();
});
afterEach(async () => {
  await exporter?.close(0);
});

async function open(
  events: Partial<ExportEvents> = {},
  more: Partial<ExportSettings> = {},
): Promise<VerdictExporter> {
  const kafka = { brokers: ["b:9092"], clientId: "t", sasl: null, tls: null, topic: "v", timeoutMs: 1000 };
  exporter = await exporterInFolder({
    folder,
    settings: { revisions: "all", kafka, ...more },
    openTopic: () => topic,
    version: "1",
    render: verdictJsonText,
    lateWindowMs: 0,
    events,
  });
  return exporter;
}

function publish(to: VerdictExporter, id: string, options?: PublishOptions, revision = 1): void {
  const run = judgedRun({ query: "a secret question" });
  const checks = [checkOf({ check: "not_in_answer", layer: "correctness", message: "a secret answer" })];
  to.publish(verdictOf(checks, { verdictId: id, revision, run }), options);
}

test("a verdict is one message, keyed by its trace, as the published schema says", async () => {
  const kafka = await open();
  publish(kafka, "v-1");
  publish(kafka, "v-1", {}, 2);
  await kafka.flush();
  expect(topic.keys).toEqual(["v-1 1", "v-1 2"]);
  expect(topic.messages[0]?.traceId).toBe("5b8efff798038103d269b633813fc60c");
  const schema = JSON.parse(await readFile("config/verdict-message.schema.json", "utf8")) as object;
  const validate = new Ajv2020({ strict: false }).compile(schema);
  const values = topic.messages.map(({ value }) => JSON.parse(Buffer.from(value).toString()) as object);
  expect(values.map((value) => [validate(value), validate.errors])).toEqual([
    [true, null],
    [true, null],
  ]);
  expect(JSON.stringify(values)).not.toContain("secret");
  expect(topic.searches).toEqual([]);
});

test.each(["lost", "refused"] as const)(
  "after a request that was %s each verdict is there once",
  async (how) => {
    const kafka = await open();
    topic.next = how;
    publish(kafka, "v-1");
    publish(kafka, "v-2");
    await kafka.flush();
    publish(kafka, "v-3");
    await kafka.flush();
    await kafka.flush();
    expect([...topic.keys].sort()).toEqual(["v-1 1", "v-2 1", "v-3 1"]);
  },
);

test("what an earlier process may have written is looked for, and written where it is not there", async () => {
  const first = await open();
  publish(first, "v-1");
  await first.flush();
  await first.close(1000);
  const second = await open();
  publish(second, "v-1", { maybeSent: true });
  publish(second, "v-2", { maybeSent: true });
  publish(second, "v-3");
  await second.flush();
  expect(topic.keys).toEqual(["v-1 1", "v-2 1", "v-3 1"]);
  expect(topic.searches).toEqual([["v-1 1", "v-2 1"]]);
});

test("what an earlier process left on the disk after a request without an answer is there once", async () => {
  const first = await open();
  topic.next = "lost";
  publish(first, "v-1");
  await first.flush();
  await first.close(0);
  const second = await open();
  await second.flush();
  expect(topic.keys).toEqual(["v-1 1"]);
});

test("a verdict that is larger than the brokers accept is given up alone, and counted", async () => {
  const lost: string[] = [];
  const kafka = await open({ rejected: ({ records, why }) => lost.push(`${records} ${why}`) });
  publish(kafka, "v-1");
  publish(kafka, `v-${"x".repeat(5000)}`);
  publish(kafka, "v-2");
  topic.largest = 5000;
  await kafka.flush();
  expect({ keys: topic.keys, lost }).toEqual({
    keys: ["v-1 1", "v-2 1"],
    lost: ["1 the message is larger than the brokers accept (message.max.bytes)"],
  });
});
