import { afterEach, beforeEach, expect, test } from "vitest";
import { createVerdictExporter, type VerdictExporter } from "../../src/export/exporter.ts";
import type { ExportSettings, OtlpDestination } from "../../src/export/settings.ts";
import { verdictSpanId } from "../../src/export/records/verdict-span.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { type OtlpSink, startOtlpSink } from "../support/otlp-sink.ts";
import { checkOf, verdictOf } from "../support/verdict-of.ts";
import { destinationDefaults, exportDefaults } from "../support/settings-defaults.ts";

let sink: OtlpSink;
let exporter: VerdictExporter | undefined;

beforeEach(async () => {
  sink = await startOtlpSink();
});
afterEach(async () => {
  await exporter?.close(0);
  await sink.close();
});

function open(
  settings: Partial<ExportSettings> = {},
  destination: Partial<OtlpDestination> = {},
): VerdictExporter {
  exporter = createVerdictExporter({
    settings: {
      ...exportDefaults,
      otlp: [{ ...destinationDefaults, endpoint: sink.endpoint, ...destination }],
      ...settings,
    },
    version: "1.2.3",
    resource: { "service.name": "tracejury" },
    render: ({ verdictId, revision }: Verdict) => JSON.stringify({ verdict_id: verdictId, revision }),
    lateWindowMs: 120_000,
    now: () => judgedAt,
  });
  return exporter;
}

const judgedAt = 1_700_000_009_123;
const verdict = verdictOf([
  checkOf({ check: "expected_in_answer", layer: "correctness", outcome: "fail", limit: ["Sunday"] }),
  checkOf({
    check: "min_tool_recall",
    metric: "tool_recall",
    layer: "path",
    value: 1,
    limit: 1,
    spanIds: ["b7ad6b7169203331"],
  }),
  checkOf({
    check: "max_cost_usd",
    metric: "cost_usd",
    layer: "cost",
    outcome: "incomplete",
    missing: ["price"],
  }),
]);
const rootEnd = 1_700_000_001_500_000_001n;

test("a verdict arrives as log records: event name on top, no body, ids and flags of the judged span", async () => {
  open().publish(verdict);
  await exporter?.flush();

  expect(sink.logs).toHaveLength(7);
  for (const log of sink.logs) {
    expect(log).toMatchObject({
      eventName: "gen_ai.evaluation.result",
      body: undefined,
      traceId: verdict.run.traceId,
      flags: 1,
      timeUnixNano: 1_700_000_009_123_000_000n,
      scope: { name: "tracejury", version: "1.2.3" },
      resource: { "service.name": "tracejury" },
    });
    expect(log.schemaUrl).toMatch(/^https:\/\/opentelemetry\.io\/schemas\/\d/);
    expect(log.attributes).toMatchObject({ "tracejury.verdict.id": "v-1", "test.case.name": "museum" });
    expect(log.attributes).not.toHaveProperty("event.name");
  }
  const recall = sink.logs.find((log) => log.attributes["gen_ai.evaluation.name"] === "path.tool_recall");
  expect(recall?.spanId).toBe("b7ad6b7169203331");
  expect(sink.logs[0]?.spanId).toBe(verdict.run.rootSpanId);
});

test.each([
  ["pass", 9, "INFO"],
  ["skip", 9, "INFO"],
  ["warn", 13, "WARN"],
  ["incomplete", 13, "WARN"],
  ["fail", 17, "ERROR"],
  ["error", 17, "ERROR"],
] as const)("%s has severity %i, %s", async (outcome, severityNumber, severityText) => {
  open().publish(verdictOf([checkOf({ check: "max_loops", layer: "path", outcome })]));
  await exporter?.flush();
  const log = sink.logs.find((one) => one.attributes["gen_ai.evaluation.name"] === "path.max_loops");
  expect(log).toMatchObject({ severityNumber, severityText });
});

