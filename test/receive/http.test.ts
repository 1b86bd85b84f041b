import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decode, JSON_TYPE, PROTOBUF_TYPE, receive, send, statusIn } from "./support.ts";

const RESPONSE = "opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse";

test.each([
  ["/v1/trace", "/v1/traces"],
  ["/v1/traces/v1", "/v1/traces, /v1/logs or /v1/metrics"],
  ["/v1/spans?to=/v1/traces", null],
  ["/spans?to=/v1/traces", null],
  ["/v1/traces/", "/v1/traces"],
  ["/api/v2/LOGS?key=secret", "/v1/logs"],
  ["/metrics", "/v1/metrics"],
  ["/", "/v1/traces, /v1/logs or /v1/metrics"],
  ["/v1", "/v1/traces, /v1/logs or /v1/metrics"],
  ["/otlp/", "/v1/traces, /v1/logs or /v1/metrics"],
  ["/wp-login.php", null],
  ["/traceability", null],
])("a request at %s, a path without OTLP, is answered 404, and the log names %s", async (path, expected) => {
  const lines: [object, string][] = [];
  const warn = (details: object, message: string): number => lines.push([details, message]);
  const { http } = await receive({ log: { warn, error: () => undefined } });
  expect((await send(http, path, JSON_TYPE, "{}")).status).toBe(404);
  expect(lines.map(([, message]) => /the correct path is (.*?)\. /.exec(message)?.[1])).toEqual(
    expected === null ? [] : [expected],
  );
  expect(JSON.stringify(lines)).not.toContain("secret");
});

describe("OTLP/HTTP: what is accepted", () => {
  test("C01 protobuf is answered with 200, its own content type and zero bytes", async () => {
    const { http, taken } = await receive();
    const body = Buffer.from([10, 0]);
    const answer = await send(http, "/v1/traces", PROTOBUF_TYPE, body);
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/x-protobuf");
    expect(answer.headers["content-length"]).toBe("0");
    expect(answer.body.length).toBe(0);
    expect(taken[0]?.body).toEqual(body);
    expect(taken[0]?.request).toMatchObject({
      signal: "traces",
      encoding: "protobuf",
      transport: "http",
      wireBytes: 2,
    });
  });

  test("C02 JSON is answered with 200, application/json and {}", async () => {
    const { http, taken } = await receive();
    const answer = await send(http, "/v1/traces", JSON_TYPE, '{"resourceSpans":[]}');
    expect([answer.status, answer.headers["content-type"], answer.body.toString()]).toEqual([
      200,
      "application/json",
      "{}",
    ]);
    expect(taken[0]?.request.encoding).toBe("json");
  });

  test.each([
    ["application/json; charset=utf-8", "application/json"],
    ["Application/JSON", "application/json"],
    ["application/json;charset=utf-8;x=y", "application/json"],
    ["APPLICATION/X-PROTOBUF", "application/x-protobuf"],
    ["application/x-protobuf ; messageType=x", "application/x-protobuf"],
  ])("C03 the content type %s is known whatever its case and parameters", async (type, answered) => {
    const { http } = await receive();
    const answer = await send(http, "/v1/logs", { "content-type": type }, "{}");
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, answered]);
  });

  test.each(["traces", "logs", "metrics"])(
    "C04 an empty protobuf body for %s is a success",
    async (signal) => {
      const { http, taken } = await receive();
      const answer = await send(http, `/v1/${signal}`, PROTOBUF_TYPE);
      expect([answer.status, answer.body.length]).toEqual([200, 0]);
      expect([taken[0]?.request.signal, taken[0]?.body.length]).toEqual([signal, 0]);
    },
  );

  test.each([
    ["gzip", gzipSync],
    ["GZIP", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["identity", (body: Buffer) => body],
    ["Identity", (body: Buffer) => body],
  ])("C12 Content-Encoding %s arrives decoded", async (coding, encode) => {
    const { http, taken } = await receive();
    const body = Buffer.from(JSON.stringify({ resourceSpans: [], padding: "x".repeat(100_000) }));
    const sent = encode(body);
    const answer = await send(http, "/v1/traces", { ...JSON_TYPE, "content-encoding": coding }, sent);
    expect(answer.status).toBe(200);
    expect(Buffer.compare(taken[0]?.body ?? Buffer.alloc(0), body)).toBe(0);
    expect(taken[0]?.request.wireBytes).toBe(sent.length);
  });

  test.each(["/api/public/otel/v1/traces", "/v1/traces/v1/traces", "//v1/traces?source=sdk"])(
    "spans below a prefix: %s",
    async (path) => {
      const { http, taken } = await receive();
      expect((await send(http, path, JSON_TYPE, "{}")).status).toBe(200);
      expect(taken[0]?.request.signal).toBe("traces");
    },
  );

  test("a query string does not matter", async () => {
    const { http } = await receive();
    expect((await send(http, "/v1/traces?tenant=a", JSON_TYPE, "{}")).status).toBe(200);
  });

  test("the same on the gRPC port, and over HTTP/1.0", async () => {
    const { grpc } = await receive();
    expect((await send(grpc, "/v1/traces", JSON_TYPE, "{}")).status).toBe(200);
  });
});

