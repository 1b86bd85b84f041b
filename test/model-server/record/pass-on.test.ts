import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import OpenAI from "openai";
import { eventLoopTurns, repeating, simulatedDelay, until } from "../../support/eventually.ts";
import { ScriptedResponder, serverOf } from "../scripted.ts";
import { rawRequest } from "../raw-request.ts";
import { providerOf, recorderOf } from "./recorded.ts";

const question = { model: "gpt-5", messages: [{ role: "user", content: "Hello?" }] };
const answer = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "gpt-5-1",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
};

function ask(baseUrl: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer sk-secret-value" },
    body: JSON.stringify(question),
    redirect: "manual",
    ...init,
  });
}

test("a recorded call ends when its last data was sent, however late the server notices the end", async () => {
  let end = (): void => undefined;
  const upstream = await providerOf((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" });
    response.write(JSON.stringify(answer));
    end = () => response.end();
  });
  const recorded = await recorderOf(upstream);
  const response = await ask(recorded.baseUrl);
  const reader = response.body?.getReader();
  await reader?.read();
  const readUnixMs = Date.now();
  await simulatedDelay(50);
  end();
  await reader?.read();
  const call = await recorded.firstCall();
  expect(call?.error).toBeNull();
  expect(call?.endUnixMs).toBeLessThanOrEqual(readUnixMs + 1);
});

test("embeddings are recorded without their texts and vectors", async () => {
  const provider = await serverOf(new ScriptedResponder([]));
  const recorded = await recorderOf(`${provider.baseUrl()}/v1`);
  const client = new OpenAI({ apiKey: "sk-any", baseURL: recorded.baseUrl });
  for (const encoding_format of ["float", "base64"] as const)
    await client.embeddings.create({
      model: "text-embedding-3-small",
      input: ["a private text", "another"],
      dimensions: 64,
      encoding_format,
    });
  await recorded.settled();

  const spans = JSON.stringify(recorded.spans());
  expect(recorded.outcomes).toEqual(["recorded", "recorded"]);
  expect(spans).not.toContain("private");
  expect(
    recorded.calls.map(([{ operation, request, embedded }]) => [operation, request?.model, embedded]),
  ).toEqual(
    [1, 2].map(() => [
      "embeddings",
      "text-embedding-3-small",
      {
        "gen_ai.response.model": "text-embedding-3-small",
        "gen_ai.usage.input_tokens": expect.any(Number),
        "gen_ai.embeddings.dimension.count": 64,
      },
    ]),
  );
});

test("a request goes on with its headers, but those of the connection, and the call is read", async () => {
  let seen: Record<string, unknown> = {};
  const upstream = await providerOf((request, response) => {
    seen = { url: request.url, ...request.headers };
    response.setHeader("x-request-id", "r-1").end(JSON.stringify(answer));
  });
  const recorded = await recorderOf(`${upstream}/v1`);

  const response = await fetch(`${recorded.baseUrl}/chat/completions?api-version=1`, {
    method: "POST",
    headers: { authorization: "Bearer k", "proxy-authorization": "Bearer p", "x-own": "1" },
    body: JSON.stringify(question),
  });

  expect(await response.json()).toEqual(answer);
  expect(response.headers.get("x-request-id")).toBe("r-1");
  expect(seen).toMatchObject({
    url: "/v1/chat/completions?api-version=1",
    authorization: "Bearer k",
    "x-own": "1",
    host: new URL(upstream).host,
  });
  expect(seen).not.toHaveProperty("proxy-authorization");
  expect(await recorded.firstCall()).toMatchObject({
    request: { model: "gpt-5" },
    answer: { id: "chatcmpl-1", text: "Hi.", finish: "stop", usage: { input: 5, output: 2 } },
    error: null,
  });
  expect(recorded.outcomes).toEqual(["recorded"]);
});

test("a stream is passed on piece by piece, before its end is there", async () => {
  let finish = (): void => undefined;
  const upstream = await providerOf((_, response) => {
    const chunk = { ...answer, object: "chat.completion.chunk" };
    const piece = (choice: object): string =>
      `data: ${JSON.stringify({ ...chunk, usage: null, choices: [{ index: 0, ...choice }] })}\n\n`;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(piece({ delta: { role: "assistant", content: "Hi" }, finish_reason: null }));
    finish = () =>
      response.end(`${piece({ delta: { content: "." }, finish_reason: "stop" })}data: [DONE]\n\n`);
  });
  const recorded = await recorderOf(upstream);

  const response = await ask(recorded.baseUrl, { body: JSON.stringify({ ...question, stream: true }) });
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(Buffer.from(first?.value ?? []).toString()).toContain('"Hi"');
  finish();
  while ((await reader?.read())?.done === false);

  const call = await recorded.firstCall();
  expect(call).toMatchObject({ isStreamed: true, answer: { text: "Hi.", finish: "stop" } });
  expect(call?.firstChunkMs).toBeGreaterThan(0);
});

