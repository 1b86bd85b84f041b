import { deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encode, TracesData } from "../otlp/oracle.ts";
import { intakeBatches } from "../../src/receive/intake/intake-batches.ts";
import { createReceiver, type Receiver } from "../../src/receive/receiver.ts";
import {
  call,
  decode,
  frame,
  JSON_TYPE,
  PROTOBUF_TYPE,
  send,
  session,
  statusIn,
  type HttpAnswer,
} from "./support.ts";

const RESPONSE = "opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse";
const MAX_BODY = 4 << 20;

/** One receiver for all of them, so that what one body breaks the next one finds broken. */
let receiver: Receiver;
let spans = 0;
beforeAll(async () => {
  receiver = await createReceiver({
    http: "127.0.0.1:0",
    grpc: "127.0.0.1:0",
    maxBody: MAX_BODY,
    log: { warn: () => undefined, error: () => undefined },
    accept: intakeBatches(
      (batch) => {
        spans += batch.spanCount;
        return undefined;
      },
      () => undefined,
    ),
  });
});
afterAll(() => receiver.close(0));

const TRACE = Buffer.from("0af7651916cd43dd8448eb211c80319c", "hex");
const SPAN = Buffer.from("b7ad6b7169203331", "hex");
const span = (more: object = {}) => ({ traceId: TRACE, spanId: SPAN, name: "good", ...more });
const requestOf = (...list: object[]) =>
  Buffer.from(encode(TracesData, { resourceSpans: [{ scopeSpans: [{ spans: list }] }] }));

const jsonSpan = (more: object = {}) => ({
  traceId: TRACE.toString("hex"),
  spanId: SPAN.toString("hex"),
  ...more,
});
const jsonOf = (...list: object[]) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: list }] }] });

/** A field of wire type 2. */
const field = (number: number, bytes: Uint8Array) =>
  Buffer.concat([Buffer.of((number << 3) | 2), varint(bytes.length), bytes]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

/** An attribute whose value is arrays in arrays. */
function nested(depth: number): Buffer {
  let value = Buffer.of(0x18, 1);
  for (let i = 0; i < depth; i++) value = field(5, field(1, value));
  const attribute = Buffer.concat([field(1, Buffer.from("deep")), field(2, value)]);
  const one = Buffer.concat([field(1, TRACE), field(2, SPAN), field(9, attribute)]);
  return field(1, field(2, field(2, one)));
}

const good = requestOf(span());
const tenBytes = Buffer.alloc(10, 0xff);

/** Name, body, status over HTTP, status over gRPC, and how many spans are rejected of those that came. */
const protobuf: [string, Buffer, number, number, number?][] = [
  ["a truncated request", good.subarray(0, good.length - 1), 400, 3],
  ["half a request", good.subarray(0, good.length / 2), 400, 3],
  ["a single byte", Buffer.of(0x0a), 400, 3],
  ["random bytes", Buffer.from("8f3c1d5e99a07b42d1c6", "hex"), 400, 3],
  ["JSON sent as protobuf", Buffer.from(jsonOf(jsonSpan())), 400, 3],
  ["a length of 2 GiB", Buffer.from("0affffffff07", "hex"), 400, 3],
  ["a length beyond 64 bits", Buffer.concat([Buffer.of(0x0a), tenBytes, tenBytes]), 400, 3],
  ["a varint that never ends", Buffer.alloc(1000, 0x80), 400, 3],
  ["the wrong wire type for resource_spans", Buffer.from([0x08, 1]), 400, 3],
  ["a group that is not closed", Buffer.from([0x0b, 0x08, 1]), 400, 3],
  ["field number 0", Buffer.from([0x00, 1]), 400, 3],
  ["a value nested 1,000 deep", nested(1000), 200, 0, 1],
  ["a value nested 20,000 deep", nested(20_000), 200, 0, 1],
  [
    "C32 all ids zero",
    requestOf(span({ traceId: Buffer.alloc(16) }), span({ spanId: Buffer.alloc(8) })),
    200,
    0,
    2,
  ],
  [
    "ids too short and too long among good ones",
    requestOf(span(), span({ traceId: TRACE.subarray(1) }), span(), span({ spanId: Buffer.alloc(9, 1) })),
    200,
    0,
    2,
  ],
  ["no ids at all", requestOf({ name: "anonymous" }), 200, 0, 1],
  [
    "invalid UTF-8 in a name",
    field(
      1,
      field(2, field(2, Buffer.concat([field(1, TRACE), field(2, SPAN), field(5, Buffer.of(0xff, 0xfe))]))),
    ),
    200,
    0,
  ],
  ["unknown fields", Buffer.concat([good, field(15, Buffer.from("later"))]), 200, 0],
  ["end before start", requestOf(span({ startTimeUnixNano: 9, endTimeUnixNano: 1 })), 200, 0],
  [
    "an attribute of a megabyte",
    requestOf(span({ attributes: [{ key: "k", value: { stringValue: "x".repeat(1 << 20) } }] })),
    200,
    0,
  ],
  [
    "ten thousand attributes",
    requestOf(
      span({
        attributes: Array.from({ length: 10_000 }, (_, i) => ({ key: `k${i}`, value: { intValue: i } })),
      }),
    ),
    200,
    0,
  ],
  [
    "an attribute named __proto__",
    requestOf(span({ attributes: [{ key: "__proto__", value: { kvlistValue: { values: [] } } }] })),
    200,
    0,
  ],
  ["more than the limit", Buffer.alloc(MAX_BODY + 1), 413, 8],
];

const json: [string, string | Buffer, number, number?][] = [
  ["nothing", "", 400],
  ["a broken document", '{"resourceSpans":[', 400],
  ["C07 a number", "1234", 400],
  ["C07 an array", "[]", 400],
  ["C07 a string", '"x"', 400],
  ["C07 null", "null", 400],
  ["two documents", `${jsonOf(jsonSpan())}{}`, 400],
  ["rubbish after the document", `${jsonOf(jsonSpan())}x`, 400],
  ["nesting of 100,000", `{"resourceSpans":${"[".repeat(100_000)}`, 400],
  ["an unknown member nested 1,000,000 deep", `{"x":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`, 200],
  ["invalid UTF-8", Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xff), Buffer.from('"}')]), 400],
  ["protobuf sent as JSON", good, 400],
  ["a lone surrogate", jsonOf(jsonSpan({ name: "\ud800" })), 200],
  ["unknown members", jsonOf(jsonSpan({ later: { a: [1] } })), 200],
  ["an id that is no hex among good ones", jsonOf(jsonSpan(), jsonSpan({ traceId: "z".repeat(32) })), 200, 1],
  [
    "an id of 17 bytes and a null",
    jsonOf(jsonSpan(), jsonSpan({ traceId: "00".repeat(17) }), jsonSpan({ spanId: null })),
    200,
    2,
  ],
  ["a prototype as a member", `{"__proto__":{"a":1},"constructor":1,"resourceSpans":[]}`, 200],
];

