import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { call, decode, frame, PROTOBUF_TYPE, receive, session, TRACE_EXPORT, openCall } from "./support.ts";

const COLLECTOR = "/opentelemetry.proto.collector";
const RESPONSE = "opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse";
const GZIP = { headers: { "grpc-encoding": "gzip" } };

describe("OTLP/gRPC: what is accepted", () => {
  test.each([
    ["traces", TRACE_EXPORT],
    ["logs", `${COLLECTOR}.logs.v1.LogsService/Export`],
    ["metrics", `${COLLECTOR}.metrics.v1.MetricsService/Export`],
  ])("C01 Export of %s is OK with an empty response", async (signal, path) => {
    const { grpc, taken } = await receive();
    const body = Buffer.from([10, 0]);
    const answer = await call(session(grpc), frame(body), { path });
    expect([answer.httpStatus, answer.status, answer.body.length]).toEqual([200, 0, 0]);
    expect(answer.headers["content-type"]).toBe("application/grpc");
    expect(Buffer.from(taken[0]?.body ?? [])).toEqual(body);
    expect(taken[0]?.request).toMatchObject({
      signal,
      encoding: "protobuf",
      transport: "grpc",
      wireBytes: 2,
    });
  });

  test("C04 an empty message is OK", async () => {
    const { grpc, taken } = await receive();
    expect((await call(session(grpc), frame(Buffer.alloc(0)))).status).toBe(0);
    expect(taken[0]?.body.length).toBe(0);
  });

  test("the prefix and the message may come in any pieces", async () => {
    const { grpc, taken } = await receive();
    const body = Buffer.from("0123456789");
    const client = session(grpc);
    const stream = openCall(client);
    const trailers = new Promise((resolve) => stream.on("trailers", resolve));
    stream.resume();
    for (const byte of frame(body)) {
      await new Promise<void>((written) => stream.write(Buffer.of(byte), () => written()));
      await new Promise(setImmediate);
    }
    stream.end();
    expect(await trailers).toMatchObject({ "grpc-status": "0" });
    expect(Buffer.from(taken[0]?.body ?? [])).toEqual(body);
  });

  test("application/grpc+proto, and the HTTP port", async () => {
    const { http } = await receive();
    const headers = { "content-type": "application/grpc+proto" };
    expect((await call(session(http), frame(Buffer.alloc(3)), { headers })).status).toBe(0);
  });

  test("OTLP/HTTP over HTTP/2 works beside it", async () => {
    const { grpc, taken } = await receive();
    const client = session(grpc);
    const answers = await Promise.all(
      ["/v1/traces", "/v1/nothing"].map((path) =>
        call(client, Buffer.from([10, 0]), { path, headers: PROTOBUF_TYPE }),
      ),
    );
    expect(answers.map((answer) => answer.httpStatus)).toEqual([200, 404]);
    expect(taken.length).toBe(1);
    const refused = await call(client, Buffer.from([10, 0]), {
      path: "/v1/traces",
      headers: { "content-type": "text/plain" },
    });
    expect(refused.httpStatus).toBe(415);
  });
});

describe("OTLP/gRPC: what is refused", () => {
  test.each([
    `${COLLECTOR}.trace.v1.TraceService/Import`,
    `${COLLECTOR}.profiles.v1development.ProfilesService/Export`,
    "/",
    "/grpc.health.v1.Health/Watch",
  ])("C47 G15 %s is UNIMPLEMENTED", async (path) => {
    const { grpc } = await receive();
    expect((await call(session(grpc), frame(Buffer.alloc(3)), { path })).status).toBe(12);
  });

  test.each(["snappy", "zstd", "deflate", "gzip, gzip"])(
    "C18 grpc-encoding %s is UNIMPLEMENTED",
    async (coding) => {
      const { grpc, taken } = await receive();
      const answer = await call(session(grpc), frame(Buffer.alloc(3), true), {
        headers: { "grpc-encoding": coding },
      });
      expect(answer.status).toBe(12);
      expect(answer.headers["grpc-accept-encoding"]).toBe("identity,gzip");
      expect(taken).toEqual([]);
    },
  );

  test("C06 what the pipeline cannot decode is INVALID_ARGUMENT with BadRequest", async () => {
    const message = "field 1 ist kürzer: 100 % / falsch";
    const { grpc } = await receive({ accept: () => ({ kind: "malformed", message }) });
    const answer = await call(session(grpc), frame(Buffer.alloc(3)));
    expect([answer.status, answer.message]).toEqual([3, message]);
    expect(answer.details?.details).toEqual({ BadRequest: { fieldViolations: [{ description: message }] } });
  });

  test.each([
    ["no message at all", Buffer.alloc(0), 3],
    ["a prefix that breaks off", Buffer.alloc(3), 3],
    ["a message that breaks off", frame(Buffer.alloc(9)).subarray(0, 12), 3],
    ["bytes after the message", Buffer.concat([frame(Buffer.alloc(9)), Buffer.of(0)]), 3],
    ["two messages", Buffer.concat([frame(Buffer.alloc(9)), frame(Buffer.alloc(9))]), 3],
    ["an unknown flag", Buffer.from([2, 0, 0, 0, 0]), 13],
    ["a compressed message without grpc-encoding", frame(gzipSync("x"), true), 13],
  ])("framing: %s", async (_name, frames, status) => {
    const { grpc, taken } = await receive();
    const client = session(grpc);
    expect((await call(client, frames)).status).toBe(status);
    expect((await call(client, frame(Buffer.alloc(1)))).status).toBe(0);
    expect(taken.length).toBe(1);
  });

  test("C13 a message that is not gzip as it claims is INVALID_ARGUMENT", async () => {
    const { grpc } = await receive();
    expect((await call(session(grpc), frame(Buffer.from("nonsense"), true), GZIP)).status).toBe(3);
  });

  test("C17 one byte over the limit, plain or inflated, is RESOURCE_EXHAUSTED and never retried", async () => {
    const maxBody = 100_000;
    const { grpc, taken } = await receive({ maxBody });
    const client = session(grpc);
    for (const size of [maxBody, maxBody + 1]) {
      const body = Buffer.alloc(size);
      const answers = [
        await call(client, frame(body)),
        await call(client, frame(gzipSync(body), true), GZIP),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(size > maxBody ? 8 : 0);
        expect(answer.headers["grpc-status-details-bin"]).toBeUndefined();
      }
    }
    expect(taken.length).toBe(2);
    const huge = await call(client, frame(Buffer.alloc(20 << 20)));
    expect([huge.status, huge.resetCode]).toEqual([8, 0]);
  });

  test("C16 over HTTP/2, too: the sender of a body far over the limit gets to see the 413", async () => {
    const { grpc } = await receive({ maxBody: 100_000 });
    const answer = await call(session(grpc), Buffer.alloc(20 << 20), {
      path: "/v1/traces",
      headers: PROTOBUF_TYPE,
    });
    expect([answer.httpStatus, answer.body.length > 50]).toEqual([413, true]);
  });

  test("C08 other content types are 415, other methods 405", async () => {
    const { grpc } = await receive();
    const client = session(grpc);
    const types = ["text/plain", "application/grpc+json", "application/grpc-web", ""];
    for (const type of types) {
      const answer = await call(client, frame(Buffer.alloc(3)), { headers: { "content-type": type } });
      expect([type, answer.httpStatus]).toEqual([type, 415]);
    }
    const answer = await call(client, frame(Buffer.alloc(3)), { headers: { ":method": "PUT" } });
    expect([answer.httpStatus, answer.headers["allow"]]).toEqual([405, "POST"]);
  });
});