test("a compressed answer is passed on as it is, and read", async () => {
  const body = gzipSync(JSON.stringify(answer));
  const upstream = await providerOf((_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(body);
  });
  const recorded = await recorderOf(upstream);
  const text = JSON.stringify(question);
  const path = `${new URL(recorded.baseUrl).pathname}/chat/completions`;
  const headers = ["connection: close", `content-length: ${text.length}`];

  const socket = rawRequest(recorded.baseUrl, "POST", path, headers);
  socket.write(text);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "end");

  expect(Buffer.concat(chunks).includes(body)).toBe(true);
  expect((await recorded.firstCall())?.answer?.text).toBe("Hi.");
});

test.each([
  ["reads and goes", true],
  ["does not read, and goes", false],
])("a client of an endless stream that %s ends the call", async (_, isReading) => {
  const piece = `data: ${"x".repeat(65_536)}\n\n`;
  const upstream = await providerOf((request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const end = repeating(1, () => response.write(piece));
    request.socket.once("close", end);
  });
  const recorded = await recorderOf(upstream);
  const controller = new AbortController();
  const response = await ask(recorded.baseUrl, { signal: controller.signal });
  const reader = response.body?.getReader();
  for (let bytes = 0; bytes < (isReading ? 4_000_000 : 1);)
    bytes += (await reader?.read())?.value?.length ?? Infinity;
  // Until nothing more fits between provider and client.
  if (!isReading) await eventLoopTurns(2_000);
  controller.abort();

  expect((await recorded.firstCall())?.error?.type).toBe("cancelled");
});

test.each([
  ["redirects to another host", 502, "redirect"],
  ["closes the connection before it answers", 502, "unreachable"],
  ["is silent for too long", 504, "timeout"],
] as const)("a provider that %s: an error in the protocol's form", async (_, status, type) => {
  const asked: string[] = [];
  const elsewhere = await providerOf((request, response) => {
    asked.push(request.url ?? "");
    response.end();
  });
  const upstream = await providerOf((request, response) => {
    if (type === "redirect") response.writeHead(307, { location: `${elsewhere}/v1` }).end();
    else if (type === "unreachable") request.socket.destroy();
  });
  const recorded = await recorderOf(upstream, type === "timeout" ? { silenceMs: 30 } : {});

  const response = await ask(recorded.baseUrl);

  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining("127.0.0.1") } });
  expect((await recorded.firstCall())?.error?.type).toBe(type);
  expect(asked).toEqual([]);
});

