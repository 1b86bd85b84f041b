import { describe, expect, test } from "vitest";
import type { SpanView } from "../../src/model/telemetry/span-view.ts";
import { type Batch } from "../../src/otlp/rows/batch.ts";
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

const statusOf = ({ answer }: Sent): number => answer.status;
const rejectedOf = ({ answer }: Sent): unknown =>
  JSON.parse(answer.body.toString()).partialSuccess?.rejectedSpans;

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
