import { describe, expect, test } from "vitest";
import { simulatedDelay, eventLoopTurns, until } from "../support/eventually.ts";
import {
  ACCEPTED,
  call,
  frame,
  h2,
  holdTime,
  posting,
  rawConnection,
  receive,
  send,
  session,
  JSON_TYPE,
  SWEEP_MS,
  TRACE_EXPORT,
  written,
  JSON_HEAD,
  JSON_REQUEST,
} from "./support.ts";

const GRPC = posting(TRACE_EXPORT, "application/grpc");

test.each([
  ["gRPC", TRACE_EXPORT, "application/grpc", 0],
  ["gRPC", TRACE_EXPORT, "application/grpc", 8],
  ["OTLP/HTTP over HTTP/2", "/v1/traces", "application/x-protobuf", 0],
  ["OTLP/HTTP over HTTP/2", "/v1/traces", "application/x-protobuf", 8],
])(
  "a stream that is reset in mid-body is never taken for a whole body: %s %s %s, code %i",
  async (_name, path, type, code) => {
    const { grpc, taken, outcomes } = await receive();
    const { socket } = rawConnection(grpc);
    socket.write(
      Buffer.concat([h2.preface, h2.headers(1, posting(path, type)), h2.data(1, frame(Buffer.alloc(9)))]),
    );
    socket.write(h2.reset(1, code));
    await expect.poll(() => outcomes).toEqual(["cancelled"]);
    expect(taken).toEqual([]);
  },
);

describe("connections that misuse HTTP/2", () => {
  /** Sends, and waits for the receiver to end the connection. */
  async function ended(pieces: () => Buffer, address: string): Promise<void> {
    const { socket } = rawConnection(address);
    socket.write(h2.preface);
    while (!socket.destroyed) {
      socket.write(pieces());
      await eventLoopTurns(1);
      await until(() => socket.destroyed || !socket.writableNeedDrain);
    }
  }

  test("rapid reset: streams opened and reset without end", async () => {
    const { grpc, taken } = await receive();
    let stream = 1;
    await ended(() => {
      const frames: Buffer[] = [];
      for (let i = 0; i < 100; i++, stream += 2) frames.push(h2.headers(stream, GRPC), h2.reset(stream, 8));
      return Buffer.concat(frames);
    }, grpc);
    expect(stream).toBeLessThan(20_000);
    expect((await call(session(grpc), frame(Buffer.alloc(1)))).status).toBe(0);
    expect(taken.length).toBe(1);
  });

  test("headers that go on for ever in CONTINUATION frames", async () => {
    const { grpc } = await receive();
    let first = true;
    let sent = 0;
    await ended(() => {
      sent += 120;
      const block = { [`x-${sent}`]: "y".repeat(100) };
      if (!first) return h2.continuation(1, block);
      first = false;
      return h2.headers(1, { ...GRPC, ...block }, 0);
    }, grpc);
    expect(sent).toBeLessThan(2_000_000);
    expect((await call(session(grpc), frame(Buffer.alloc(1)))).status).toBe(0);
  });

  test("more streams at once than allowed are refused, the allowed ones live", async () => {
    const { grpc, taken } = await receive();
    const { socket } = rawConnection(grpc);
    const opened = Array.from({ length: 150 }, (_, i) => h2.headers(2 * i + 1, GRPC));
    socket.write(Buffer.concat([h2.preface, ...opened]));
    socket.write(h2.data(1, frame(Buffer.alloc(3)), 1));
    await expect.poll(() => taken.length).toBe(1);
  });

  test.each([
    ["rubbish after the preface", Buffer.alloc(5000, 0xfe)],
    ["a frame larger than allowed", Buffer.from([0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1])],
    ["DATA on a stream that was never opened", h2.data(7, Buffer.alloc(3))],
    ["headers without a path", h2.headers(1, { ":method": "POST", ":scheme": "http" }, 5)],
    [
      "a content-length that does not hold",
      Buffer.concat([
        h2.headers(1, { ...posting("/v1/traces", "application/json"), "content-length": "9" }),
        h2.data(1, Buffer.from("{}"), 1),
      ]),
    ],
  ])("%s", async (_name, bytes) => {
    const { grpc, taken } = await receive();
    const { socket } = rawConnection(grpc);
    await written(socket, Buffer.concat([h2.preface, bytes]));
    expect((await call(session(grpc), frame(Buffer.alloc(1)))).status).toBe(0);
    expect(taken.length).toBe(1);
  });
});