test("the verdict's span sits below the judged root, at its end, with an event for each record", async () => {
  open().publish(verdict);
  await exporter?.flush();

  expect(sink.spans).toHaveLength(1);
  const [span] = sink.spans;
  expect(span).toMatchObject({
    name: "tracejury.verdict",
    traceId: verdict.run.traceId,
    spanId: verdictSpanId(verdict),
    parentSpanId: verdict.run.rootSpanId,
    kind: 1,
    startTimeUnixNano: rootEnd,
    endTimeUnixNano: rootEnd,
    status: { code: 0 },
    links: [],
  });
  expect(span?.attributes).toMatchObject({
    "gen_ai.operation.name": "evaluation",
    "openinference.span.kind": "EVALUATOR",
    "langfuse.observation.type": "evaluator",
    "gen_ai.evaluation.score.label": "fail",
    "gen_ai.evaluation.score.value": 0,
    "tracejury.verdict.id": "v-1",
  });
  expect(span?.events.map((event) => event.attributes)).toEqual(sink.logs.map((log) => log.attributes));
  expect(new Set(span?.events.map((event) => event.name))).toEqual(new Set(["gen_ai.evaluation.result"]));
});

test("as a link the span has no parent and points at the judged root", async () => {
  open({ span: "link" }).publish(verdict);
  await exporter?.flush();
  const { traceId, rootSpanId: spanId } = verdict.run;
  expect(sink.spans[0]).toMatchObject({ traceId, parentSpanId: "", links: [{ traceId, spanId }] });
});

test("a span is an error only when the evaluation itself failed", async () => {
  open().publish(verdictOf([checkOf({ check: "max_cost_usd", layer: "cost", outcome: "error" })]));
  await exporter?.flush();
  expect(sink.spans[0]?.status.code).toBe(2);
  expect(sink.spans[0]?.attributes["error.type"]).toBe("evaluator_error");
});

test.each([
  ["both", "child", 7, 1, 7],
  ["logs", "child", 7, 1, 0],
  ["span", "child", 0, 1, 7],
  ["both", "off", 7, 0, 0],
] as const)(
  "events: %s with span: %s sends %i log records, %i span, %i events",
  async (events, span, logs, spans, spanEvents) => {
    open({ span }, { events }).publish(verdict);
    await exporter?.flush();
    expect(sink.logs).toHaveLength(logs);
    expect(sink.spans).toHaveLength(spans);
    expect(sink.spans[0]?.events.length ?? 0).toBe(spanEvents);
  },
);

test("only the signals asked for are sent, to the base address's paths, compressed, with the headers given", async () => {
  open({}, { signals: ["logs"], endpoint: `${sink.endpoint}/otlp/`, headers: { "x-tenant": "a" } }).publish(
    verdict,
  );
  await exporter?.flush();
  expect(sink.requests.map((request) => request.path)).toEqual(["/otlp/v1/logs"]);
  expect(sink.requests[0]?.headers).toMatchObject({
    "content-type": "application/x-protobuf",
    "content-encoding": "gzip",
    "x-tenant": "a",
  });
  expect(sink.requests[0]?.headers["user-agent"]).toBe("tracejury/1.2.3");
});

test("a revision has the same verdict id and a span of its own; sending one twice is the same span", () => {
  const again = { ...verdict, revision: 2 };
  expect(verdictSpanId(again)).not.toBe(verdictSpanId(verdict));
  expect(verdictSpanId({ ...verdict })).toBe(verdictSpanId(verdict));
  expect(verdictSpanId(verdict)).toMatch(/^[0-9a-f]{16}$/);
});

test("close sends a revision that was held, and takes nothing more", async () => {
  const running = open();
  running.publish(verdict);
  running.publish({ ...verdict, revision: 2 });
  running.publish({ ...verdict, revision: 3 });
  await running.close(60_000);
  running.publish({ ...verdict, verdictId: "too late" });
  await running.flush();
  expect(sink.spans.map((span) => span.attributes["tracejury.revision"])).toEqual([1n, 3n]);
});

test("A08 an outage loses nothing: what was published meanwhile arrives when the backend is back, in order", async () => {
  const running = open({}, { signals: ["traces"] });
  await sink.stop();
  for (let n = 1; n <= 20; n++) running.publish({ ...verdict, verdictId: `v-${n}` });
  await running.flush();
  expect(sink.spans).toHaveLength(0);
  await sink.restart();
  await running.flush();
  expect(sink.spans.map((span) => span.attributes["tracejury.verdict.id"])).toEqual(
    Array.from({ length: 20 }, (_, n) => `v-${n + 1}`),
  );
});