test("a stream that breaks off is cut for the client too, and what came is read", async () => {
  const upstream = await providerOf((_, response) => {
    const chunk = { ...answer, usage: null, choices: [{ index: 0, delta: { content: "Half" } }] };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify(chunk)}\n\n`, () => response.destroy());
  });
  const recorded = await recorderOf(upstream);

  await expect(ask(recorded.baseUrl).then((response) => response.text())).rejects.toThrow("terminated");
  expect(await recorded.firstCall()).toMatchObject({ answer: { text: "Half" }, error: { type: "broken" } });
});

test("a provider's error is passed on and recorded by its status", async () => {
  const upstream = await providerOf((_, response) => {
    response
      .writeHead(429, { "retry-after": "7" })
      .end('{"error":{"message":"slow down","type":"requests"}}');
  });
  const recorded = await recorderOf(upstream);

  const response = await ask(recorded.baseUrl);

  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
  expect((await recorded.firstCall())?.error).toEqual({ type: "429", message: "slow down" });
});

test("bodies above the bounds of memory are passed on whole; the span is without contents", async () => {
  let received = 0;
  const upstream = await providerOf((request, response) => {
    request.on("data", (chunk: Buffer) => (received += chunk.length));
    request.on("end", () => response.end(JSON.stringify(answer)));
  });
  const recorded = await recorderOf(upstream, { memory: { all: 2 ** 20, one: 2 ** 20 } });
  const body = JSON.stringify({ ...question, pad: "x".repeat(8 * 2 ** 20) });

  const response = await ask(recorded.baseUrl, { body });

  expect(response.status).toBe(200);
  expect(received).toBe(body.length);
  expect(await recorded.firstCall()).toMatchObject({ request: null, answer: { text: "Hi." } });
});

test.each([
  ["plain", (body: string) => body, {}],
  ["compressed", (body: string) => gzipSync(body), { "content-encoding": "gzip" }],
])(
  "calls at the same time keep their contents when their %s bodies take more than the memory",
  async (_, write, coding) => {
    const waiting: (() => void)[] = [];
    const upstream = await providerOf((request, response) => {
      request.resume().on("end", () => {
        waiting.push(() => response.writeHead(200, coding).end(write(JSON.stringify({ ...answer, pad }))));
        if (waiting.length === 3) for (const respond of waiting) respond();
      });
    });
    const pad = randomBytes(2 ** 19)
      .toString("hex")
      .slice(0, 900_000);
    const recorded = await recorderOf(upstream, {
      memory: { all: 2 ** 20, one: 2 ** 20, files: 2 ** 25 },
    });
    const body = write(JSON.stringify({ ...question, pad }));

    const responses = await Promise.all(
      Array.from({ length: 3 }, () => ask(recorded.baseUrl, { body, headers: coding })),
    );

    expect(await Promise.all(responses.map(async (one) => (await one.json()) as object))).toEqual(
      responses.map(() => expect.objectContaining({ pad })),
    );
    await recorded.settled();
    expect(
      recorded.calls.map(([{ omitted, request, answer: got }]) => [omitted, request?.model, got?.text]),
    ).toEqual(recorded.calls.map(() => [undefined, question.model, "Hi."]));
    expect(recorded.calls).toHaveLength(3);
  },
);

test.each(["/v1/files", "/v1/audio/speech", "/v1/threads/t/messages", "/v1/models"])(
  "%s is passed on and is no call",
  async (path) => {
    const upstream = await providerOf((_, response) => response.end('{"id":"file-1"}'));
    const recorded = await recorderOf(upstream);

    const response = await fetch(`${recorded.baseUrl}${path}`, { method: "POST", body: "{}" });

    expect(await response.json()).toEqual({ id: "file-1" });
    await recorded.settled();
    expect([recorded.outcomes, recorded.calls]).toEqual([["passed_on"], []]);
  },
);

test.each([
  ["another mount", "/r/c/other/v1/chat/completions"],
  ["a path above the base URL", "/r/c/provider/chat/completions"],
  ["dots", "/r/c/provider/v1/../admin"],
  ["escaped dots", "/r/c/provider/v1/%2e%2E/admin"],
  ["backslashes", "/r/c/provider/v1/..%5cadmin"],
  ["a host in the path", "/r/c/provider//evil.example/v1"],
  ["an absolute address", "http://evil.example/r/c/provider/v1"],
])("a request to %s is not forwarded", async (_, path) => {
  const asked: string[] = [];
  const upstream = await providerOf((request, response) => {
    asked.push(request.url ?? "");
    response.end("{}");
  });
  const recorded = await recorderOf(`${upstream}/v1`);

  const socket = rawRequest(recorded.baseUrl, "POST", path, ["connection: close", "content-length: 0"]);
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  await once(socket, "end");

  expect(text).toMatch(/^HTTP\/1\.1 404 /);
  expect([recorded.outcomes, asked]).toEqual([["refused"], []]);
});

test.each([
  ["switches protocols", "HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nhello"],
  ["closes without a word", ""],
  ["breaks off in its head", "HTTP/1.1 200 O"],
  ["sends something other than HTTP", "\u0001\u0002 what\r\n\r\n"],
  ["has two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}x"],
])("a provider that %s is answered for, in the form of the client", async (_, sent) => {
  const provider = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(sent, "latin1"));
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    provider.close();
  });
  const { port } = provider.address() as AddressInfo;
  const recorded = await recorderOf(`http://127.0.0.1:${port}`);
  const response = await fetch(`${recorded.baseUrl}/v1/messages`, { method: "POST", body: "{}" });

  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ type: "error", error: { type: "api_error" } });
});

test("a call that cannot be kept is dropped, and the recorder goes on", async () => {
  const provider = await providerOf((_, response) => response.end(JSON.stringify(answer)));
  const recorded = await recorderOf(`${provider}/v1`, { onCall: () => Promise.reject(new Error("full")) });
  await Promise.all([ask(recorded.baseUrl), ask(recorded.baseUrl)].map(async (one) => (await one).text()));
  await recorded.settled();

  expect(recorded.outcomes).toEqual(["dropped", "dropped"]);
});

test("a call under way is cut after the grace, and recorded as cancelled", async () => {
  let isAsked = false;
  const provider = await providerOf(() => {
    isAsked = true;
  });
  const recorded = await recorderOf(`${provider}/v1`);
  const asking = ask(recorded.baseUrl).then(
    () => "answered",
    () => "cut",
  );
  await until(() => isAsked);
  await recorded.settled("call-1", 0);

  expect(await asking).toBe("cut");
  expect(recorded.calls.map(([{ error }]) => error?.type)).toEqual(["cancelled"]);
});
