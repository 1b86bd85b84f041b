import { describe, expect, test } from "vitest";
import type { SpanView } from "../../src/model/telemetry/span-view.ts";
import type { Batch } from "../../src/otlp/rows/batch.ts";
import { viewLog } from "../../src/otlp/rows/log-view.ts";
import { readLogsJson, readMetricsJson, readTracesJson } from "../../src/otlp/json/read-json.ts";
import type { ReadResult } from "../../src/otlp/read-result.ts";
import { viewSpan } from "../../src/otlp/rows/span-view.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const IDS = `"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331"`;
const document = (...spans: string[]): string =>
  `{"resourceSpans":[{"scopeSpans":[{"spans":[${spans.join(",")}]}]}]}`;
const withValue = (value: string): string => `{${IDS},"attributes":[{"key":"k","value":${value}}]}`;

function taken(result: ReadResult): Batch {
  if (!result.ok) throw new Error(`${result.message} at ${result.offset}`);
  return result.batch;
}

const read = (...spans: string[]): Batch => taken(readTracesJson(bytes(document(...spans))));
const view = (span: string): SpanView => viewSpan(read(span), 0, []);
const value = (json: string): unknown => view(withValue(json)).named("k");

describe("ids", () => {
  test.each([
    ["lower case", "0af7651916cd43dd8448eb211c80319c"],
    ["upper case", "0AF7651916CD43DD8448EB211C80319C"],
    ["mixed case", "0aF7651916cd43Dd8448EB211c80319C"],
    ["escaped", "\\u0030af7651916cd43dd8448eb211c80319c"],
  ])("C20 in %s are equal", (_, id) => {
    const span = view(`{"traceId":"${id}","spanId":"B7AD6b7169203331","parentSpanId":""}`);
    expect(span.traceId).toBe("0af7651916cd43dd8448eb211c80319c");
    expect(span.spanId).toBe("b7ad6b7169203331");
    expect(span.parentSpanId).toBeUndefined();
  });

  test("in base64, as protobuf's own JSON has them, are equal to those in hex", () => {
    const span = view(
      `{"traceId":"CvdlGRbNQ92ESOshHIAxnA==","spanId":"t61rcWkgMzE=","parentSpanId":"t61rcWkg\\u004dzE="}`,
    );
    expect(span.traceId).toBe("0af7651916cd43dd8448eb211c80319c");
    expect(span.spanId).toBe("b7ad6b7169203331");
    expect(span.parentSpanId).toBe("b7ad6b7169203331");
  });

  test.each([
    [`{"traceId":"CvdlGRbNQ92ESOshHIAxnAaa","spanId":"b7ad6b7169203331"}`, "trace id has 24 hex digits"],
    [`{"traceId":"CvdlGRbNQ92ESOshHIAxnB==","spanId":"b7ad6b7169203331"}`, "trace id has 24 hex digits"],
    [`{"traceId":"AAAAAAAAAAAAAAAAAAAAAA==","spanId":"b7ad6b7169203331"}`, "trace id is missing"],
    [`{"traceId":"","spanId":"b7ad6b7169203331"}`, "trace id is missing"],
    [`{"spanId":"b7ad6b7169203331"}`, "trace id is missing"],
    [
      `{"traceId":"00000000000000000000000000000000","spanId":"b7ad6b7169203331"}`,
      "trace id is missing or all zero",
    ],
    [
      `{"traceId":"0af7651916cd43dd8448eb211c8031","spanId":"b7ad6b7169203331"}`,
      "trace id has 30 hex digits",
    ],
    [`{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b716920333x"}`, "span id is not hex"],
    [`{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"0000000000000000"}`, "span id is missing"],
    [`{"traceId":12,"spanId":"b7ad6b7169203331"}`, "trace id is not a string"],
  ])("C31 that are bad refuse their span alone: %s", (bad, reason) => {
    const batch = read(`{${IDS}}`, bad, `{${IDS},"name":"after"}`);
    expect(batch.rejected.count).toBe(1);
    expect(batch.rejected.reason).toContain(`span 1: ${reason}`);
    expect(viewSpan(batch, 1, []).name).toBe("after");
  });

  test("of a parent that cannot be read are an unknown parent", () => {
    expect(view(`{${IDS},"parentSpanId":"zz"}`).parentSpanId).toBe("f".repeat(16));
  });
});

test("attributes that are no list refuse their span alone", () => {
  const batch = read(`{${IDS},"attributes":{}}`, `{${IDS}}`);
  expect(batch.spanCount).toBe(1);
  expect(batch.rejected.reason).toContain("span 0: attributes must be an array");
});

