import protobuf from "protobufjs";
import { describe, expect, test } from "vitest";
import { key } from "../../src/model/telemetry/attribute-key.ts";
import type { Batch } from "../../src/otlp/rows/batch.ts";
import { viewLog } from "../../src/otlp/rows/log-view.ts";
import { readLogs, readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import type { ReadResult } from "../../src/otlp/read-result.ts";
import { viewSpan } from "../../src/otlp/rows/span-view.ts";
import { encode, LogsData, TracesData } from "./oracle.ts";

const bytes = (size: number, value: number): Uint8Array => new Uint8Array(size).fill(value);
const text = (name: string, stringValue: string): object => ({ key: name, value: { stringValue } });

const span = {
  traceId: bytes(16, 0xab),
  spanId: bytes(8, 0x01),
  parentSpanId: bytes(8, 0xf2),
  name: "chat gpt-5",
  kind: 3,
  startTimeUnixNano: "1763700000123456789",
  endTimeUnixNano: "1763700001123456789",
  droppedAttributesCount: 4,
  attributes: [
    text("gen_ai.request.model", "gpt-5"),
    { key: "gen_ai.usage.input_tokens", value: { intValue: "12" } },
    { key: "temperature", value: { doubleValue: 0.7 } },
    { key: "stream", value: { boolValue: true } },
    { key: "big", value: { intValue: "9223372036854775807" } },
    { key: "raw", value: { bytesValue: bytes(3, 255) } },
    {
      key: "nested",
      value: {
        kvlistValue: { values: [text("a", "b"), { key: "l", value: { arrayValue: { values: [{}] } } }] },
      },
    },
    text("arguments", '{"city":"Oslo"}'),
    text("messages.0.role", "user"),
    text("messages.1.role", "assistant"),
    text("messages.0.parts.0.text", "hi"),
    text("n", " 42 "),
    text("n", " 43 "),
    text("__proto__", "x"),
  ],
  events: [
    { timeUnixNano: "1763700000500000000", name: "exception", attributes: [text("exception.type", "E")] },
  ],
  links: [
    { traceId: bytes(16, 1), spanId: bytes(8, 2) },
    { traceId: bytes(3, 1), spanId: bytes(8, 2) },
  ],
  status: { code: 2, message: "no" },
  flags: 257,
};

/** A length-delimited field. */
function field(number: number, content: Uint8Array): Uint8Array {
  const writer = protobuf.Writer.create().uint32((number << 3) | 2);
  return writer.bytes(content).finish();
}

const request = (...spans: object[]): Record<string, unknown> => ({
  resourceSpans: [
    {
      resource: { attributes: [text("service.name", "shop")] },
      scopeSpans: [{ scope: { name: "openinference", version: "1.2" }, spans }],
    },
  ],
});

function taken(result: ReadResult): Batch {
  if (!result.ok) throw new Error(`${result.message} at ${result.offset}`);
  return result.batch;
}

const read = (...spans: object[]): Batch => taken(readTraces(encode(TracesData, request(...spans))));

describe("a span read from protobuf", () => {
  const view = viewSpan(read(span), 0, []);

  test("gives typed values, and nothing for a value of another type", () => {
    expect(view.text(key("gen_ai.request.model"))).toBe("gpt-5");
    expect(view.number(key("gen_ai.request.model"))).toBeUndefined();
    expect(view.number(key("gen_ai.usage.input_tokens"))).toBe(12);
    expect(view.text(key("gen_ai.usage.input_tokens"))).toBeUndefined();
    expect(view.number(key("temperature"))).toBe(0.7);
    expect(view.boolean(key("stream"))).toBe(true);
    expect(view.value(key("big"))).toBe("9223372036854775807");
    expect(view.text(key("big"))).toBeUndefined();
    expect(view.value(key("raw"))).toBe("////");
    expect(view.value(key("nested"))).toEqual({ a: "b", l: [null] });
    expect(view.json(key("arguments"))).toEqual({ city: "Oslo" });
    expect(view.has(key("absent"))).toBe(false);
  });

  test("lets the last of duplicate keys win and keeps hostile keys as data", () => {
    expect(view.number(key("n"))).toBe(43);
    expect(view.keys().filter((name) => name === "n")).toHaveLength(1);
    expect(view.named("__proto__")).toBe("x");
  });

  test("builds a tree from indexed keys", () => {
    expect(view.tree("messages")).toEqual([{ role: "user", parts: [{ text: "hi" }] }, { role: "assistant" }]);
    expect(view.tree("message")).toBeUndefined();
  });
});

describe("spans that cannot be taken", () => {
  const bad = [
    { what: "no trace id", span: { ...span, traceId: bytes(0, 0) }, reason: "trace id is missing" },
    { what: "a zero trace id", span: { ...span, traceId: bytes(16, 0) }, reason: "trace id is all zero" },
    {
      what: "15 bytes of trace id",
      span: { ...span, traceId: bytes(15, 1) },
      reason: "trace id has 15 bytes",
    },
    {
      what: "17 bytes of trace id",
      span: { ...span, traceId: bytes(17, 1) },
      reason: "trace id has 17 bytes",
    },
    { what: "a zero span id", span: { ...span, spanId: bytes(8, 0) }, reason: "span id is all zero" },
    { what: "a short span id", span: { ...span, spanId: bytes(4, 1) }, reason: "span id has 4 bytes" },
  ];
  test.each(bad)("with $what are refused alone", ({ span: broken, reason }) => {
    const batch = read(span, broken, { ...span, spanId: bytes(8, 9) });
    expect(batch.spanCount).toBe(2);
    expect(batch.rejected.count).toBe(1);
    expect(batch.rejected.reason).toContain(`span 1: ${reason}`);
    expect(viewSpan(batch, 1, []).spanId).toBe("09".repeat(8));
    expect(viewSpan(batch, 1, []).text(key("gen_ai.request.model"))).toBe("gpt-5");
  });

  test("a parent id of the wrong length is an unknown parent, not a root", () => {
    const view = viewSpan(read({ ...span, parentSpanId: bytes(3, 1) }), 0, []);
    expect(view.parentSpanId).toBe("f".repeat(16));
  });
});

describe("log records", () => {
  const record = {
    timeUnixNano: "0",
    observedTimeUnixNano: "1763700000000000000",
    severityNumber: 9,
    droppedAttributesCount: 3,
    traceId: bytes(16, 1),
    spanId: bytes(8, 2),
    body: { kvlistValue: { values: [text("content", "hello")] } },
    attributes: [text("event.name", "gen_ai.user.message")],
  };
  const read = (log: object): Batch => {
    const resourceLogs = [{ scopeLogs: [{ scope: { name: "s" }, logRecords: [log] }] }];
    return taken(readLogs(encode(LogsData, { resourceLogs })));
  };

  test("keep their body after a span whose attribute was nested too deep", () => {
    let value: Uint8Array = new Uint8Array([0x10, 1]);
    for (let i = 0; i < 100; i++) value = field(5, field(1, value));
    const attribute = field(9, field(2, value));
    const ids = Buffer.concat([field(1, bytes(16, 1)), field(2, bytes(8, 1))]);
    const refused = taken(readTraces(field(1, field(2, field(2, Buffer.concat([ids, attribute]))))));
    expect(refused.rejected.count).toBe(1);
    const body = field(5, field(1, Buffer.from("hello")));
    expect(viewLog(taken(readLogs(field(1, field(2, field(2, body))))), 0).body).toBe("hello");
  });

  test("have name, body, time and ids", () => {
    const view = viewLog(read(record), 0);
    expect(view).toMatchObject({
      eventName: "gen_ai.user.message",
      severityNumber: 9,
      droppedAttributes: 3,
      timeUnixMs: 1763700000000,
      spanId: "02".repeat(8),
      scopeName: "s",
    });
    expect(viewLog(read(record), 0).body).toEqual({ content: "hello" });
    expect(viewLog(read({ ...record, eventName: "top" }), 0).eventName).toBe("top");
  });
});
