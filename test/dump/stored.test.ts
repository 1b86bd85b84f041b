import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/model/json.ts";
import { convertDump } from "../../src/receive/dump/stored/convert.ts";
import { runJson } from "../../src/report/json/run-json.ts";
import { replayed } from "../support/replayed.ts";
import { runCli } from "../support/run-cli.ts";
import { TemporaryFolder } from "./dump-files.ts";
import {
  clickhouse,
  cloudwatch,
  type Document,
  jaeger,
  langfuse,
  mlflow,
  phoenix,
  phoenixOtlp,
  pythonSdk,
  tempo,
} from "./stores.ts";
import { withoutService } from "../support/without-service.ts";

const folder = new TemporaryFolder();
afterAll(() => folder.remove());

function recorded(name: string): Document[] {
  const text = readFileSync(`test/fixtures/runs/${name}.jsonl`, "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Document);
}

/** What a spec looks at, without what a store does not keep: the resource, times finer than its own. */
async function told(...documents: readonly unknown[]): Promise<JsonValue> {
  const runs = await replayed(...documents);
  return JSON.parse(
    JSON.stringify(
      runs.map((run) => runJson(run, false)),
      (key, value: JsonValue) => {
        if (key === "missing") return withoutService(value);
        return /^(?:start_unix_ms|duration_ms|service|attributes|dialects)$/.test(key) ? undefined : value;
      },
    ),
  ) as JsonValue;
}

describe.each(["rag-weather-fixed.langgraph", "support-cancel.agents-sdk"])(
  "runs of %s, given out by",
  (name) => {
    const documents = recorded(name);

    test.each([
      ["Tempo, as batches", tempo(documents, "v1")],
      ["Tempo, version 2", tempo(documents, "v2")],
      ["Jaeger", jaeger(documents)],
      ["Phoenix", phoenix(documents)],
      ["Phoenix in OTLP's names", phoenixOtlp(documents)],
      ["MLflow", mlflow(documents)],
      ["MLflow's Python client", { info: { trace_id: "tr-1" }, data: mlflow(documents) }],
      ["ClickHouse", clickhouse(documents)],
      ["CloudWatch", cloudwatch(documents)],
      ["Python's SDK", pythonSdk(documents)],
      ["Langfuse", langfuse(documents)],
      ["Langfuse's API, in its trace", { id: "t", name: "agent", ...langfuse(documents) }],
      ["Langfuse's table of observations", (langfuse(documents) as { observations: unknown }).observations],
    ])("%s, are the same runs", async (_, dump) => {
      expect(await told(dump)).toEqual(await told(...documents));
    });
  },
);

test("a pretty file, a compressed one, one with a line for each trace and one with Windows line ends are read alike", async () => {
  const [first, second] = ["rag-weather-fixed.langgraph", "rag-aws.langgraph"].map((name) =>
    jaeger(recorded(name)),
  );
  const expected = inspected(
    await inspect("lines.json", `${JSON.stringify(first)}\n${JSON.stringify(second)}\n`),
  );

  expect(expected).toHaveLength(2);
  const forms: readonly (readonly [string, string | Uint8Array])[] = [
    ["crlf.json", `${JSON.stringify(first)}\r\n${JSON.stringify(second)}\r\n`],
    ["pretty.json", JSON.stringify([first, second], null, 2)],
    ["packed.json.gz", gzipSync(JSON.stringify([first, second]))],
  ];
  for (const [name, content] of forms) expect(inspected(await inspect(name, content))).toEqual(expected);
});

test("a trace that was written by hand, with words for ids and short names of enumerations, is read", () => {
  const span = (id: string, parent?: string) => ({
    traceId: "trace_a",
    spanId: id,
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    name: id,
    kind: "CLIENT",
    startTimeUnixNano: "1700000000000000000",
    endTimeUnixNano: "1700000001000000000",
    status: { code: "ERROR" },
  });
  const spans = [span("span_tool_1"), span("span_tool_2", "span_tool_1"), span("span_tool_3", "span_tool_1")];

  const text = JSON.stringify(convertDump(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })));

  const ids = [...text.matchAll(/"spanId":"([0-9a-f]{16})"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(3);
  expect(text.match(/"parentSpanId":"\w+"/g)).toEqual(Array(2).fill(`"parentSpanId":"${ids[0]}"`));
  expect(text.match(/"traceId":"[0-9a-f]{32}"/g)).toHaveLength(3);
  expect(text).toContain('"kind":"SPAN_KIND_CLIENT"');
  expect(text).toContain('"code":"STATUS_CODE_ERROR"');
});

test("what cannot be used is named with its line, and the rest is judged", async () => {
  const [good] = (langfuse(recorded("rag-weather-fixed.langgraph")) as { observations: object[] })
    .observations;
  const lines = [good, { ...good, id: "x", startTime: "yesterday" }, "{", { traceId: "t", type: "SPAN" }].map(
    (one) => (typeof one === "string" ? one : JSON.stringify(one)),
  );

  expect(convertDump(lines.join("\n"))?.invalid).toEqual([
    { line: 2, reason: "x: yesterday is not a timestamp" },
    { line: 3, reason: "is not JSON" },
    {
      line: 4,
      reason:
        "the document contains no trace of Jaeger, Tempo, Phoenix, Langfuse, MLflow or ClickHouse, and no span of an SDK",
    },
  ]);
});

test("a Langfuse export of traces without their observations is refused with what to do", async () => {
  const { code, stdout, stderr } = await inspect(
    "ids.json",
    JSON.stringify({ id: "t1", observations: ["a", "b"] }),
  );

  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(
    "trace t1 contains only the ids of its observations: export the trace with its observations",
  );
});

test("a Jaeger span without a time is left out, and said", () => {
  const spans = [{ traceID: "1f", spanID: "2", operationName: "x" }];

  expect(convertDump(JSON.stringify({ data: [{ traceID: "1f", spans }] }))).toEqual({
    documents: [],
    invalid: [{ line: 1, reason: "a span of trace 1f: startTime is not a time in microseconds" }],
  });
});

test("ClickHouse has each attribute as text: numbers are numbers again, ids and contents of digits stay texts", () => {
  const row = {
    Timestamp: "1700000000000000000",
    Duration: "5",
    TraceId: "1f",
    SpanId: "2",
    ParentSpanId: "",
    SpanName: "chat",
    SpanAttributes: {
      "gen_ai.usage.input_tokens": "12",
      "gen_ai.request.temperature": "0.5",
      "gen_ai.conversation.id": "77",
      "gen_ai.tool.call.result": "0.0857",
      "app.version": "0.9410",
    },
  };
  const { documents = [] } = convertDump(JSON.stringify({ data: [row] })) ?? {};
  const found = [...JSON.stringify(documents).matchAll(/"key":"([^"]+)","value":\{"(\w+)"/g)].map((one) =>
    one.slice(1),
  );
  expect(Object.fromEntries(found)).toMatchObject({
    "gen_ai.usage.input_tokens": "intValue",
    "gen_ai.request.temperature": "doubleValue",
    "gen_ai.conversation.id": "stringValue",
    "gen_ai.tool.call.result": "stringValue",
    "app.version": "stringValue",
  });
});