const GZIP = { "content-encoding": "gzip" };

/** How many spans an answer says were rejected, and whether it says why anything went wrong. */
function toldIn(answer: HttpAnswer): { rejected: number; explained: boolean } {
  if (answer.status !== 200) return { rejected: 0, explained: statusIn(answer).message.length > 5 };
  const body =
    answer.headers["content-type"] === "application/json"
      ? (JSON.parse(answer.body.toString()) as Record<string, unknown>)
      : decode(RESPONSE, answer.body);
  const { partialSuccess } = body as { partialSuccess?: { rejectedSpans?: string; errorMessage?: string } };
  const { rejectedSpans = "0", errorMessage = "" } = partialSuccess ?? {};
  return { rejected: Number(rejectedSpans), explained: errorMessage.length > 5 };
}

/** After whatever came before: the receiver lives and takes a good span. */
async function expectAlive(): Promise<void> {
  const before = spans;
  expect((await send(receiver.listening.http ?? "", "/v1/traces", PROTOBUF_TYPE, good)).status).toBe(200);
  expect(spans).toBe(before + 1);
}

describe("hostile protobuf bodies", () => {
  test.each(protobuf)("%s, over HTTP", async (_name, body, status, _grpc, rejected = 0) => {
    for (const [headers, sent] of [
      [PROTOBUF_TYPE, body],
      [{ ...PROTOBUF_TYPE, ...GZIP }, gzipSync(body)],
    ] as const) {
      const answer = await send(receiver.listening.http ?? "", "/v1/traces", headers, sent);
      expect([answer.status, answer.headers["content-type"]]).toEqual([status, "application/x-protobuf"]);
      expect(toldIn(answer)).toEqual({ rejected, explained: status !== 200 || rejected > 0 });
    }
    await expectAlive();
  });

  test.each(protobuf)("%s, over gRPC", async (_name, body, _http, status, rejected = 0) => {
    const client = session(receiver.listening.grpc ?? "");
    const answer = await call(client, frame(body));
    expect(answer.status).toBe(status);
    expect(rejected === 0 || answer.body.length > 0).toBe(true);
    const zipped = await call(client, frame(gzipSync(body), true), { headers: { "grpc-encoding": "gzip" } });
    expect([zipped.status, zipped.body]).toEqual([status, answer.body]);
    await expectAlive();
  });
});

test.each(json)("hostile JSON bodies: %s", async (_name, body, status, rejected = 0) => {
  const answer = await send(receiver.listening.http ?? "", "/v1/traces", JSON_TYPE, body);
  expect([answer.status, answer.headers["content-type"]]).toEqual([status, "application/json"]);
  expect(toldIn(answer)).toEqual({ rejected, explained: status !== 200 || rejected > 0 });
  await expectAlive();
});

describe("hostile compression", () => {
  const zipped = gzipSync(good);
  const flipped = Buffer.from(zipped);
  flipped.writeUInt8(flipped.readUInt8(15) ^ 0xff, 15);

  test.each([
    ["a truncated gzip", zipped.subarray(0, -3), "gzip", 400],
    ["a mutated gzip", flipped, "gzip", 400],
    ["deflate called gzip", deflateSync(good), "gzip", 400],
    ["gzip called deflate", zipped, "deflate", 400],
    ["gzip twice, called once", gzipSync(zipped), "gzip", 400],
    ["plain bytes called zstd", good, "zstd", 400],
    ["a zstd frame that declares 1 TiB", Buffer.from("28b52ffde00000000000010000010000", "hex"), "zstd", 413],
    ["a zstd window of 2 GiB", Buffer.from("28b52ffd00a8010000", "hex"), "zstd", 413],
    ["sixteen times its limit", gzipSync(Buffer.alloc(16 * MAX_BODY)), "gzip", 413],
  ])("%s", async (_name, body, coding, status) => {
    const headers = { ...PROTOBUF_TYPE, "content-encoding": coding };
    const answer = await send(receiver.listening.http ?? "", "/v1/traces", headers, body);
    expect(answer.status).toBe(status);
    expect(statusIn(answer).message.length).toBeGreaterThan(10);
    await expectAlive();
  });
});
