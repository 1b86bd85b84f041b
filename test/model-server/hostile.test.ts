import { once } from "node:events";
import { connect, type Socket } from "node:net";
import OpenAI from "openai";
import { describe, expect, onTestFinished, test } from "vitest";
import { documentBounds, isObject, type JsonObject, parseJson } from "../../src/model/json.ts";
import { protocols } from "../../src/model-server/protocols/protocols.ts";
import type { Responder } from "../../src/model-server/server/responder.ts";
import { eventLoopTurns, until } from "../support/eventually.ts";
import { rawRequest } from "./raw-request.ts";
import { providerOf, recorderOf } from "./record/recorded.ts";
import { answerOf, ScriptedResponder, serverOf } from "./scripted.ts";

/** A path of each notation, and where its error has the message. */
const notations = [
  ["openai-chat", "/v1/chat/completions"],
  ["openai-responses", "/v1/responses"],
  ["anthropic-messages", "/v1/messages"],
  ["gemini-generate", "/v1beta/models/m:generateContent"],
] as const;

const silent: Responder = { respond: () => new Promise(() => undefined) };

describe.each(notations)("%s refuses in its own form", (name, path) => {
  const protocol = protocols.find((one) => one.name === name);
  const failureOf = async (base: string, body: string) => {
    const response = await fetch(`${base}${path}`, { method: "POST", body });
    return protocol?.readFailure(response.status, JSON.parse(await response.text()));
  };

  test("a body that is too large", async () => {
    const server = await serverOf(silent, { largestBodyBytes: 100_000 });

    expect(await failureOf(server.baseUrl("x"), " ".repeat(100_001))).toMatchObject({
      status: 413,
      kind: "too_large",
    });
  });

  test.each(["{", "", "[]", '"text"', "null", `${"[".repeat(400)}${"]".repeat(400)}`])(
    "the body %j",
    async (body) => {
      const server = await serverOf(silent);

      expect(await failureOf(server.baseUrl(), body)).toMatchObject({ status: 400, kind: "invalid_request" });
    },
  );
});

test("an unknown path says what is served", async () => {
  const server = await serverOf(silent);
  const client = new OpenAI({ apiKey: "any", baseURL: server.baseUrl(), maxRetries: 0 });

  await expect(client.images.generate({ prompt: "a cat" })).rejects.toThrow(
    /POST \/images\/generations is not supported.*chat\/completions/,
  );
});

/** Requests that are no model call, and the notation that their clients read. */
const beside: readonly [string, string, Record<string, string>, string][] = [
  ["GET", "/v1/chat/completions", {}, "openai-chat"],
  ["PUT", "/v1/responses", {}, "openai-responses"],
  ["POST", "/v1/images/generations", {}, "openai-chat"],
  ["DELETE", "/v1/messages", {}, "anthropic-messages"],
  ["POST", "/v1/messages/batches", {}, "anthropic-messages"],
  ["POST", "/v1/files", { "anthropic-version": "2023-06-01" }, "anthropic-messages"],
  ["GET", "/v1beta/models/m:generateContent", {}, "gemini-generate"],
  ["POST", "/v1beta/models/m:embedContent", {}, "gemini-generate"],
  ["POST", "/v1beta/cachedContents", {}, "gemini-generate"],
  ["POST", "/any", { "x-goog-api-key": "k" }, "gemini-generate"],
];

describe.each(beside)("%s %s %j", (method, path, headers, notation) => {
  const protocol = protocols.find((one) => one.name === notation);
  const isInForm = async (response: Response): Promise<boolean> => {
    const body = parseJson(await response.text(), documentBounds);
    const message = protocol?.readFailure(response.status, body ?? null).message ?? "";
    const written = protocol?.writeFailure({ status: 1, kind: "server", message: "", retryAfterS: null });
    return message !== "" && isObject(body) && isObject(written) && shapeOf(body) === shapeOf(written);
  };

  test("an unknown request gets an error that its client reads", async () => {
    const server = await serverOf(silent);
    const response = await fetch(`${server.baseUrl("x")}${path}`, { method, headers });

    expect(response.status).toBe(404);
    expect(await isInForm(response)).toBe(true);
  });

  test("a web page gets an error in the same form", async () => {
    const server = await serverOf(silent);
    const response = await fetch(`${server.baseUrl()}${path}`, {
      method,
      headers: { ...headers, origin: "https://evil.example" },
    });

    expect(response.status).toBe(403);
    expect(await isInForm(response)).toBe(true);
  });
});

