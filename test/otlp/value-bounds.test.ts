import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MOST_SPAN_ATTRIBUTES, MOST_SPAN_NODES } from "../../src/model/decoded-bounds.ts";
import { ValueType } from "../../src/otlp/rows/columns.ts";
import { nodesIn } from "../../src/otlp/rows/structured-bytes.ts";
import { decodeRequest } from "../../src/receive/body/decode-request.ts";
import { viewLog } from "../../src/otlp/rows/log-view.ts";
import { viewSpan } from "../../src/otlp/rows/span-view.ts";
import { encode, LogsData, TracesData } from "./oracle.ts";

type Attributes = readonly object[];

const message = '{"role":"user","content":"a"}';
const listOf = (count: number, item = message): string => `[${Array(count).fill(item).join(",")}]`;
const textOf = (key: string, stringValue: string): object => ({ key, value: { stringValue } });

/** What decoding makes of a value: itself, and all that is in it. */
function nodesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, one) => sum + nodesOf(one), 1);
}

function spanWith(
  encoding: "json" | "protobuf",
  attributes: Attributes,
  eventAttributes: Attributes = [],
  more: object = {},
) {
  const span = {
    traceId: encoding === "json" ? "0a".repeat(16) : Buffer.alloc(16, 10),
    spanId: encoding === "json" ? "0b".repeat(8) : Buffer.alloc(8, 11),
    name: "chat",
    attributes,
    events: eventAttributes.length === 0 ? [] : [{ name: "said", attributes: eventAttributes }],
    ...more,
  };
  const request = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
  const body = encoding === "json" ? Buffer.from(JSON.stringify(request)) : encode(TracesData, request);
  const decoded = decodeRequest(body, "traces", encoding);
  if (!decoded.ok || decoded.batch === null) throw new Error("not decoded");
  return viewSpan(decoded.batch, 0, []);
}

describe("how many values a text holds", () => {
  const counted = (text: string, isEscaped: boolean): number => {
    const bytes = Buffer.from(isEscaped ? JSON.stringify(text).slice(1, -1) : text);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    return nodesIn(view, true, isEscaped ? ValueType.escapedText : ValueType.text, 0, bytes.length, Infinity);
  };

  test("is counted without parsing it, also inside a JSON body", () => {
    const texts = fc
      .jsonValue({ maxDepth: 6 })
      .filter((value) => typeof value === "object" && value !== null);
    fc.assert(
      fc.property(texts, fc.boolean(), fc.constantFrom("", " ", "\n\t"), (value, isEscaped, before) => {
        const found = counted(before + JSON.stringify(value), isEscaped);
        const real = nodesOf(value);
        // An empty list or object counts as if it had one entry.
        expect(found).toBeGreaterThanOrEqual(real);
        expect(found).toBeLessThanOrEqual(2 * real + 1);
      }),
    );
  });

  test.each([
    ["prose with many commas", "a, ".repeat(1_000), 0],
    ["a list with a long text", JSON.stringify(["a, [b], {c}, ".repeat(1_000), '\\",'.repeat(100)]), 3],
    ["a list in a JSON text", JSON.stringify(listOf(1_000)), 3_000],
  ])("of %s", (_, text, expected) => {
    for (const isEscaped of [false, true]) {
      const found = counted(text, isEscaped);
      expect(found).toBeGreaterThanOrEqual(expected);
      expect(found).toBeLessThanOrEqual(expected + 2);
    }
  });
});