describe("integers", () => {
  test.each([
    [`{"intValue":"9223372036854775807"}`, "9223372036854775807"],
    [`{"intValue":-9223372036854775808}`, "-9223372036854775808"],
    [`{"intValue":"-1"}`, -1],
    [`{"intValue":0}`, 0],
    [`{"intValue":9007199254740993}`, "9007199254740993"],
    [`{"intValue":1e3}`, 1000],
    [`{"intValue":"12.50e1"}`, 125],
    [`{"intValue":"\\u0031"}`, 1],
    [`{"intValue":1.0}`, 1],
    [`{"intValue":null}`, undefined],
  ])("C22 %s is %s", (json, expected) => {
    expect(value(json)).toBe(expected);
  });

  test.each([
    "9223372036854775808",
    "-9223372036854775809",
    "99999999999999999999999999",
    "1e400",
    "1.5",
    "abc",
    "",
    " 1",
    "0x10",
  ])("C22 %s is none: its span is refused alone", (int) => {
    const batch = read(withValue(`{"intValue":"${int}"}`), `{${IDS}}`);
    expect(batch.spanCount).toBe(1);
    expect(batch.rejected.reason).toContain("span 0: intValue is not a 64-bit integer");
  });

  test("C21 times are exact as string and as number", () => {
    const string = read(`{${IDS},"startTimeUnixNano":"1544712660300000123"}`);
    const number = read(`{${IDS},"startTimeUnixNano":1544712660300000123}`);
    expect(number.rows.slice(8, 10)).toEqual(string.rows.slice(8, 10));
    const [low = 0, high = 0] = string.rows.slice(8, 10);
    expect((BigInt(high) << 32n) | BigInt(low >>> 0)).toBe(1544712660300000123n);
  });
});

describe("other values", () => {
  test.each([
    ["C24 ", `{"doubleValue":0.1}`, 0.1],
    ["C24 ", `{"doubleValue":"2.5"}`, 2.5],
    ["C24 ", `{"doubleValue":-1e-400}`, -0],
    ["C24 ", `{"doubleValue":"NaN"}`, "NaN"],
    ["C24 ", `{"doubleValue":"-Infinity"}`, "-Infinity"],
    ["", `{"boolValue":false}`, false],
    ["C25 ", `{"bytesValue":"_-8="}`, "/+8="],
    ["C25 ", `{"bytesValue":"_-8"}`, "/+8="],
    ["C25 ", `{"bytesValue":"/+8"}`, "/+8="],
    ["C25 ", `{"bytesValue":"\\/+8="}`, "/+8="],
    ["", `{"stringValue":"a\\nb\\ud83d\\ude00"}`, "a\nb😀"],
    ["", `{"stringValue":"\\ud800"}`, "\ud800"],
    [
      "",
      `{"arrayValue":{"values":[{"intValue":"9007199254740993"},null,{}]}}`,
      ["9007199254740993", null, null],
    ],
    ["", `{"arrayValue":{}}`, []],
    ["", `{}`, undefined],
    ["", `null`, undefined],
    ["C49 ", `{"stringValueStrindex":4}`, undefined],
  ])("%s%s is read", (_, json, expected) => {
    expect(value(json)).toEqual(expected);
  });

  test.each([
    ["C24 ", `{"doubleValue":1e400}`],
    ["C24 ", `{"doubleValue":"1e400"}`],
    ["C24 ", `{"doubleValue":true}`],
    ["C24 ", `{"doubleValue":""}`],
    ["", `{"boolValue":"yes"}`],
    ["", `{"bytesValue":"@"}`],
    ["", `{"stringValue":5}`],
    ["", `"plain"`],
    ["", `{"arrayValue":{"values":[{"intValue":"x"}]}}`],
    ["", `{"kvlistValue":{"values":[{"key":5}]}}`],
  ])("%s%s refuses its span alone", (_, json) => {
    const batch = read(withValue(json), `{${IDS}}`);
    expect(batch.spanCount).toBe(1);
    expect(batch.rejected.count).toBe(1);
  });

  test.each([
    [100, 0],
    [101, 1],
    [100_000, 1],
  ])("C29 nested %i deep: %i refused", (depth, refused) => {
    const open = `{"arrayValue":{"values":[`.repeat(depth - 1);
    const batch = read(withValue(`${open}{"boolValue":true}${"]}}".repeat(depth - 1)}`), `{${IDS}}`);
    expect(batch.rejected.count).toBe(refused);
  });

  test("C23 kinds by number, by name, and unknown ones", () => {
    expect(view(`{${IDS},"kind":2}`).kind).toBe(2);
    expect(view(`{${IDS},"kind":99}`).kind).toBe(99);
    const named = read(`{${IDS},"kind":"SPAN_KIND_SERVER","status":{"code":"STATUS_CODE_ERROR"}}`);
    expect(viewSpan(named, 0, [])).toMatchObject({ kind: 2, status: 2 });
    expect(named.lenient).toBe(2);
  });

  test("C28 __proto__, the empty key and a key that comes twice are data", () => {
    const span = view(`{${IDS},"attributes":[{"key":"__proto__","value":{"kvlistValue":{"values":[
      {"key":"__proto__","value":{"boolValue":true}},{"key":"constructor","value":{}}]}}},{"value":{"intValue":1}},{"value":{"intValue":2}}]}`);
    expect(span.keys()).toEqual(["__proto__", ""]);
    expect(span.named("")).toBe(2);
    expect(JSON.stringify(span.named("__proto__"))).toBe(`{"__proto__":true,"constructor":null}`);
    expect(({} as Record<string, unknown>)["constructor"]).toBe(Object);
  });
});

