import { afterAll, expect, onTestFinished, test } from "vitest";
import type { CopiedCall } from "../../../src/model-server/record/read-call.ts";
import { CallReader } from "../../../src/model-server/record/call-reader.ts";
import { nothingRedacted, Redactor } from "../../../src/support/redact/redactor.ts";

const MOST_BYTES = 32 * 2 ** 20;

function readerOf(heapMib?: number): CallReader {
  return new CallReader(new Redactor({ ...nothingRedacted, detectors: ["keys"] }), heapMib);
}

/** The reader of all tests: its thread takes as long to start as most of them. */
const shared = readerOf();
afterAll(() => {
  shared.close();
});

function callOf(messages: string): CopiedCall {
  return {
    protocol: "openai-chat",
    path: "/v1/chat/completions",
    target: "https://api.openai.com/v1/chat/completions",
    requestEncoding: "",
    requestBody: Buffer.from(`{"model":"m","messages":${messages}}`),
    responseBody: Buffer.from('{"choices":[{"message":{"content":"Yes."}}]}'),
    passed: {
      status: 200,
      contentType: "application/json",
      contentEncoding: "",
      firstByteMs: 1,
      interruption: null,
    },
    startUnixMs: 1,
    durationMs: 2,
  };
}

test.each([10, 100_000])("a call with a text of %i words is decoded, with its answer", async (words) => {
  const text = "word ".repeat(words);
  const call = callOf(JSON.stringify([{ role: "user", content: text }]));

  expect(await shared.read(call, MOST_BYTES)).toMatchObject({
    provider: "openai",
    request: { model: "m", messages: [{ role: "user", text }] },
    answer: { text: "Yes." },
    server: { address: "api.openai.com", port: 443 },
  });
});

test.each([10, 100_000])("a key is removed from a request with %i words", async (words) => {
  const key = ["sk-", "a1B2c3D4".repeat(4)].join("");
  const stringValue = `${"word ".repeat(words)}${key}`;
  const text = await shared.redact({ attributes: [{ key: "input", value: { stringValue } }] });

  expect(text).toContain("word ".repeat(words));
  expect(text).not.toContain(key);
});

test("a call with too long messages has only its answer", async () => {
  const call = callOf(JSON.stringify([{ role: "user", content: "word ".repeat(2 * 10 ** 6) }]));

  expect(await shared.read(call, MOST_BYTES)).toMatchObject({
    request: { model: "m", messages: null },
    answer: { text: "Yes." },
    omitted: "messages_too_long",
    hasContents: false,
  });
});

test("a call with more values than any real one has no messages", async () => {
  const hostile = await shared.read(callOf(`[${"[],".repeat(5 * 10 ** 6)}[]]`), MOST_BYTES);

  expect(hostile).toMatchObject({ request: null, answer: { text: "Yes." }, omitted: "body_too_large" });
});

test("a call that needs too much memory has no messages, and the next one is decoded", async () => {
  const reader = readerOf(32);
  onTestFinished(() => {
    reader.close();
  });
  const hostile = await reader.read(
    callOf(`[${`{"a":{"b":"${"c".repeat(60)}"}},`.repeat(300_000)}{}]`),
    MOST_BYTES,
  );
  const next = await reader.read(callOf(`[{"role":"user","content":"${"x".repeat(10 ** 6)}"}]`), MOST_BYTES);

  expect(hostile).toMatchObject({ request: null, answer: null, omitted: "no_memory" });
  expect(next).toMatchObject({ request: { messages: [{ role: "user" }] }, answer: { text: "Yes." } });
});
