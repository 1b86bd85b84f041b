import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { otlpMetricReaders } from "../../src/export/otlp/metric-reader.ts";
import {
  observeAssembler,
  observeMemory,
  observeJournal,
  recordClosedTrace,
  recordItems,
  recordNotKept,
  recordRecovered,
  recordRequest,
} from "../../src/support/telemetry/metrics/instruments/collector-metrics.ts";
import { damageReport } from "../../src/support/telemetry/reports/damage-report.ts";
import { exportReport } from "../../src/support/telemetry/reports/export-report.ts";
import {
  observePartitions,
  recordKafkaRecord,
} from "../../src/support/telemetry/metrics/instruments/kafka-metrics.ts";
import { observeForwarder } from "../../src/support/telemetry/metrics/instruments/forward-metrics.ts";
import { type Instrument, instruments } from "../../src/support/telemetry/metrics/instruments/instruments.ts";
import { createLog } from "../../src/support/telemetry/log/log.ts";
import { createMeter, type MeterOptions, type OwnMeter } from "../../src/support/telemetry/metrics/meter.ts";
import type { Recorder } from "../../src/support/telemetry/metrics/recorder.ts";
import {
  recordRun,
  recordUnjudged,
  recordVerdict,
} from "../../src/support/telemetry/metrics/instruments/verdict-metrics.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { checkOf, judgedRun, verdictOf } from "../support/verdict-of.ts";
import { destinationDefaults, exportDefaults } from "../support/settings-defaults.ts";

const resource = { "service.name": "tracejury" };
let meter: OwnMeter;
afterEach(() => meter.shutdown(0));

function open(options: Partial<MeterOptions> = {}): Recorder {
  meter = createMeter({ version: "1.2.3", resource, ...options });
  return meter.recorder;
}

/** The lines of one metric, without comments. */
async function lines(name: string): Promise<string[]> {
  return (await meter.prometheus()).split("\n").filter((line) => new RegExp(`^${name}[ {]`).test(line));
}

const verdict = verdictOf([
  checkOf({
    check: "min_tool_recall",
    metric: "tool_recall",
    layer: "path",
    outcome: "warn",
    value: 0.5,
    limit: 1,
  }),
  checkOf({ check: "max_cost_usd", metric: "cost_usd", layer: "cost", outcome: "incomplete" }),
]);
/** One check for each unit that values can have. */
const measured = verdictOf(
  (
    [
      ["max_total_tokens", "total_tokens", "cost", 4200],
      ["max_cost_usd", "cost_usd", "cost", 0.03],
      ["max_latency_ms", "latency_ms", "cost", 2500],
      ["max_cost_multiplier", "cost_multiplier", "cost", 1.5],
      ["min_tool_recall", "tool_recall", "path", 0.5],
      ["scoring.min_score", "score", "path", 87],
      ["max_loops", "loops", "path", 3],
      ["llm_judge", "llm_judge", "correctness", 4],
      ["checks.refund", "checks.refund", "correctness", 99.5],
      ["expected_in_answer", "expected_in_answer", "correctness", null],
    ] as const
  ).map(([check, metric, layer, value]) => checkOf({ check, metric, layer, value })),
);
const route = { exporter: "otlp_http", signal: "logs", destination: "backend:4318" } as const;
const quiet = createLog({ level: "silent", format: "json" });