describe("containers", () => {
  test("of the first OTLP versions are read", () => {
    const json = `{"resourceSpans":[{"instrumentationLibrarySpans":[{"instrumentationLibrary":{"name":"old"},"spans":[{${IDS}}]}]}]}`;
    expect(viewSpan(taken(readTracesJson(bytes(json))), 0, []).scopeName).toBe("old");
  });

  test("C26 snake_case is read, and counted as lenient", () => {
    const json = `{"resource_spans":[{"scope_spans":[{"spans":[{"trace_id":"0af7651916cd43dd8448eb211c80319c","span_id":"b7ad6b7169203331"}]}]}]}`;
    const batch = taken(readTracesJson(bytes(json)));
    expect([batch.spanCount, batch.lenient]).toEqual([1, 4]);
  });

  test("log records are taken without what is wrong with them", () => {
    const record = `{"timeUnixNano":"x","traceId":"5","body":{"intValue":"9223372036854775808"},
      "attributes":[{"key":"bad","value":{"intValue":"x"}},{"key":"event.name","value":{"stringValue":"e"}}]}`;
    const batch = taken(readLogsJson(bytes(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${record}]}]}]}`)));
    expect(batch.logCount).toBe(1);
    expect(viewLog(batch, 0).keys()).toEqual(["event.name"]);
    expect(viewLog(batch, 0)).toMatchObject({ eventName: "e", body: undefined, timeUnixMs: 0 });
  });

  describe("a bad record costs nothing that comes after it:", () => {
    const bad = `{"traceId":"zz","spanId":"b7ad6b7169203331"}`;
    const container = (service: string, span: string): string =>
      `{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"${service}"}}]},` +
      `"scopeSpans":[{"spans":[${span}]}]}`;
    const service = (batch: Batch): unknown => viewSpan(batch, 0, []).resource.named("service.name");

    test("the resource of the next container", () => {
      const containers = [container("one", bad), container("two", `{${IDS}}`)];
      const batch = taken(readTracesJson(bytes(`{"resourceSpans":[${containers.join(",")}]}`)));
      expect(batch.rejected.count).toBe(1);
      expect(service(batch)).toBe("two");
    });

    test("the attributes of a log record whose id is bad", () => {
      const record = `{"traceId":"zz","attributes":[{"key":"k","value":{"stringValue":"v"}}]}`;
      const logs = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${record}]}]}]}`;
      expect(viewLog(taken(readLogsJson(bytes(logs))), 0).named("k")).toBe("v");
    });
  });

  test("metrics are counted by data point", () => {
    const json = `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"a","sum":{"dataPoints":[{},{}]}},{"gauge":null}]}]}]}`;
    expect(readMetricsJson(bytes(json))).toMatchObject({ ok: true, dataPoints: 2 });
  });
});

describe("documents", () => {
  test.each([
    `{}`,
    ` {} \n`,
    `{"resourceSpans":[]}`,
    `{"resourceSpans":[{}]}`,
    `{"resourceSpans":[null]}`,
    `{"x":1}`,
  ])("%s is an empty request", (json) => {
    expect(read.length).toBe(0);
    expect(taken(readTracesJson(bytes(json)))).toMatchObject({ spanCount: 0, rejected: { count: 0 } });
  });

  test.each([
    "",
    "null",
    "[]",
    `"x"`,
    `{"resourceSpans":[}`,
    `{"resourceSpans":[]} x`,
    `{"resourceSpans":{}}`,
    `{"a":01}`,
    `{"a":"\\u12g4"}`,
    `{"a":"\u0001"}`,
    `{"a":NaN}`,
    "\ufeff{}",
    document(withValue(`{"intValue":007}`)),
    document(withValue(`{"boolValue":truth}`)),
    document(withValue(`{"intValue":n}`)),
  ])("%s is unreadable", (json) => {
    const result = readTracesJson(bytes(json));
    expect(result).toMatchObject({ ok: false });
    expect(result.ok ? "" : result.message).not.toBe("");
  });

  test("nested without end are unreadable, and cost no stack", () => {
    expect(readTracesJson(bytes(`{"a":${"[".repeat(2_000_000)}`))).toMatchObject({ ok: false });
    expect(readTracesJson(bytes(`{"a":${"[".repeat(500_000)}${"]".repeat(500_000)}}`))).toMatchObject({
      ok: true,
    });
  });
});
