import { gunzipSync } from "node:zlib";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test } from "vitest";
import {
  createHttpTransport,
  type HttpResponse,
  type HttpTarget,
} from "../../src/export/otlp/http-transport.ts";

type Listener = (...call: Parameters<RequestListener>) => unknown;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function post(
  listener: Listener,
  target: Partial<HttpTarget> = {},
  timeoutMs = 5000,
): Promise<HttpResponse> {
  const url = await listen(listener);
  const transport = transportTo(url, target);
  const response = await transport.send(Buffer.from("spans"), timeoutMs);
  transport.shutdown();
  return response;
}

function transportTo(url: string, target: Partial<HttpTarget> = {}) {
  return createHttpTransport({ url, headers: {}, compression: "none", userAgent: "test", ...target });
}

function listen(listener: Listener): Promise<string> {
  return new Promise((resolve) => {
    const started = createServer((request, answer) => void listener(request, answer));
    server = started;
    started.listen(0, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${(started.address() as AddressInfo).port}/v1/logs`),
    );
  });
}

test.each(["gzip", "none"] as const)("the body arrives whole, compression %s", async (compression) => {
  let received: Buffer | undefined;
  let encoding: string | undefined;
  const response = await post(
    async (request, answer) => {
      encoding = request.headers["content-encoding"];
      received = await buffer(request);
      answer.end("taken");
    },
    { compression, headers: { "x-tenant": "a" } },
  );
  expect(response).toEqual({ status: "success", data: Buffer.from("taken") });
  expect(encoding).toBe(compression === "gzip" ? "gzip" : undefined);
  expect(String(compression === "gzip" ? gunzipSync(received ?? "") : received)).toBe("spans");
});

test.each([
  [429, "retryable"],
  [502, "retryable"],
  [503, "retryable"],
  [504, "retryable"],
  [400, "failure"],
  [401, "failure"],
  [413, "failure"],
  [500, "failure"],
  [301, "failure"],
] as const)("status %i is %s", async (status, expected) => {
  const response = await post((_, answer) => answer.writeHead(status, { location: "/elsewhere" }).end());
  expect(response).toMatchObject({
    status: expected,
    error: { message: expect.stringContaining(`HTTP ${status}`) },
  });
});

test.each([
  ["7", 7000],
  ["0", 0],
  ["soon", null],
  ["99999999", 600_000],
  ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
])("Retry-After: %s asks for %i ms", async (header, retryAfterMs) => {
  const response = await post((_, answer) => answer.writeHead(503, { "retry-after": header }).end());
  expect(response).toMatchObject({ status: "retryable", error: { retryAfterMs } });
});

test("a date in Retry-After is a wait until then", async () => {
  const date = new Date(Date.now() + 120_000).toUTCString();
  const response = await post((_, answer) => answer.writeHead(503, { "retry-after": date }).end());
  if (response.status !== "retryable") throw new Error(response.status);
  expect(response.error.retryAfterMs).toBeGreaterThan(1_000);
  expect(response.error.retryAfterMs).toBeLessThanOrEqual(120_000);
});

test("no answer, a cut connection and nobody there are worth another try", async () => {
  expect(await post(() => undefined, {}, 30)).toMatchObject({ error: { message: "no answer within 30 ms" } });
  expect(await post((request) => request.socket.destroy())).toMatchObject({ status: "retryable" });
  expect(await post(() => undefined, { url: "http://127.0.0.1:1/" })).toMatchObject({
    status: "retryable",
    error: { message: expect.stringContaining("ECONNREFUSED") },
  });
});

test("what was taken is not sent again, however its answer ends", async () => {
  const endless: RequestListener = (_, answer) =>
    void answer.writeHead(200).write(Buffer.alloc(5 * 1024 * 1024));
  expect(await post(endless)).toEqual({ status: "success" });
  const cut: RequestListener = (_, answer) => {
    answer.writeHead(200, { "content-length": "100" });
    answer.write("half", () => answer.destroy());
  };
  expect(await post(cut)).toEqual({ status: "success" });
});

test("a refusal that never ends is not read on", async () => {
  let closed = (): void => undefined;
  const gone = new Promise<void>((resolve) => (closed = resolve));
  const url = await listen((_, answer) => {
    answer.on("close", closed).writeHead(503);
    const more = (): void => {
      while (!answer.destroyed && answer.write(Buffer.alloc(1 << 16)));
    };
    answer.on("drain", more);
    more();
  });
  const transport = transportTo(url);
  const response = await transport.send(Buffer.from("spans"), 60_000);
  expect(response).toMatchObject({ status: "retryable", error: { message: "HTTP 503 Service Unavailable" } });
  await gone;
  transport.shutdown();
});

test("once a request is over nothing holds its body any more", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  const url = await listen((_, answer) => answer.end());
  const transport = transportTo(url);
  const sent: WeakRef<Uint8Array>[] = [];
  for (let n = 0; n < 4; n++) {
    const body = Buffer.alloc(1 << 20, n);
    sent.push(new WeakRef(body));
    expect(await transport.send(body, 60_000)).toMatchObject({ status: "success" });
  }
  for (let n = 0; n < 3; n++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  // The connection that is kept for the next request may remember the last one.
  expect(sent.slice(0, -1).filter((body) => body.deref() !== undefined)).toEqual([]);
  transport.shutdown();
});
