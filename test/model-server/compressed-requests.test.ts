import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import { FaultyResponder } from "../../src/model-server/faults/faulty-responder.ts";
import { providerOf, recorderOf } from "./record/recorded.ts";
import { answerOf, ScriptedResponder, serverOf } from "./scripted.ts";

const codings = {
  gzip: promisify(zlib.gzip),
  "x-gzip": promisify(zlib.gzip),
  GZIP: promisify(zlib.gzip),
  deflate: promisify(zlib.deflate),
  br: promisify(zlib.brotliCompress),
  zstd: (body) => Promise.resolve(zstdOf(body)),
  identity: (body: Buffer) => Promise.resolve(body),
} satisfies Record<string, (body: Buffer) => Promise<Buffer>>;

/** Zstd in frames of ten bytes, as a client writes that flushes: each one with a single uncompressed block. */
function zstdOf(body: Buffer): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at < body.length; at += 10) {
    const part = body.subarray(at, at + 10);
    const head = [0x28, 0xb5, 0x2f, 0xfd, 0x20, part.length, (part.length << 3) | 1, 0, 0];
    frames.push(Buffer.from(head), part);
  }
  return Buffer.concat(frames);
}

/** Zstd whose header declares this size, and that has as many equal bytes. */
function zstdBomb(bytes: number): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0]);
  head.writeUInt32LE(bytes, 5);
  const block = 128 << 10;
  const blocks = Array.from({ length: Math.ceil(bytes / block) }, (_, at) => {
    const isLast = (at + 1) * block >= bytes;
    const header = (Math.min(block, bytes - at * block) << 3) | 2 | Number(isLast);
    return Buffer.from([header & 255, (header >> 8) & 255, (header >> 16) & 255, 32]);
  });
  return Buffer.concat([head, ...blocks]);
}

const notations: readonly (readonly [string, object])[] = [
  ["/v1/chat/completions", { model: "m", messages: [{ role: "user", content: "Grüße" }] }],
  ["/v1/responses", { model: "m", input: "Grüße" }],
  ["/v1/messages", { model: "m", max_tokens: 9, messages: [{ role: "user", content: "Grüße" }] }],
  ["/v1beta/models/m:generateContent", { contents: [{ role: "user", parts: [{ text: "Grüße" }] }] }],
];

const chat = "/v1/chat/completions";

async function post(
  url: string,
  coding: string,
  body: Uint8Array,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = { "content-encoding": coding };
  const response = await fetch(url, { method: "POST", headers, body: new Uint8Array(body) });
  return { status: response.status, body: await response.json() };
}

describe.each(Object.entries(codings))("a request in %s", (coding, compress) => {
  test.each(notations)("%s is read as a plain one", async (path, request) => {
    const responder = new ScriptedResponder([answerOf({ text: "Hi" })]);
    const server = await serverOf(responder);
    const sent = await post(
      `${server.baseUrl()}${path}`,
      coding,
      await compress(Buffer.from(JSON.stringify(request))),
    );

    expect(sent.status).toBe(200);
    expect(responder.received[0]?.request.messages).toMatchObject([{ role: "user", text: "Grüße" }]);
  });

  test("a fault before a provider is seen", async () => {
    const upstream = await providerOf((_, response) => response.end("{}"));
    const recorded = await recorderOf(upstream, {
      between: (inner) => new FaultyResponder(inner, { kind: "rate-limit", at: 1, isLasting: false }),
    });
    const body = await compress(Buffer.from(JSON.stringify(notations[0]?.[1])));

    expect((await post(`${recorded.baseUrl}/chat/completions`, coding, body)).status).toBe(429);
  });
});

test.each(["gzip", "deflate", "br", "zstd"] as const)(
  "a small %s body that becomes large is refused",
  async (coding) => {
    const server = await serverOf(new ScriptedResponder([]), { largestBodyBytes: 100_000 });
    const bytes = 4 << 20;
    const bomb = coding === "zstd" ? zstdBomb(bytes) : await codings[coding](Buffer.alloc(bytes, " "));

    expect(await post(`${server.baseUrl()}${chat}`, coding, bomb)).toMatchObject({
      status: 413,
      body: { error: { code: "request_too_large" } },
    });
  },
);

test("many compressed bodies at a time stay within the memory of all requests", async () => {
  const largestBodyBytes = 1_000_000;
  let received = 0;
  const respond = (): Promise<never> => {
    received++;
    return hang();
  };
  const server = await serverOf({ respond }, { largestBodyBytes });
  const text = "x".repeat(largestBodyBytes - 1_000);
  const body = zlib.gzipSync(JSON.stringify({ messages: [{ role: "user", content: text }] }));
  const ended = new AbortController();
  const asked = Array.from({ length: 12 }, async () => {
    const headers = { "content-encoding": "gzip" };
    const { signal } = ended;
    return fetch(`${server.baseUrl()}${chat}`, { method: "POST", headers, body, signal });
  });
  const first = await Promise.race(asked);
  ended.abort();
  await Promise.allSettled(asked);

  expect(first.status).toBe(503);
  expect(received).toBe(1);
});

const whole = zlib.gzipSync(JSON.stringify(notations[0]?.[1]));
const refused: readonly (readonly [string, string, Buffer, number])[] = [
  ["that is no gzip", "gzip", Buffer.from('{"messages":[]}'), 400],
  ["that is no zstd", "zstd", Buffer.from('{"messages":[]}'), 400],
  ["that is cut off", "gzip", whole.subarray(0, whole.length - 12), 400],
  ["of an unknown coding", "rot13", whole, 415],
  ["of a coding that names a member of objects", "constructor", whole, 415],
  ["of two codings", "gzip, br", whole, 415],
];

test.each(refused)("a body %s is refused in the form of the protocol", async (_, coding, body, status) => {
  const server = await serverOf(new ScriptedResponder([]));

  expect(await post(`${server.baseUrl()}${chat}`, coding, body)).toMatchObject({
    status,
    body: { error: { type: "invalid_request_error" } },
  });
});

function hang(): Promise<never> {
  return new Promise(() => undefined);
}

describe("a byte order mark before JSON", () => {
  const marked = (value: object): Buffer => Buffer.from(`\ufeff${JSON.stringify(value)}`);

  test.each(notations)("%s is read as without it, compressed or not", async (path, request) => {
    for (const [coding, compress] of Object.entries({ identity: codings.identity, gzip: codings.gzip })) {
      const responder = new ScriptedResponder([answerOf({ text: "Hi" })]);
      const server = await serverOf(responder);
      const sent = await post(`${server.baseUrl()}${path}`, coding, await compress(marked(request)));

      expect(sent.status).toBe(200);
      expect(responder.received[0]?.request.messages).toMatchObject([{ role: "user", text: "Grüße" }]);
    }
  });

  test("is read in a request and an answer that pass by", async () => {
    const choices = [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }];
    const upstream = await providerOf((_, response) => response.end(marked({ id: "a", choices })));
    const recorded = await recorderOf(upstream);
    const body = new Uint8Array(marked(notations[0]?.[1] ?? {}));
    await (await fetch(`${recorded.baseUrl}/chat/completions`, { method: "POST", body })).text();
    await recorded.settled();

    expect(recorded.calls[0]?.[0]).toMatchObject({ request: { model: "m" }, answer: { text: "Hi" } });
  });
});
