import { describe, expect, test } from "vitest";
import type { SpanView } from "../../src/model/telemetry/span-view.ts";
import { type Batch, spanAt } from "../../src/otlp/rows/batch.ts";
import { SpanColumn } from "../../src/otlp/rows/columns.ts";
import { viewSpan } from "../../src/otlp/rows/span-view.ts";
import { intakeBatches } from "../../src/receive/intake/intake-batches.ts";
import { encode, TracesData } from "../otlp/oracle.ts";
import { type HttpAnswer, receive, send } from "../receive/support.ts";

const ID = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
const IDS = `"traceId":"${ID}","spanId":"${SPAN}"`;

interface Sent {
  readonly answer: HttpAnswer;
  readonly batch: Batch | undefined;
  readonly spans: readonly SpanView[];
}

async function sendBody(body: string | Uint8Array, type: string): Promise<Sent> {
  let batch: Batch | undefined;
  const { http } = await receive({
    accept: intakeBatches(
      (taken) => {
        batch = taken;
        return undefined;
      },
      () => undefined,
    ),
  });
  const answer = await send(http, "/v1/traces", { "content-type": type }, body);
  const spans =
    batch === undefined
      ? []
      : Array.from({ length: batch.spanCount }, (_, row) => viewSpan(batch as Batch, row, []));
  return { answer, batch, spans };
}

const sendJson = (...spans: string[]): Promise<Sent> =>
  sendBody(`{"resourceSpans":[{"scopeSpans":[{"spans":[${spans.join(",")}]}]}]}`, "application/json");

const sendProtobuf = (...spans: Record<string, unknown>[]): Promise<Sent> =>
  sendBody(encode(TracesData, { resourceSpans: [{ scopeSpans: [{ spans }] }] }), "application/x-protobuf");

const protobufIds = { traceId: Buffer.from(ID, "hex"), spanId: Buffer.from(SPAN, "hex") };

/** A span with an attribute `k`. */
const withValue = (json: string): string => `{${IDS},"attributes":[{"key":"k","value":${json}}]}`;

async function valueOf(json: string): Promise<unknown> {
  const { spans } = await sendJson(withValue(json));
  return spans[0]?.named("k");
}

const statusOf = ({ answer }: Sent): number => answer.status;
const rejectedOf = ({ answer }: Sent): unknown =>
  JSON.parse(answer.body.toString()).partialSuccess?.rejectedSpans;

test.each(["1234", "[]", '"x"', "null", "true"])("C07 a JSON body %s is 400", async (body) => {
  expect(statusOf(await sendBody(body, "application/json"))).toBe(400);
});

describe("C19 what the schema does not know", () => {
  test("JSON keys are passed over at every level", async () => {
    const body = `{"new":1,"resourceSpans":[{"new":{},"resource":{"new":[]},"scopeSpans":[{"new":null,"scope":{"new":"x"},
      "spans":[{${IDS},"new":{"a":[1,{"b":2}]},"name":"n","events":[{"new":1}],"links":[{"new":1}],"status":{"new":1},
      "attributes":[{"new":1,"key":"k","value":{"intValue":"1"}}]}]}]}]}`;
    const sent = await sendBody(body, "application/json");
    expect([statusOf(sent), sent.spans[0]?.name, sent.spans[0]?.named("k")]).toEqual([200, "n", 1]);
  });

  test("protobuf fields are passed over, and stay in the bytes that are kept", async () => {
    const known = encode(TracesData, {
      resourceSpans: [{ scopeSpans: [{ spans: [{ ...protobufIds, name: "n" }] }] }],
    });
    const unknown = Buffer.from([0xfa, 0x07, 3, 1, 2, 3]); // field 127, bytes
    const sent = await sendBody(Buffer.concat([known, unknown]), "application/x-protobuf");
    expect([statusOf(sent), sent.spans[0]?.name]).toEqual([200, "n"]);
    expect(Buffer.from(sent.batch?.body ?? []).subarray(-6)).toEqual(unknown);
  });
});

