import { request as httpRequest } from "node:http";
import { constants, deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Admission, Refusal } from "../../src/receive/ports.ts";
import { DEFAULT_MAX_BODY } from "../../src/receive/receiver.ts";
import {
  call,
  frame,
  JSON_TYPE,
  PROTOBUF_TYPE,
  rawConnection,
  receive,
  send,
  session,
  statusIn,
  JSON_HEAD,
  JSON_REQUEST,
} from "./support.ts";

const MAX = 100_000;

/** About 10 MiB of gzip that inflate to 10 GiB: one flushed block of zeros, again and again. */
function gzipBomb(): Buffer {
  const header = gzipSync("").subarray(0, 10);
  const block = deflateRawSync(Buffer.alloc(1 << 20), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([header, ...Array.from({ length: 10 << 10 }, () => block)]);
}

describe("size limits over HTTP", () => {
  test.each([
    ["one piece", (body: Buffer) => body],
    ["chunked", (body: Buffer) => [body.subarray(0, 10), body.subarray(10, 70_000), body.subarray(70_000)]],
  ])("C16 a body of exactly the limit is taken, one byte more is 413 (%s)", async (_name, shape) => {
    const { http, taken } = await receive({ maxBody: MAX });
    const body = Buffer.alloc(MAX + 1, 1);
    expect((await send(http, "/v1/traces", PROTOBUF_TYPE, shape(body.subarray(0, MAX)))).status).toBe(200);
    expect(taken[0]?.body.length).toBe(MAX);
    const answer = await send(http, "/v1/traces", PROTOBUF_TYPE, shape(body));
    expect([answer.status, answer.headers["connection"]]).toEqual([413, "close"]);
    expect(statusIn(answer)).toMatchObject({ code: 8, details: {} });
    expect(statusIn(answer).message).toContain("100000");
    expect(taken.length).toBe(1);
  });

  test("C16 the sender of a body far over the limit gets to see the 413", async () => {
    const { http, taken } = await receive({ maxBody: MAX });
    const answer = await send(http, "/v1/traces", JSON_TYPE, Buffer.alloc(30 << 20));
    expect(answer.status).toBe(413);
    expect(taken).toEqual([]);
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateRawSync],
  ])("C15 what inflates to the limit is taken, to one byte more is 413 (%s)", async (coding, encode) => {
    const { http, taken } = await receive({ maxBody: MAX });
    const headers = { ...PROTOBUF_TYPE, "content-encoding": coding };
    expect((await send(http, "/v1/traces", headers, encode(Buffer.alloc(MAX)))).status).toBe(200);
    expect(taken[0]?.body.length).toBe(MAX);
    expect((await send(http, "/v1/traces", headers, encode(Buffer.alloc(MAX + 1)))).status).toBe(413);
    expect(taken.length).toBe(1);
  });

  test("C15 decompression of a gzip bomb stops at the limit, before it takes much time or memory", async () => {
    const { http } = await receive();
    const bomb = gzipBomb();
    expect(bomb.length).toBeGreaterThan(10_000_000);
    const processorTimeOf = async (body: Uint8Array, status: number): Promise<number> => {
      const start = process.cpuUsage();
      const answer = await send(http, "/v1/traces", { ...PROTOBUF_TYPE, "content-encoding": "gzip" }, body);
      expect(answer.status).toBe(status);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    const largest = await processorTimeOf(gzipSync(Buffer.alloc(DEFAULT_MAX_BODY)), 200);
    const before = process.memoryUsage().rss;
    // All of the bomb takes a hundred times as long as the largest body.
    expect(await processorTimeOf(bomb, 413)).toBeLessThan(20 * largest);
    expect(process.memoryUsage().rss - before).toBeLessThan(96 << 20);
  });

  test("a gzip trailer that lies about the size changes nothing", async () => {
    const { http, taken } = await receive({ maxBody: MAX });
    const headers = { ...PROTOBUF_TYPE, "content-encoding": "gzip" };
    const lying = gzipSync(Buffer.alloc(MAX + 1));
    lying.writeUInt32LE(10, lying.length - 4);
    expect([400, 413]).toContain((await send(http, "/v1/traces", headers, lying)).status);
    const members = Buffer.concat([gzipSync(Buffer.alloc(5000, 7)), gzipSync(Buffer.alloc(10, 7))]);
    expect((await send(http, "/v1/traces", headers, members)).status).toBe(200);
    expect(taken.map(({ body }) => body.length)).toEqual([5010]);
  });

  test("a refused connection goes on with the next request when the body was within the limit", async () => {
    let refuse = true;
    const refusal: Refusal = { kind: "unavailable", retryAfterS: 1, message: "full" };
    const admission: Admission = { admit: () => (refuse ? refusal : null), release: () => undefined };
    const { http } = await receive({ admission });
    const { socket, closed } = rawConnection(http);
    socket.write(JSON_REQUEST);
    await new Promise((resolve) => socket.once("data", resolve));
    refuse = false;
    socket.write(JSON_REQUEST.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"));
    expect((await closed).match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 503", "HTTP/1.1 200"]);
  });
});

describe("Expect: 100-continue", () => {
  function ask(address: string, length: number): Promise<{ continued: boolean; status: number }> {
    return new Promise((resolve, reject) => {
      let continued = false;
      const [host, port] = address.split(":");
      const headers = { ...PROTOBUF_TYPE, expect: "100-continue", "content-length": String(length) };
      const request = httpRequest({ host, port, path: "/v1/traces", method: "POST", headers });
      request.on("continue", () => {
        continued = true;
        request.end(Buffer.alloc(length));
      });
      request.on("response", (response) => {
        response.resume();
        resolve({ continued, status: response.statusCode ?? 0 });
        if (!continued) request.destroy();
      });
      request.on("error", (error) => {
        if (continued) reject(error);
      });
      request.flushHeaders();
    });
  }

  test("the body is asked for once it is admitted", async () => {
    const { http } = await receive({ maxBody: MAX });
    expect(await ask(http, 1000)).toEqual({ continued: true, status: 200 });
  });

  test("and never sent when it is too large or there is no room", async () => {
    const { http } = await receive({ maxBody: MAX });
    expect(await ask(http, MAX + 1)).toEqual({ continued: false, status: 413 });
    const full: Admission = {
      admit: () => ({ kind: "unavailable", retryAfterS: 1, message: "full" }),
      release: () => undefined,
    };
    const other = await receive({ admission: full });
    expect(await ask(other.http, 1000)).toEqual({ continued: false, status: 503 });
  });
});

/** Admits up to `capacity` bytes and keeps the account. */
class Budget implements Admission {
  held = 0;
  most = 0;
  readonly capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  admit(bytes: number): Refusal | null {
    if (this.held + bytes > this.capacity)
      return { kind: "unavailable", retryAfterS: 1.2, message: "no memory" };
    this.held += bytes;
    this.most = Math.max(this.most, this.held);
    return null;
  }

  release(bytes: number): void {
    this.held -= bytes;
  }
}

describe("admission", () => {
  test("C36 C37 a refusal is 503 with Retry-After in whole seconds, and retryable over gRPC", async () => {
    const { http, grpc, taken, outcomes } = await receive({ admission: new Budget(10) });
    const answer = await send(http, "/v1/traces", PROTOBUF_TYPE, Buffer.alloc(11));
    expect([answer.status, answer.headers["retry-after"]]).toEqual([503, "2"]);
    expect(statusIn(answer)).toEqual({
      code: 14,
      message: "no memory",
      details: { RetryInfo: { retryDelay: { seconds: "2" } } },
    });
    const refused = await call(session(grpc), frame(Buffer.alloc(11)));
    expect([refused.status, refused.message]).toEqual([14, "no memory"]);
    expect(refused.details?.details).toEqual({ RetryInfo: { retryDelay: { seconds: "2" } } });
    expect(taken).toEqual([]);
    expect(outcomes).toEqual(["unavailable", "unavailable"]);
    expect((await send(http, "/v1/traces", PROTOBUF_TYPE, Buffer.alloc(10))).status).toBe(200);
  });

  test("C38 a sender over its quota gets 429, and RESOURCE_EXHAUSTED with RetryInfo", async () => {
    const refusal: Refusal = { kind: "throttled", retryAfterS: 1, message: "quota" };
    const { http, grpc } = await receive({ admission: { admit: () => refusal, release: () => undefined } });
    const answer = await send(http, "/v1/traces", JSON_TYPE, "{}");
    expect([answer.status, answer.headers["retry-after"]]).toEqual([429, "1"]);
    const refused = await call(session(grpc), frame(Buffer.alloc(3)));
    expect(refused.status).toBe(8);
    expect(refused.details?.details).toHaveProperty("RetryInfo");
  });

  test("an inflating body is refused when what it grows to has no room", async () => {
    const budget = new Budget(50_000);
    const { http } = await receive({ admission: budget });
    for (const encoded of [gzipSync(Buffer.alloc(60_000)), gzipSync(Buffer.alloc(40_000))]) {
      const headers = { ...PROTOBUF_TYPE, "content-encoding": "gzip" };
      const answer = await send(http, "/v1/traces", headers, encoded);
      expect(answer.status).toBe(encoded.readUInt32LE(encoded.length - 4) > 50_000 ? 503 : 200);
    }
    const liar = gzipSync(Buffer.alloc(60_000));
    liar.writeUInt32LE(5, liar.length - 4);
    const answer = await send(http, "/v1/traces", { ...PROTOBUF_TYPE, "content-encoding": "gzip" }, liar);
    expect(answer.status).toBe(503);
    expect(budget.held).toBe(0);
  });

  test("whatever happens to a request, its memory is given back; while the pipeline works on it, it is held", async () => {
    const budget = new Budget(10_000_000);
    const held: number[] = [];
    const { http, grpc } = await receive({
      admission: budget,
      maxBody: MAX,
      accept: async (body) => {
        held.push(budget.held - body.length);
        await Promise.resolve();
        held.push(budget.held - body.length);
        return { kind: "malformed", message: "no" };
      },
    });
    const body = Buffer.alloc(70_000, 3);
    await send(http, "/v1/traces", PROTOBUF_TYPE, body);
    await send(http, "/v1/traces", PROTOBUF_TYPE, [body.subarray(0, 20), body.subarray(20)]);
    await send(http, "/v1/traces", { ...PROTOBUF_TYPE, "content-encoding": "gzip" }, gzipSync(body));
    const client = session(grpc);
    await call(client, frame(body));
    await call(client, frame(gzipSync(body), true), { headers: { "grpc-encoding": "gzip" } });
    expect(held).toEqual(Array.from({ length: 10 }, () => 0));
    await send(http, "/v1/traces", PROTOBUF_TYPE, [body, body]);
    await send(http, "/v1/traces", { ...PROTOBUF_TYPE, "content-encoding": "gzip" }, "nonsense");
    await call(client, frame(body).subarray(0, 100));
    expect(budget.held).toBe(0);
  });

  test("a sender that hangs up in the middle of its body gives its memory back", async () => {
    const budget = new Budget(10_000_000);
    let released = () => undefined as void;
    const gone = new Promise<void>((resolve) => (released = resolve));
    const { http, outcomes } = await receive({
      admission: { admit: (n) => budget.admit(n), release: (n) => (budget.release(n), released()) },
    });
    const { socket } = rawConnection(http);
    socket.write(`${JSON_HEAD}content-length: 1000\r\n\r\n{`);
    await expect.poll(() => budget.held).toBe(1000);
    socket.destroy();
    await gone;
    expect(budget.held).toBe(0);
    await expect.poll(() => outcomes).toEqual(["cancelled"]);
  });
});