test("spans that a console exporter prints one after another are read, and those that have not ended are passed over", () => {
  const span = {
    name: "chat",
    context: { trace_id: "0x1f", span_id: "0x2" },
    kind: "SpanKind.CLIENT",
    parent_id: null,
    start_time: "2026-01-02T03:04:05.000001Z",
    end_time: "2026-01-02T03:04:06Z",
    status: { status_code: "ERROR", description: "refused" },
    attributes: { "gen_ai.operation.name": "chat" },
    resource: { attributes: { "service.name": "shop" } },
  };
  const begun = { ...span, context: { trace_id: "0x1f", span_id: "0x3" }, end_time: null };
  const late = { ...span, start_time: "soon" };
  const printed = [begun, span, late].map((one) => JSON.stringify(one, null, 4));

  const { documents = [], invalid } = convertDump(printed.join("\n")) ?? {};

  expect(JSON.stringify(documents).match(/"spanId":"\w+"/g)).toEqual(['"spanId":"0000000000000002"']);
  expect(JSON.stringify(documents)).toContain('"status":{"code":2,"message":"refused"}');
  expect(JSON.stringify(documents)).toContain('"kind":3');
  const lines = (text: string): number => text.split("\n").length;
  expect(invalid).toEqual([
    { line: 1 + lines(printed.slice(0, 2).join("\n")), reason: "chat: soon is not a timestamp" },
  ]);
});

test("a printed span without an end has an unknown duration, and not one of zero", () => {
  const span = {
    name: "chat",
    trace_id: "1f",
    span_id: "2",
    start_time: "2026-01-02T03:04:05Z",
    attributes: {},
  };
  const text = JSON.stringify(convertDump(JSON.stringify({ spans: [span] }))?.documents);
  expect(text).toContain('"endTimeUnixNano":"0"');
});

test("the parent of a span may be written as its whole context, with numbers for ids", () => {
  const span = (id: number, parent: object | null) => ({
    name: "chat",
    context: { trace_id: 7, span_id: id, is_remote: false },
    parent,
    start_time: 1_700_000_000_000_000_000,
    end_time: 1_700_000_001_000_000_000,
    attributes: {},
  });
  const spans = [span(10, null), span(11, { trace_id: 7, span_id: 10, is_remote: false })];

  const text = JSON.stringify(convertDump(JSON.stringify({ spans }))?.documents);

  expect(text.match(/"(?:parentSpanId|spanId)":"\w+"/g)).toEqual([
    '"spanId":"000000000000000a"',
    '"spanId":"000000000000000b"',
    '"parentSpanId":"000000000000000a"',
  ]);
});

test("log records of CloudWatch keep their span, their body and all digits of their time", () => {
  const record = {
    resource: { attributes: { "service.name": "shop" } },
    scope: { name: "strands.telemetry.tracer" },
    timeUnixNano: "TIME",
    body: { input: { messages: [] } },
    attributes: { "event.name": "strands.telemetry.tracer" },
    traceId: "1f",
    spanId: "2",
  };
  const text = JSON.stringify({ message: record }).replace('"TIME"', "1763392513710066001");

  const documents = convertDump(text)?.documents as Record<"resourceLogs", { scopeLogs: object[] }[]>[];
  expect(documents[0]?.resourceLogs[0]?.scopeLogs).toMatchObject([
    {
      scope: { name: "strands.telemetry.tracer" },
      logRecords: [
        {
          timeUnixNano: "1763392513710066001",
          traceId: "1f".padStart(32, "0"),
          spanId: "2".padStart(16, "0"),
          body: { kvlistValue: { values: [{ key: "input" }] } },
        },
      ],
    },
  ]);
});

test("JSON of no store is left to the reader of OTLP", () => {
  expect(convertDump('{"data": [{"traceID": 5}]}')).toBe(undefined);
});

async function inspect(name: string, content: string | Uint8Array): ReturnType<typeof runCli> {
  return runCli("inspect", folder.write(name, content), "--format", "json");
}

function inspected({ stdout }: Awaited<ReturnType<typeof runCli>>): unknown[] {
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}