test("C20 ids in upper, lower and mixed case are one id, written in lower case", async () => {
  const { spans } = await sendJson(
    ...[ID, ID.toUpperCase(), `${ID.slice(0, 16)}${ID.slice(16).toUpperCase()}`].map(
      (id) => `{"traceId":"${id}","spanId":"${SPAN.toUpperCase()}"}`,
    ),
  );
  expect(spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`)).toEqual(Array(3).fill(`${ID} ${SPAN}`));
});

test("C21 times are the same to the last digit as text and as number", async () => {
  const { batch } = await sendJson(
    `{${IDS},"startTimeUnixNano":"1544712660300000123"}`,
    `{${IDS},"startTimeUnixNano":1544712660300000123}`,
  );
  const { batch: protobuf } = await sendProtobuf({
    ...protobufIds,
    startTimeUnixNano: "1544712660300000123",
  });
  const [text, number] = [0, 1].map((row) => startWords(batch, row));
  expect(number).toEqual(text);
  expect(startWords(protobuf, 0)).toEqual(text);
  expect(text).toEqual(1544712660300000123n);
});

describe("C22 integers of 64 bits", () => {
  test("are exact at both ends", async () => {
    expect(await valueOf(`{"intValue":"9223372036854775807"}`)).toBe("9223372036854775807");
    expect(await valueOf(`{"intValue":-9223372036854775808}`)).toBe("-9223372036854775808");
  });

  test("beyond them the span is refused, the others are kept", async () => {
    const sent = await sendJson(`{${IDS}}`, withValue('{"intValue":"9223372036854775808"}'));
    expect([statusOf(sent), rejectedOf(sent), sent.spans.length]).toEqual([200, "1", 1]);
  });
});

test("C23 kinds by number, by name and unknown ones", async () => {
  const { spans, batch } = await sendJson(
    ...["2", '"SPAN_KIND_SERVER"', "99"].map((kind) => `{${IDS},"kind":${kind}}`),
  );
  expect(spans.map(({ kind }) => kind)).toEqual([2, 2, 99]);
  expect(batch?.lenient).toBe(1);
});

describe("C24 doubles", () => {
  test("the words for what is no number are taken", async () => {
    const sent = await sendJson(
      ...['"NaN"', '"Infinity"', '"-Infinity"'].map((word) => withValue(`{"doubleValue":${word}}`)),
    );
    expect([statusOf(sent), sent.spans.length, rejectedOf(sent)]).toEqual([200, 3, undefined]);
  });

  test("1e400 costs its own span only", async () => {
    const sent = await sendJson(`{${IDS}}`, withValue('{"doubleValue":1e400}'));
    expect([statusOf(sent), rejectedOf(sent), sent.spans.length]).toEqual([200, "1", 1]);
  });
});

test.each(["+/8=", "-_8=", "+/8", "-_8"])(
  "C25 the bytes %s are the same in every form of base64",
  async (text) => {
    expect(await valueOf(`{"bytesValue":"${text}"}`)).toBe("+/8=");
  },
);

test("C26 a document in snake_case is read, and counted as lenient", async () => {
  const sent = await sendBody(
    `{"resource_spans":[{"scope_spans":[{"spans":[{"trace_id":"${ID}","span_id":"${SPAN}","name":"n"}]}]}]}`,
    "application/json",
  );
  expect([statusOf(sent), sent.spans[0]?.name, (sent.batch?.lenient ?? 0) > 0]).toEqual([200, "n", true]);
});

test("C27 null stands in every optional place", async () => {
  const sent = await sendJson(
    `{${IDS},"parentSpanId":null,"name":null,"kind":null,"startTimeUnixNano":null,"attributes":null,"events":null,"links":null,"status":null,"traceState":null,"flags":null,"droppedAttributesCount":null}`,
  );
  expect([statusOf(sent), rejectedOf(sent), sent.spans[0]?.parentSpanId]).toEqual([
    200,
    undefined,
    undefined,
  ]);
});

test("C28 __proto__, the empty key and a key that comes twice are data", async () => {
  const attribute = (key: string, text: string): string =>
    `{"key":"${key}","value":{"stringValue":"${text}"}}`;
  const attributes = [
    attribute("__proto__", "a"),
    attribute("", "b"),
    attribute("k", "1"),
    attribute("k", "2"),
  ];
  const { spans } = await sendJson(`{${IDS},"attributes":[${attributes.join(",")}]}`);
  expect(["__proto__", "", "k"].map((key) => spans[0]?.named(key))).toEqual(["a", "b", "2"]);
  expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
});

describe("C29 values nested in one another", () => {
  const nested = (depth: number): string =>
    depth === 0 ? '{"intValue":"1"}' : `{"arrayValue":{"values":[${nested(depth - 1)}]}}`;

  test("to a hundred deep are taken", async () => {
    const sent = await sendJson(withValue(nested(50)));
    expect([statusOf(sent), sent.spans.length]).toEqual([200, 1]);
  });

  test("without end cost their own span at most, and no stack", async () => {
    const sent = await sendJson(`{${IDS}}`, withValue(nested(5_000)));
    expect([200, 400]).toContain(statusOf(sent));
  });
});

test("C30 a string that is not UTF-8 costs nothing, and its bytes are kept", async () => {
  const body = Buffer.from(
    encode(TracesData, { resourceSpans: [{ scopeSpans: [{ spans: [{ ...protobufIds, name: "name!" }] }] }] }),
  );
  const at = body.indexOf("name!");
  body[at + 4] = 0xff;
  const sent = await sendBody(body, "application/x-protobuf");
  expect([statusOf(sent), sent.spans[0]?.name]).toEqual([200, "name\ufffd"]);
  expect(Buffer.from(sent.batch?.body ?? [])).toEqual(body);
});

test.each([
  ["zero", "0".repeat(32), SPAN],
  ["empty", "", SPAN],
  ["15 bytes", ID.slice(2), SPAN],
  ["17 bytes", `${ID}00`, SPAN],
  ["not hex", `${ID.slice(1)}x`, SPAN],
  ["span id of zeros", ID, "0".repeat(16)],
  ["short span id", ID, SPAN.slice(2)],
])("C31 between two good spans, one whose id is %s is refused by itself", async (_what, traceId, spanId) => {
  const sent = await sendJson(`{${IDS}}`, `{"traceId":"${traceId}","spanId":"${spanId}"}`, `{${IDS}}`);
  const { partialSuccess } = JSON.parse(sent.answer.body.toString());
  expect([statusOf(sent), sent.spans.length]).toEqual([200, 2]);
  expect(partialSuccess).toMatchObject({
    rejectedSpans: "1",
    errorMessage: expect.stringContaining("span 1"),
  });
});

test("C32 when all spans are bad, all are refused and the request is not", async () => {
  const sent = await sendJson(`{"traceId":"","spanId":""}`, `{"traceId":"x","spanId":"${SPAN}"}`);
  expect([statusOf(sent), rejectedOf(sent), sent.spans.length]).toEqual([200, "2", 0]);
});

test("C49 a string by its index is taken as empty, and counted as lenient", async () => {
  const sent = await sendProtobuf({ ...protobufIds, attributes: [{ key: "k", value: {} }] });
  const json = await sendJson(withValue('{"stringValueStrindex":3}'));
  expect([statusOf(sent), statusOf(json), json.spans.length]).toEqual([200, 200, 1]);
  expect(json.spans[0]?.named("k")).toBeFalsy();
});

test("C50 ten thousand attributes, and one of 8 MiB, are taken", async () => {
  const many = Array.from(
    { length: 10_000 },
    (_, index) => `{"key":"k${index}","value":{"intValue":"${index}"}}`,
  );
  const sent = await sendJson(`{${IDS},"attributes":[${many.join(",")}]}`);
  expect([statusOf(sent), sent.spans[0]?.size, sent.spans[0]?.named("k9999")]).toEqual([200, 10_000, 9_999]);
  const large = await sendProtobuf({
    ...protobufIds,
    attributes: [{ key: "k", value: { stringValue: "x".repeat(8 << 20) } }],
  });
  expect([statusOf(large), large.spans.length]).toEqual([200, 1]);
});

function startWords(batch: Batch | undefined, row: number): bigint | undefined {
  if (batch === undefined) return undefined;
  const at = spanAt(row) + SpanColumn.start;
  const [low = 0, high = 0] = [batch.rows[at], batch.rows[at + 1]];
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}