/** Every kind of thing that is counted, once. */
function recordEverything(recorder: Recorder): void {
  recordVerdict(recorder, verdict);
  recordVerdict(recorder, measured);
  recordVerdict(recorder, { ...verdict, revision: 2 });
  recordRun(recorder, judgedRun());
  recordUnjudged(recorder, { run: judgedRun(), spec: "travel", reason: "no query", candidates: [] });
  for (const signal of ["traces", "logs", "metrics"] as const) {
    recordRequest(recorder, "grpc", signal, "accepted", 100);
    recordItems(recorder, "grpc", signal, 5, 1);
  }
  recorder.count("tracejury.receiver.model_calls", 1, ["recorded"]);
  recorder.count("tracejury.receiver.connections_cut", 1, ["idle"]);
  recorder.count("tracejury.admin.connections_cut", 1, ["headers"]);
  recorder.count("tracejury.admin.refused_requests", 1, ["host"]);
  recorder.count("tracejury.store.left_out", 1, []);
  recorder.count("tracejury.faults", 1, ["read"]);
  const counts = {
    released: 3,
    duplicate: 1,
    late: 0,
    expired: 0,
    finished: 0,
    own: 0,
    tooLarge: 0,
    relinquished: 0,
  };
  observeJournal(recorder, { usedBytes: 900, liveBytes: 500, segmentCount: 2 });
  recordNotKept(recorder, "full");
  recordRecovered(recorder, 7, 3);
  observeAssembler(recorder, {
    openTraces: 2,
    openBytes: 700,
    openSpans: 4,
    openLogs: 1,
    counts: { ...counts, logs: { ...counts, uncorrelated: 2 } },
  });
  recordClosedTrace(recorder, "idle");
  recordKafkaRecord(recorder, "otlp_spans", "accepted", 80);
  observePartitions(recorder, () => [{ topic: "otlp_spans", partition: 1, position: 5, high: 9, span: 2 }]);
  observeForwarder(recorder, [
    {
      name: "backend:4318",
      backend: {
        pending: 1,
        heldBytes: 300,
        counts: {
          accepted: 4,
          recovered: 1,
          delivered: 2,
          dropped: { refused: 2 },
          failures: 3,
          rejectedItems: 1,
        },
      },
    },
  ]);
  recorder.count("tracejury.forward.loops", 1, []);
  recorder.count("tracejury.forward.traces", 1, ["backend:4318", "kept", "outcome"]);
  recorder.observe("tracejury.forward.held_traces", (report) => report(1, ["backend:4318"]));
  recorder.count("tracejury.traces.split", 1, []);
  recorder.count("tracejury.level_changes", 1, ["travel", "museum", "latency", "worse"]);
  recorder.count("tracejury.reloads", 1, ["done"]);
  recorder.observe("tracejury.traces.pending", (report) => report(1, []));
  recorder.observe("tracejury.traces.settled", (report) => report(1, ["evaluated"]));
  recorder.count("tracejury.decisions", 1, ["evaluated", "all"]);
  observeMemory(recorder, { used: 5, hard: 20, resident: 70, limit: 90, collections: 1 });
  const found = { damagedPlaces: 1, damagedBytes: 60, damagedHeaders: 1, corruptFiles: 1, tornTails: 1 };
  damageReport(recorder, quiet, () => 0).found("journal", "a folder", found);
  const events = exportReport(recorder, quiet);
  events.watchQueue(route, { records: 4, bytes: 90, diskBytes: 700 });
  events.taken({ ...route, records: 13 });
  events.recovered({ ...route, records: 3 });
  events.queuedOnDisk({ ...route, records: 2 });
  events.sent({ ...route, records: 10 });
  events.failed({ ...route, outcome: "retry", error: "refused" });
  events.dropped({ ...route, records: 2, why: "queue_full" });
}