/** Names of the members of an error's body, in all notations two levels deep. */
function shapeOf(body: JsonObject): string {
  const { error } = body;
  return JSON.stringify([Object.keys(body).sort(), isObject(error) ? Object.keys(error).sort() : null]);
}

test("a client that closes its connection after the answer reads why its body was refused", async () => {
  const server = await serverOf(silent);
  const sizeBytes = 50 * 2 ** 20;
  const headers = ["connection: close", `content-length: ${sizeBytes}`];
  const socket = rawRequest(server.baseUrl(), "POST", "/v1/messages", headers);
  socket.write(" ".repeat(sizeBytes));

  expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 413 [^]*request_too_large/);
});

/** Servers, and requests that they refuse before their bodies have arrived. */
const played = async () => (await serverOf(silent)).baseUrl();
const recorded = async () => (await recorderOf(await providerOf(() => undefined))).baseUrl;
const refused: readonly [string, () => Promise<string>, string, string[], number][] = [
  ["a large body", played, "/v1/messages", [], 413],
  ["an unknown path", played, "/v1/files", [], 404],
  ["a web page", played, "/v1/messages", ["origin: https://evil.example"], 403],
  ["a recorded web page", recorded, "/chat/completions", ["origin: https://evil.example"], 403],
  ["an unknown provider", recorded, "/../../none/v1/messages", [], 404],
];