describe("connections that misuse HTTP/1", () => {
  const post = (...headers: readonly string[]) =>
    `POST /v1/traces HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`;
  const long = `POST /v1/traces HTTP/1.1\r\nx: ${"y".repeat(20_000)}\r\n\r\n`;
  const chunks = "transfer-encoding: chunked";
  const cases: [string, string, number][] = [
    ["no HTTP", "hello\r\n\r\n", 400],
    ["a TLS handshake", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
    ["headers too large", long, 431],
    ["a length that is no number", post("host: x", "content-length: many"), 400],
    ["a negative length", post("host: x", "content-length: -1"), 400],
    ["two lengths", post("host: x", "content-length: 1", "content-length: 2"), 400],
    ["a length and chunks", `${post("host: x", "content-length: 2", chunks)}{}`, 400],
  ];

  test.each(cases)("%s is told so in a Status and the connection closed", async (_name, bytes, status) => {
    const { http, taken } = await receive();
    const { socket, closed } = rawConnection(http);
    socket.write(Buffer.from(bytes, "latin1"));
    const received = await closed;
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(received.slice(received.indexOf("{")))).toMatchObject({ code: 3 });
    expect(taken).toEqual([]);
    expect((await send(http, "/v1/traces", JSON_TYPE, "{}")).status).toBe(200);
  });

  test("chunks that are no chunks, after the request has begun", async () => {
    const { http, taken, outcomes } = await receive();
    const { socket, closed } = rawConnection(http);
    socket.write(`${JSON_HEAD}transfer-encoding: chunked\r\n\r\nZZ\r\n`);
    await closed;
    expect(taken).toEqual([]);
    await expect.poll(() => outcomes).toEqual(["cancelled"]);
  });

  test("CONNECT and upgrades", async () => {
    const { http } = await receive();
    const first = rawConnection(http);
    first.socket.write("CONNECT a:1 HTTP/1.1\r\nhost: x\r\n\r\n");
    await first.closed;
    const upgrade = {
      ...JSON_TYPE,
      connection: "upgrade, http2-settings",
      upgrade: "h2c",
      "http2-settings": "AAMAAABk",
    };
    expect((await send(http, "/v1/traces", upgrade, "{}")).status).toBe(200);
  });

  test("gets its answer even if the answer takes a while, as with a journal on a slow disk", async () => {
    const accept = async () => {
      await simulatedDelay(200);
      return ACCEPTED;
    };
    const { http, outcomes } = await receive({ accept });
    const { socket, closed } = rawConnection(http);
    socket.end(JSON_REQUEST);
    expect(await closed).toContain("200 OK");
    expect(outcomes).toEqual(["accepted"]);
  });

  test("a sender that closes its half in the middle of a request is cut", async () => {
    const { http, taken } = await receive();
    for (const part of [
      "POST /v1/tr",
      "POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{}",
    ]) {
      const { socket, closed } = rawConnection(http);
      socket.end(part);
      await closed;
    }
    expect(taken).toEqual([]);
  });

  test("requests sent one behind the other are answered in order", async () => {
    const { http, taken } = await receive();
    const { socket, closed } = rawConnection(http);
    const request = (path: string, more = "") =>
      `POST ${path} HTTP/1.1\r\nhost: x\r\n${more}content-type: application/json\r\ncontent-length: 2\r\n\r\n{}`;
    socket.write(
      request("/v1/traces") + request("/v1/nothing") + request("/v1/logs", "connection: close\r\n"),
    );
    expect((await closed).match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 404", "HTTP/1.1 200"]);
    expect(taken.map((one) => one.request.signal)).toEqual(["traces", "logs"]);
  });

  test("the first bytes may come one by one, for both protocols", async () => {
    const { http, taken } = await receive();
    for (const bytes of [
      Buffer.from(JSON_REQUEST),
      Buffer.concat([h2.preface, h2.headers(1, GRPC), h2.data(1, frame(Buffer.alloc(1)), 1)]),
    ]) {
      const { socket } = rawConnection(http);
      for (const byte of bytes) {
        socket.write(Buffer.of(byte));
        await eventLoopTurns(1);
      }
      const count = taken.length;
      await expect.poll(() => taken.length).toBeGreaterThan(count === 2 ? 1 : 0);
    }
    await expect.poll(() => taken.length).toBe(2);
  });
});

describe("what fuzzing found", () => {
  test("a stream that is reset before it is first seen", async () => {
    const { grpc, outcomes } = await receive();
    for (const [path, type] of [
      ["/v1/nothing", "application/json"],
      ["/nothing", "application/grpc"],
      [TRACE_EXPORT, "application/grpc+json"],
    ] as const) {
      const { socket } = rawConnection(grpc);
      socket.write(Buffer.concat([h2.preface, h2.headers(1, posting(path, type)), h2.reset(1, 8)]));
    }
    await expect.poll(() => outcomes.length).toBe(3);
    expect((await call(session(grpc), frame(Buffer.alloc(1)))).status).toBe(0);
  });

  test("a session that breaks the protocol with calls open does not stay for ever", async () => {
    const time = holdTime();
    const { grpc, cuts } = await receive({ timeouts: { sweepMs: SWEEP_MS } });
    const { socket, closed } = rawConnection(grpc);
    const refused = posting("/nothing", "application/grpc");
    socket.end(
      Buffer.concat([
        h2.preface,
        h2.headers(1, refused),
        h2.data(1, frame(Buffer.alloc(20)), 1),
        h2.headers(3, refused, 5),
        h2.data(3, Buffer.alloc(20), 1),
        h2.headers(5, GRPC),
        h2.data(5, Buffer.alloc(20)),
      ]),
    );
    await time.passUntil(closed);
    expect(cuts).toContain("protocol");
  });

  test("requests behind one another give their memory back when the connection goes", async () => {
    let held = 0;
    const { http, taken, outcomes } = await receive({
      admission: { admit: (n) => ((held += n), null), release: (n) => void (held -= n) },
      accept: () => new Promise(() => undefined),
    });
    const { socket } = rawConnection(http);
    socket.write(`${JSON_HEAD}content-length: 0\r\n\r\n${JSON_HEAD}content-length: 1000\r\n\r\n{`);
    await expect.poll(() => [taken.length, held]).toEqual([1, 1000]);
    socket.destroy();
    await expect.poll(() => held).toBe(0);
    expect(outcomes).toEqual(["cancelled", "cancelled"]);
  });
});