describe.each(["json", "protobuf"] as const)("attributes of a span in %s", (encoding) => {
  const entry = { kvlistValue: { values: [textOf("role", "user"), textOf("content", "a")] } };
  const native = (count: number): object => ({
    key: "native",
    value: {
      arrayValue: {
        values: Array.from({ length: count }, () => entry),
      },
    },
  });

  test.each([
    ["a text", (count: number) => textOf("costly", listOf(count))],
    ["a native list", native],
  ])("spans of which %s has too many values are dropped and counted; others do not change", (_, make) => {
    const most = Math.floor(MOST_SPAN_NODES / 3) - 10;
    const small = textOf("small", listOf(10));
    const within = spanWith(encoding, [make(Math.floor(most / 2)), small]);
    expect([within.droppedAttributes, within.size]).toEqual([0, 2]);

    const beyond = spanWith(encoding, [textOf("first", "a"), make(most + 100), small]);
    expect(beyond.droppedAttributes).toBe(1);
    expect(beyond.keys()).toEqual(["first", "small"]);
    expect(beyond.named("small")).toBe(listOf(10));
  });

  test("each of which is small enough are left out from where they are too much together", () => {
    const each = Math.floor(MOST_SPAN_NODES / 3 / 10);
    const span = spanWith(
      encoding,
      Array.from({ length: 40 }, (_, at) => textOf(`part.${at}`, listOf(each))),
    );
    expect(span.droppedAttributes).toBeGreaterThanOrEqual(30);
    expect(span.size + span.droppedAttributes).toBe(40);
  });

  test("that are too many are left out from there on", () => {
    const many = Array.from({ length: MOST_SPAN_ATTRIBUTES + 5 }, (_, at) => textOf(`some.key.${at}`, "x"));
    const span = spanWith(encoding, many);
    expect([span.size, span.droppedAttributes]).toEqual([MOST_SPAN_ATTRIBUTES, 5]);
  });

  test("of an event that hold too many values are empty, and counted with the span's", () => {
    const span = spanWith(
      encoding,
      [textOf("a", "b")],
      [textOf("costly", listOf(MOST_SPAN_NODES)), textOf("c", "d")],
    );
    expect(span.droppedAttributes).toBe(1);
    expect([span.events[0]?.named("costly"), span.events[0]?.named("c")]).toEqual([undefined, "d"]);
  });

  const most = MOST_SPAN_ATTRIBUTES;
  const event = (at: number, attributes: Attributes = []): object => ({
    name: `said ${at} ${"x".repeat(80)}`,
    attributes,
  });
  const series = <One>(count: number, make: (at: number) => One): One[] =>
    Array.from({ length: count }, (_, at) => make(at));

  test.each([
    ["events", { events: series(most + 7, event) }, { events: most, dropped: 7 }],
    [
      "attributes of events",
      {
        events: series(5, (at) =>
          event(
            at,
            series(most / 4, (n) => textOf(`key.${n}`, "x")),
          ),
        ),
      },
      { events: 4, dropped: 1 },
    ],
    [
      "attributes of one event",
      {
        events: [
          event(
            0,
            series(most + 1, () => textOf("same", "x")),
          ),
          event(1),
        ],
      },
      { events: 0, dropped: 2 },
    ],
    [
      "links",
      {
        links: series(most + 3, () =>
          encoding === "json"
            ? { traceId: "0c".repeat(16), spanId: "0d".repeat(8) }
            : { traceId: Buffer.alloc(16, 12), spanId: Buffer.alloc(8, 13) },
        ),
      },
      { links: most, dropped: 3 },
    ],
  ])("%s that are too many are left out from there on, and counted", (_, more, { dropped, ...left }) => {
    const span = spanWith(encoding, [textOf("a", "b")], [], more);
    expect(span.droppedAttributes).toBe(dropped);
    expect({ events: span.events.length, links: span.links.length }).toEqual({
      events: 0,
      links: 0,
      ...left,
    });
    expect(span.named("a")).toBe("b");
    expect(span.events.map(({ name }) => Number(name.split(" ")[1]))).toEqual(span.events.map((_, at) => at));
  });

  test("a long text is no structure, however long", () => {
    const text = "word, and {another} [one] ".repeat(100_000);
    const span = spanWith(encoding, [
      textOf("prose", text),
      textOf("said", JSON.stringify([{ content: text }])),
    ]);
    expect([span.droppedAttributes, span.named("prose")]).toEqual([0, text]);
  });
});

test("the body of a log record that holds too many values is left out, its attributes stay", () => {
  const attributes = [textOf("a", "b")];
  const record = { traceId: Buffer.alloc(16, 1), body: { stringValue: listOf(MOST_SPAN_NODES) }, attributes };
  const body = encode(LogsData, { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] });
  const decoded = decodeRequest(body, "logs", "protobuf");
  if (!decoded.ok || decoded.batch === null) throw new Error("not decoded");
  const log = viewLog(decoded.batch, 0);
  expect([log.body, log.named("a")]).toEqual([undefined, "b"]);
});