describe("Prometheus", () => {
  test("a verdict is counted by agent, spec, query and outcome", async () => {
    recordVerdict(open(), verdict);
    expect(await lines("tracejury_verdicts_total")).toEqual([
      'tracejury_verdicts_total{agent="planner",spec="travel",query="museum",outcome="incomplete"} 1',
    ]);
    expect(await lines("tracejury_layer_results_total")).toHaveLength(3);
    expect(await lines("tracejury_check_results_total")).toEqual([
      'tracejury_check_results_total{spec="travel",query="museum",layer="path",check="min_tool_recall",outcome="warn"} 1',
      'tracejury_check_results_total{spec="travel",query="museum",layer="cost",check="max_cost_usd",outcome="incomplete"} 1',
    ]);
  });

  test("a revision is not a second verdict", async () => {
    const recorder = open();
    recordVerdict(recorder, verdict);
    recordVerdict(recorder, { ...verdict, revision: 2 });
    expect((await lines("tracejury_verdicts_total")).map((line) => line.split(" ")[1])).toEqual(["1"]);
    expect(await lines("tracejury_verdicts_revised_total")).toHaveLength(1);
  });

  test("values of checks go into one histogram a unit, in that unit", async () => {
    recordVerdict(open(), measured);
    const sums = (await meter.prometheus()).matchAll(/^(tracejury_check_\w+)_sum\{.*metric="(.*)"\} (.*)$/gm);
    const found = [...sums].map(([, name, metric, sum]) => `${name} ${metric} ${sum}`);
    expect(found.filter((line) => !line.startsWith("tracejury_check_value "))).toEqual([
      "tracejury_check_tokens total_tokens 4200",
      "tracejury_check_cost cost_usd 0.03",
      "tracejury_check_duration_seconds latency_ms 2.5",
      "tracejury_check_ratio tool_recall 0.5",
      "tracejury_check_ratio score 0.87",
      "tracejury_check_ratio cost_multiplier 1.5",
      "tracejury_check_count_items loops 3",
      "tracejury_check_rating llm_judge 4",
      "tracejury_check_custom checks.refund 99.5",
    ]);
  });

  test("for one release the mixed histogram has all values, too, and says that it is deprecated", async () => {
    recordVerdict(open(), measured);
    expect(await lines("tracejury_check_value_sum")).toHaveLength(9);
    expect(await meter.prometheus()).toMatch(/^# HELP tracejury_check_value Deprecated/m);
    expect(readFileSync("CHANGELOG.md", "utf8")).toMatch(/`tracejury\.check\.value` is deprecated/);
  });

  test("what is unknown is not measured as zero", async () => {
    const recorder = open();
    recordVerdict(recorder, verdict);
    const unknown = { input: null, output: null, cached: null, cacheWrite: null, reasoning: null };
    recordRun(recorder, judgedRun({ usage: unknown, costUsd: null, agent: null, durationMs: 2500 }));
    expect(await lines("tracejury_check_cost_count")).toEqual([]);
    expect(await lines("tracejury_check_ratio_count")).toEqual([
      'tracejury_check_ratio_count{spec="travel",query="museum",layer="path",metric="tool_recall"} 1',
    ]);
    expect(await lines("tracejury_run_duration_seconds_sum")).toEqual([
      "tracejury_run_duration_seconds_sum 2.5",
    ]);
    expect(await lines("tracejury_run_tokens_count")).toEqual([]);
    expect(await lines("tracejury_run_cost_count")).toEqual([]);
  });

  test("names from telemetry are escaped, and never merged", async () => {
    const recorder = open();
    const names = ['a"b\\c\nd', "x".repeat(10_000), `${"x".repeat(9999)}y`];
    for (const agent of names) recordVerdict(recorder, { ...verdict, run: judgedRun({ agent }) });
    const series = await lines("tracejury_verdicts_total");
    expect(series).toHaveLength(3);
    expect(series[0]).toContain('agent="a\\"b\\\\c\\nd"');
    expect(Math.max(...series.map((line) => line.length))).toBeLessThan(400);
  });

  test("A16 100,000 agent names stay within the bound, and names beyond it are counted", async () => {
    const recorder = open();
    for (let n = 0; n < 100_000; n++) {
      recordClosedTrace(recorder, "idle");
      recorder.count("tracejury.verdicts", 1, [`agent-${n}`, "s", "q", "pass"]);
    }
    for (let n = 0; n < 5000; n++) recorder.measure("tracejury.run.cost", 1, [`agent-${n}`]);
    const verdicts = await lines("tracejury_verdicts_total");
    expect(verdicts).toHaveLength(2001);
    expect(verdicts.at(-1)).toBe('tracejury_verdicts_total{otel_metric_overflow="true"} 98000');
    const costs = await lines("tracejury_run_cost_count");
    expect(costs).toHaveLength(2001);
    expect(costs.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0)).toBe(5000);
  });

  test("the Collector's names are there only when asked for, without the suffix its dashboards lack", async () => {
    recordEverything(open());
    expect(await meter.prometheus()).not.toContain("otelcol_");
    await meter.shutdown(0);
    recordEverything(open({ otelcolNames: true }));
    expect(await lines("otelcol_receiver_accepted_spans")).toEqual([
      'otelcol_receiver_accepted_spans{receiver="otlp",transport="grpc"} 5',
    ]);
    expect(await lines("otelcol_exporter_sent_log_records")).toEqual([
      'otelcol_exporter_sent_log_records{exporter="otlp_http",destination="backend:4318"} 10',
    ]);
    expect(await lines("otelcol_exporter_queue_size")).toHaveLength(1);
  });
});

test("every registered metric reaches an OTLP backend with its name, unit and attributes", async () => {
  const sink = await startOtlpSink();
  const recorder = open();
  const readers = otlpMetricReaders({
    settings: { ...exportDefaults, otlp: [{ ...destinationDefaults, endpoint: sink.endpoint }] },
    version: "1.2.3",
    events: exportReport(recorder, quiet),
  });
  meter.attach(readers);
  recordEverything(recorder);
  await meter.flush();
  const sent = sink.metrics.filter((metric) => metric.scope.name === "tracejury");
  expect(sent.map((metric) => metric.name).sort()).toEqual(Object.keys(instruments).sort());
  for (const metric of sent) {
    const instrument: Instrument | undefined = new Map(Object.entries(instruments)).get(metric.name);
    expect(metric.unit).toBe(instrument?.unit);
    expect(metric.description).toBe(instrument?.brief);
    expect(metric.resource).toEqual({ "service.name": "tracejury" });
    const names = new Set(metric.points.flatMap((point) => Object.keys(point.attributes)));
    expect([...names].sort()).toEqual([...(instrument?.attributes ?? [])].sort());
  }
  await meter.shutdown(1000);
  await sink.close();
});

test("a way out that fails is said once, and once again when it works", () => {
  const said: string[] = [];
  const log = createLog({ level: "info", format: "json", stream: { write: (line) => said.push(line) } });
  const events = exportReport(open(), log);
  for (let n = 0; n < 5; n++) events.failed({ ...route, outcome: "retry", error: "connect ECONNREFUSED" });
  for (let n = 0; n < 5; n++) events.dropped({ ...route, records: 3, why: "queue_full" });
  events.sent({ ...route, records: 1 });
  events.sent({ ...route, records: 1 });
  const messages = said.map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(messages).toEqual([
    "export failed",
    "records were dropped and not exported",
    "the export to a backend works again",
  ]);
});