describe("gRPC deadlines and cancelling", () => {
  test("a call whose deadline passes while it is worked on is answered DEADLINE_EXCEEDED", async () => {
    const { grpc, outcomes } = await receive({
      accept: () => new Promise(() => undefined),
      timeouts: { sweepMs: 5 },
    });
    const answer = await call(session(grpc), frame(Buffer.alloc(3)), { headers: { "grpc-timeout": "20m" } });
    expect(answer.status).toBe(4);
    expect(outcomes).toEqual(["deadline_exceeded"]);
  });

  test("a message that is complete only after the deadline is not taken", async () => {
    const { grpc, taken } = await receive({ timeouts: { sweepMs: 60_000 } });
    const answer = await call(session(grpc), frame(Buffer.alloc(3)), { headers: { "grpc-timeout": "1n" } });
    expect(answer.status).toBe(4);
    expect(taken).toEqual([]);
  });

  test("a call that is cancelled is counted, and a late answer harms nobody", async () => {
    let finish = () => undefined as void;
    const { grpc, outcomes, taken } = await receive({
      accept: () =>
        new Promise((resolve) => (finish = () => resolve({ kind: "accepted", rejected: 0, message: "" }))),
    });
    const client = session(grpc);
    const stream = openCall(client);
    stream.on("error", () => undefined);
    stream.end(frame(Buffer.alloc(3)));
    await expect.poll(() => taken.length).toBe(1);
    stream.close(8);
    await expect.poll(() => outcomes).toEqual(["cancelled"]);
    finish();
    const next = call(client, frame(Buffer.alloc(3)));
    await expect.poll(() => taken.length).toBe(2);
    finish();
    expect((await next).status).toBe(0);
  });
});

describe("grpc.health.v1", () => {
  const path = "/grpc.health.v1.Health/Check";
  const asking = (service: string) =>
    frame(Buffer.concat([Buffer.from([10, service.length]), Buffer.from(service)]));

  test("the server and its services are SERVING, others are NOT_FOUND", async () => {
    const { grpc, taken, outcomes } = await receive();
    const client = session(grpc);
    const known = `${COLLECTOR}.trace.v1.TraceService`.slice(1);
    for (const frames of [frame(Buffer.alloc(0)), asking(known)]) {
      const answer = await call(client, frames, { path });
      expect([answer.status, [...answer.body]]).toEqual([0, [8, 1]]);
    }
    expect((await call(client, asking("some.other.Service"), { path })).status).toBe(5);
    expect([taken, outcomes]).toEqual([[], []]);
  });
});

test("C34 64 calls on one HTTP/2 connection do not mix", async () => {
  const { grpc, taken } = await receive({
    accept: async (body) => {
      await new Promise(setImmediate);
      return { kind: "accepted", rejected: body.length, message: String(body[0]) };
    },
  });
  const client = session(grpc);
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, i) => call(client, frame(Buffer.alloc(50_000 + i, i)))),
  );
  for (const [i, answer] of answers.entries()) {
    expect(decode(RESPONSE, answer.body)).toEqual({
      partialSuccess: { rejectedSpans: String(50_000 + i), errorMessage: String(i) },
    });
  }
  for (const { body } of taken) expect(body.every((byte) => byte === body[0])).toBe(true);
});