test.each(refused)("%s is refused before its body is over", async (_, open, path, header, status) => {
  const url = `${await open()}${path}`;
  const headers = [...header, `content-length: ${50 * 2 ** 20}`];
  const socket = rawRequest(url, "POST", new URL(url).pathname, headers);
  onTestFinished(() => {
    socket.destroy();
  });
  socket.write("{");
  const [answer] = (await once(socket, "data")) as [Buffer];

  expect(String(answer)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*connection: close[^]*"error"`, "i"));
});

test("a body that never ends gets an answer, and its connection is closed", async () => {
  const server = await serverOf(silent);
  const chunked = ["transfer-encoding: chunked"];
  const socket = rawRequest(server.baseUrl(), "POST", "/v1/messages", chunked);
  socket.on("error", () => undefined);
  let text = "";
  socket.on("data", (chunk) => {
    text += String(chunk);
  });
  const chunk = Buffer.from(`100000\r\n${" ".repeat(2 ** 20)}\r\n`);
  const send = (): void =>
    void socket.write(chunk, (error) => {
      if (error == null) send();
    });
  send();
  await new Promise((resolve) => {
    socket.once("close", resolve);
  });

  expect(text).toMatch(/^HTTP\/1\.1 413 [^]*connection: close/i);
});

test("texts to embed have a bound", async () => {
  const server = await serverOf(silent);
  const body = JSON.stringify({ model: "m", input: "word ".repeat(1_000_000) });
  const response = await fetch(`${server.baseUrl()}/v1/embeddings`, { method: "POST", body });

  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ error: { code: "request_too_large" } });
});

test("an answer that no client has read yet occupies the memory of its request", async () => {
  const answer = answerOf({ text: "0123456789".repeat(2_000_000) });
  const responder = new ScriptedResponder(Array.from({ length: 3 }, () => answer));
  const server = await serverOf(responder, { largestBodyBytes: 1_000 });
  const body = JSON.stringify({ messages: [{ role: "user", content: "x".repeat(900) }] });
  const path = "/v1/chat/completions";
  for (let at = 0; at < 3; at++) {
    const socket = rawRequest(server.baseUrl(), "POST", path, [`content-length: ${body.length}`]);
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
    socket.pause();
    socket.write(body);
  }
  await until(() => responder.received.length > 0);
  const response = await fetch(`${server.baseUrl()}${path}`, { method: "POST", body });

  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { code: "overloaded" } });
});

test("web pages are refused, by host name and by origin", async () => {
  const server = await serverOf(silent);
  const url = `${server.baseUrl()}/v1/models`;
  const origin = await fetch(url, { headers: { origin: "https://evil.example" } });
  const socket = connect(server.port, "127.0.0.1");
  socket.end("GET /v1/models HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n");

  expect(origin.status).toBe(403);
  expect(origin.headers.get("access-control-allow-origin")).toBeNull();
  expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 421 /);
});

/** Clients without the header `Host`, which every browser sends. */
describe.each([
  ["plays back", async () => (await serverOf(new ScriptedResponder([answerOf({ text: "Hi" })]))).baseUrl()],
  [
    "records",
    async () => {
      const provider = await providerOf((_, response) => response.end('{"choices":[]}'));
      return (await recorderOf(provider)).baseUrl;
    },
  ],
])("a server that %s", (_, open) => {
  test("answers a client of HTTP/1.0 without a host name", async () => {
    const { port, pathname } = new URL(`${await open()}/chat/completions`);
    const socket = connect(Number(port), "127.0.0.1");
    const body = '{"messages":[]}';
    socket.write(`POST ${pathname} HTTP/1.0\r\ncontent-length: ${body.length}\r\n\r\n${body}`);

    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 200 [^]*"choices"/);
  });
});

test("what an answer needs is freed when the client is gone", async () => {
  const signals: AbortSignal[] = [];
  const server = await serverOf({
    respond: (_, { signal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    },
  });
  const controller = new AbortController();
  const asked = fetch(`${server.baseUrl()}/v1/chat/completions`, {
    method: "POST",
    body: '{"messages":[]}',
    signal: controller.signal,
  });
  await until(() => signals.length > 0);
  controller.abort();

  await expect(asked).rejects.toThrow(/abort/);
  await until(() => signals[0]?.aborted === true);
});

test("a client that reads slowly holds back the answer and gets all of it", async () => {
  const text = "0123456789".repeat(400_000);
  const server = await serverOf(new ScriptedResponder([answerOf({ text })]));
  const body = '{"messages":[],"stream":true}';
  const headers = ["connection: close", `content-length: ${body.length}`];
  const socket = rawRequest(server.baseUrl(), "POST", "/v1/chat/completions", headers);
  socket.write(body);
  let read = 0;
  for await (const chunk of socket) {
    read += (chunk as Buffer).length;
    await eventLoopTurns(2);
  }

  expect(read).toBeGreaterThan(text.length);
});

test("a server with a client that does not read ends all the same", async () => {
  const text = "0123456789".repeat(4_000_000);
  const server = await serverOf(new ScriptedResponder([answerOf({ text })]));
  const body = '{"messages":[],"stream":true}';
  const headers = [`content-length: ${body.length}`];
  const socket = rawRequest(server.baseUrl(), "POST", "/v1/chat/completions", headers);
  socket.pause();
  socket.on("error", () => undefined);
  socket.write(body);
  await once(socket, "readable");

  expect(await server.close(0)).toBeUndefined();
  socket.destroy();
});

test("what a responder throws is a server error, and is reported", async () => {
  const errors: unknown[] = [];
  const server = await serverOf(
    { respond: () => Promise.reject(new Error("no recording")) },
    { onError: (error) => errors.push(error) },
  );
  const response = await fetch(`${server.baseUrl()}/v1/messages`, {
    method: "POST",
    body: '{"messages":[]}',
  });

  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ type: "error", error: { message: "no recording" } });
  expect(errors).toHaveLength(1);
});

async function textOf(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}
