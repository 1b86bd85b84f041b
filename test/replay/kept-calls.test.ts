import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { fileReader } from "../../src/config/find/file-reader.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { RecordedCall } from "../../src/model-server/record/call-span.ts";
import { KnownSecrets } from "../../src/model-server/record/known-secrets.ts";
import type { AgentSpan } from "../../src/model-server/record/place-calls.ts";
import { CallReader } from "../../src/model-server/record/call-reader.ts";
import { CallFile } from "../../src/replay/agent/recording/call-file.ts";
import { KeptCalls } from "../../src/replay/agent/recording/kept-calls.ts";
import { RecordedDump } from "../../src/replay/agent/recording/kept-telemetry.ts";
import { messageOf } from "../../src/model-server/protocols/messages.ts";
import { recordedCall } from "../model-server/record/recorded.ts";
import { answerOf } from "../model-server/scripted.ts";
import { document, span } from "../support/otlp.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const own = { callId: "call", parent: null };

function call(text: string, id: string | null = null): RecordedCall {
  const request = { model: "m", system: text, messages: [messageOf("user", { text })], tools: null };
  return recordedCall({
    request: { ...request, parameters: {} },
    answer: answerOf({ id, text, finish: "stop" }),
  });
}

interface WrittenSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

function spansIn(lines: Iterable<string>): readonly WrittenSpan[] {
  return [...lines].flatMap((line) => {
    const { resourceSpans } = JSON.parse(line) as {
      resourceSpans: { scopeSpans: { spans: WrittenSpan[] }[] }[];
    };
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  });
}

function linesIn(path: string): readonly string[] {
  return readFileSync(path, "utf8").split("\n").slice(0, -1);
}

/** A redaction for which long texts need too much memory. */
const withoutLong = (request: JsonObject): Promise<string | null> => {
  const text = JSON.stringify(request);
  return Promise.resolve(text.length > 10_000 ? null : text);
};

test.each([
  ["recording_full", { mostCharacters: 10_000 }],
  ["messages_too_long", { longestCall: 10_000 }],
  ["no_memory", { textOf: withoutLong }],
])(
  "calls beyond a bound are kept without messages, with the reason %s, and counted",
  async (reason, bounds) => {
    const calls = new KeptCalls({ file: CallFile.temporary(), ...bounds });
    calls.begin("call", {});
    for (const text of ["short", "x".repeat(4_000), "brief"]) await calls.add(call(text), own);
    const keys = spansIn(calls.linesOf("call")).map(({ attributes }) => attributes.map(({ key }) => key));
    const contents = ["gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.output.messages"];
    const counts = ["gen_ai.usage.input_tokens", "gen_ai.request.model", "gen_ai.response.finish_reasons"];

    expect([...calls.omitted]).toEqual([[reason, 1]]);
    expect(keys).toEqual([
      expect.arrayContaining([...contents, ...counts]),
      expect.arrayContaining([...counts, "tracejury.contents.omitted"]),
      expect.arrayContaining([...contents, ...counts]),
    ]);
    for (const key of contents) expect(keys[1]).not.toContain(key);
  },
);

test("each call is in the file as soon as it is added, and is moved below the agent's span later", async () => {
  const path = join(temporaryFolder(), "dump.jsonl");
  const calls = new KeptCalls({ file: CallFile.at(path) });
  calls.begin("call", { "service.name": "ä" });
  await calls.add(call("Wo ist die Bestellung? „17“", "resp-a"), own);
  await calls.add(call("and this", "resp-b"), own);
  const before = spansIn(linesIn(path));
  const agentSpan = (spanId: string, held: string): AgentSpan => ({
    traceId: "a".repeat(32),
    spanId,
    parentSpanId: null,
    startUnixMs: 0,
    endUnixMs: 9,
    texts: () => [held],
  });
  calls.place("call", [agentSpan("b".repeat(16), "resp-b"), agentSpan("c".repeat(16), "resp-a")]);
  const after = spansIn(linesIn(path));

  expect(before.map(({ parentSpanId }) => parentSpanId)).toEqual([undefined, undefined]);
  expect(new Set(before.map(({ traceId }) => traceId)).size).toBe(1);
  expect(after.map(({ traceId, parentSpanId }) => [traceId, parentSpanId])).toEqual([
    ["a".repeat(32), "c".repeat(16)],
    ["a".repeat(32), "b".repeat(16)],
  ]);
  expect(after.map(({ spanId, attributes }) => [spanId, attributes])).toEqual(
    before.map(({ spanId, attributes }) => [spanId, attributes]),
  );
});

test("a key that a later call authenticates with is removed from the calls before", async () => {
  const path = join(temporaryFolder(), "dump.jsonl");
  const secrets = new KnownSecrets();
  const calls = new KeptCalls({
    file: CallFile.at(path),
    textOf: (request) => Promise.resolve(secrets.removeFrom(JSON.stringify(request))),
    secrets,
  });
  calls.begin("call", {});
  secrets.add("known-at-once");
  for (const text of ["is known-at-once the key", 'or is it "later\\known', "or none"])
    await calls.add(call(text), own);
  secrets.add('"later\\known');
  calls.place("call", []);
  const written = readFileSync(path, "utf8");

  expect(spansIn(linesIn(path))).toHaveLength(3);
  expect(written).not.toMatch(/known-at-once|later/);
  expect(written).toContain("or none");
});

test("a file of calls that is closed twice closes no other file, and takes no further line", () => {
  const file = CallFile.temporary();
  file.close();
  const path = join(temporaryFolder(), "other");
  const other = openSync(path, "w");
  file.close();
  writeSync(other, "still open");
  const place = { traceId: "0".repeat(32), spanId: "1".repeat(16), parentSpanId: null };
  expect(() => file.add(JSON.stringify(place), place)).toThrow("closed");
  closeSync(other);
  expect(readFileSync(path, "utf8")).toBe("still open");
});

test("a secret that a client uses after it was in telemetry is removed from the dump", async () => {
  const folder = temporaryFolder();
  const [sent = "", path = ""] = ["sent.json", "dump.jsonl"].map((name) => join(folder, name));
  const secret = ["carrot", "and", "parsnip"].join("-");
  writeFileSync(sent, JSON.stringify(document([span("a", undefined, `asked with ${secret}`, 0, 1)])));
  const dump = new RecordedDump(path, new CallReader());
  const secrets = new KnownSecrets();
  const loaded = loadConfig({ files: [], set: [], env: {}, reader: fileReader });
  if (!loaded.ok) throw new Error("no configuration");
  await dump.add([sent], loaded.config, secrets);
  expect(linesIn(path).join()).toContain(secret);

  secrets.add(secret);
  dump.removeLate(secrets);
  dump.close();

  expect(spansIn(linesIn(path))).toMatchObject([{ name: `asked with ${"*".repeat(secret.length)}` }]);
});