describe("OTLP/HTTP: partial success", () => {
  const accept = () => ({ kind: "accepted", rejected: 2, message: "span 3: bad id" }) as const;

  test.each([
    ["traces", "rejectedSpans"],
    ["logs", "rejectedLogRecords"],
    ["metrics", "rejectedDataPoints"],
  ])("C31 and in JSON, for %s", async (signal, field) => {
    const { http } = await receive({ accept });
    const answer = await send(http, `/v1/${signal}`, JSON_TYPE, "{}");
    expect(JSON.parse(answer.body.toString())).toEqual({
      partialSuccess: { [field]: "2", errorMessage: "span 3: bad id" },
    });
  });

  test("C32 a warning on full acceptance rejects nothing", async () => {
    const { http } = await receive({ accept: () => ({ kind: "accepted", rejected: 0, message: "note" }) });
    const answer = await send(http, "/v1/traces", PROTOBUF_TYPE);
    expect(decode(RESPONSE, answer.body)).toEqual({ partialSuccess: { errorMessage: "note" } });
  });
});

describe("OTLP/HTTP: what is refused", () => {
  test.each(["", "{", "nonsense"])("C05 C06 a JSON body %j is 400 with a Status", async (body) => {
    const { http } = await receive();
    const answer = await send(http, "/v1/traces", JSON_TYPE, body);
    expect(answer.status).toBe(400);
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      code: 3,
      details: [{ "@type": "type.googleapis.com/google.rpc.BadRequest" }],
    });
    expect(answer.headers["retry-after"]).toBeUndefined();
  });

  test("C06 a broken protobuf body is 400 with a protobuf Status and BadRequest", async () => {
    const message = "field 1: the body ends at byte 7";
    const { http } = await receive({ accept: () => ({ kind: "malformed", message }) });
    const answer = await send(http, "/v1/traces", PROTOBUF_TYPE, Buffer.from([10, 9]));
    expect([answer.status, answer.headers["content-type"]]).toEqual([400, "application/x-protobuf"]);
    const details = { BadRequest: { fieldViolations: [{ description: message }] } };
    expect(statusIn(answer)).toEqual({ code: 3, message, details });
  });

  test.each([undefined, "text/plain", "invalid", "application/jsonp", ""])(
    "C08 the content type %s is 415 with a JSON Status",
    async (type) => {
      const { http, taken } = await receive();
      const answer = await send(http, "/v1/traces", type === undefined ? {} : { "content-type": type }, "{}");
      expect([answer.status, answer.headers["content-type"]]).toEqual([415, "application/json"]);
      expect(statusIn(answer).message).toContain("application/x-protobuf");
      expect(taken).toEqual([]);
    },
  );

  test.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "C09 C10 %s is 405 with Allow and a Status",
    async (method) => {
      const { http } = await receive();
      const answer = await send(http, "/v1/traces", {}, "", method);
      expect([answer.status, answer.headers["allow"]]).toEqual([405, "POST"]);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      expect(statusIn(answer).message).toContain("POST");
    },
  );

  test("C09 HEAD is 405 without a body", async () => {
    const { http } = await receive();
    const answer = await send(http, "/v1/traces", {}, "", "HEAD");
    expect([answer.status, answer.headers["allow"], answer.body.length]).toEqual([405, "POST", 0]);
  });

  test.each([
    "/v1/unknown",
    "/v1/traces/",
    "/",
    "/v1development/profiles",
    "/v1/profiles",
    "/v1/Traces",
    "//",
  ])("C11 C47 POST %s is 404 with a Status in the request's encoding", async (path) => {
    const { http } = await receive();
    const json = await send(http, path, JSON_TYPE, "{}");
    expect([json.status, json.headers["content-type"]]).toEqual([404, "application/json"]);
    const binary = await send(http, path, PROTOBUF_TYPE, "{}");
    expect([binary.status, binary.headers["content-type"]]).toEqual([404, "application/x-protobuf"]);
    expect(statusIn(binary).message).toContain("/v1/traces");
  });

  test.each(["br", "gzip, gzip", "snappy", "gzip;q=1"])(
    "C14 Content-Encoding %s is 415 and tells what is taken",
    async (coding) => {
      const { http } = await receive();
      const answer = await send(http, "/v1/traces", { ...JSON_TYPE, "content-encoding": coding }, "{}");
      expect([answer.status, answer.headers["content-type"]]).toEqual([415, "application/json"]);
      expect(answer.headers["accept-encoding"]).toBe("gzip, deflate, zstd, identity");
    },
  );

  test("a pipeline that throws is 500, and the reason stays inside", async () => {
    for (const accept of [
      () => {
        throw new Error("secret");
      },
      () => Promise.reject(new Error("secret")),
    ]) {
      const { http } = await receive({ accept });
      const answer = await send(http, "/v1/traces", JSON_TYPE, "{}");
      expect(answer.status).toBe(500);
      expect(statusIn(answer).message).not.toContain("secret");
    }
  });
});
