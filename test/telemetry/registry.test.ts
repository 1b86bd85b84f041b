import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AttributeValue } from "../../src/export/records/attribute.ts";
import { judgeSpan, judgeSpanName } from "../../src/export/records/judge-span.ts";
import {
  commonAttributes,
  evaluationEvent,
  evaluationResults,
} from "../../src/export/records/verdict-records.ts";
import { verdictSpan, verdictSpanName } from "../../src/export/records/verdict-span.ts";
import type { JudgeCall } from "../../src/judge/limits/scheduler.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { type Instrument, instruments } from "../../src/support/telemetry/metrics/instruments/instruments.ts";
import { renderTelemetryReference } from "../../src/support/telemetry/reports/reference.ts";
import {
  groupsOf,
  parseRegistry,
  type RegistryAttribute,
} from "../../src/support/telemetry/metrics/instruments/registry.ts";
import { ownResource } from "../../src/collector/outputs/sinks.ts";
import {
  commitSpans,
  deliverySpans,
  forwardSpans,
} from "../../src/support/telemetry/traces/attempt-spans.ts";
import { openOwnTraces } from "../../src/support/telemetry/traces/own-traces.ts";
import { arbitraryVerdict } from "../support/arbitrary-verdict.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";

const yaml = readFileSync("docs/telemetry.yaml", "utf8");
const registry = parseRegistry(yaml);
const attributes = groupsOf(registry, "attribute_group").flatMap((group) => group.attributes);
const signals = ["entity", "event", "span", "metric"].flatMap((type) =>
  registry.groups.filter((group) => group.type === type),
);

/** As OTLP numbers them. */
const spanKinds: Readonly<Record<string, number>> = { internal: 1, client: 3 };

type Emitted = ReadonlyMap<string, AttributeValue>;

/** What is sent about a verdict, by the name of the event or span. */
function emitted(verdict: Verdict): { readonly [name: string]: readonly Emitted[] } {
  const said = evaluationResults(verdict, true);
  return {
    [evaluationEvent]: said.results.map((result) => new Map([...said.common, ...result.attributes])),
    [judgeSpanName]: [judgeSpan(judgeCall(verdict)).attributes],
    [verdictSpanName]: [new Map([...said.common, ...verdictSpan(verdict, said, "child").attributes])],
  };
}

/** A request to a judge that comes with the verdict, failed where the verdict is an error. */
function judgeCall({ run, outcome }: Verdict): JudgeCall {
  const failed = outcome === "error";
  return {
    model: "anthropic/claude-judge",
    provider: "anthropic",
    rubric: "safety@1",
    runId: run.runId,
    attempt: 1,
    startUnixMs: 1_750_000_000_000,
    endUnixMs: 1_750_000_000_900,
    errorType: failed ? "timeout" : null,
    usage: failed ? null : { input: 100, output: 20, cached: 60, cacheWrite: 10 },
    costUsd: failed ? null : 0.001,
  };
}

function registered(name: string): RegistryAttribute | undefined {
  return attributes.find(({ id, type }) =>
    type === "template[any]" ? name.startsWith(`${id}.`) : name === id,
  );
}

const types = {
  string: "string",
  "string[]": "object",
  boolean: "boolean",
  int: "bigint",
  double: "number",
} as const;

function isOfType(value: unknown, type: RegistryAttribute["type"] | undefined): boolean {
  if (type === undefined) return false;
  return type === "any" || type === "template[any]" || typeof value === types[type];
}

const recorded = groupsOf(registry, "event").map((one) => [one.name, one.attributes] as const);
const spans = groupsOf(registry, "span");
const ofVerdicts = spans
  .filter(({ name }) => name.startsWith("tracejury."))
  .map((one) => [one.name, one.attributes] as const);

describe.each([...recorded, ...ofVerdicts])("%s", (name, references) => {
  test("sends what is registered as required, and nothing that is not registered or of another type", () => {
    const refs = references.map((reference) => reference.ref);
    const required = references.filter((one) => one.requirement_level === "required").map((one) => one.ref);
    const allowed = (key: string, value: AttributeValue, fromTheRun: boolean): boolean => {
      const found = registered(key);
      if (found === undefined || !refs.includes(found.id)) return false;
      return fromTheRun || isOfType(value, found.type);
    };
    fc.assert(
      fc.property(arbitraryVerdict, (verdict) => {
        const records = emitted(verdict)[name] ?? [];
        const wrong = records.flatMap((record) =>
          [...record].filter(([key, value]) => !allowed(key, value, verdict.run.attributes.has(key))),
        );
        const absent = records.flatMap((record) => required.filter((key) => !record.has(key)));
        expect({ wrong, absent }).toEqual({ wrong: [], absent: [] });
      }),
    );
  });

  test("has no attribute registered that is never sent", () => {
    const verdicts = fc.sample(arbitraryVerdict, { numRuns: 200, seed: 7 });
    const sent = new Set(
      verdicts.flatMap((verdict) => (emitted(verdict)[name] ?? []).flatMap((one) => [...one.keys()])),
    );
    const ids = new Set([...sent].map((key) => registered(key)?.id));
    expect(references.map((one) => one.ref).filter((ref) => !ids.has(ref))).toEqual([]);
  });
});

test("spans of our own work are registered as they are sent", async () => {
  const sink = await startOtlpSink();
  onTestFinished(() => sink.close());
  const settings = { endpoint: sink.endpoint, headers: {}, protocol: "http/protobuf", sample: 1 } as const;
  const traces = await openOwnTraces(settings, ownResource("1", "x"), []);
  const verdicts = fc.sample(arbitraryVerdict, { numRuns: 60, seed: 7 });
  const time = { startUnixMs: 1_750_000_000_000, endUnixMs: 1_750_000_000_900 };
  for (const verdict of verdicts) {
    const end = traces.evaluating({ ...verdict.run, traceId: "1".repeat(32), rootSpanId: "2".repeat(16) });
    end({ outcomes: [verdict.outcome] });
    traces.judgeCall(judgeSpan(judgeCall(verdict)));
  }
  for (const exporter of ["file", "kafka", "webhook"] as const) {
    const route = { exporter, signal: "verdicts", destination: "x:1" } as const;
    deliverySpans(traces)({ ...route, ...time, records: 2, error: null });
  }
  forwardSpans(traces)("x:1", { ...time, signal: "traces", error: "refused" });
  commitSpans(traces)({ ...time, partitions: 2, error: null });
  await traces.close(60_000);

  const own = spans.filter(({ name }) => !name.startsWith("tracejury."));
  const groupOf = (sent: string): string | undefined =>
    own.find(({ name }) => sent === name || sent.startsWith(`${name} `))?.name;
  const sentNames = sink.spans.map((span) => groupOf(span.name));
  expect(new Set(sentNames)).toEqual(new Set(own.map(({ name }) => name)));
  for (const { name, attributes: references, span_kind } of own) {
    const sent = sink.spans.filter((span) => groupOf(span.name) === name);
    const refs = references.map(({ ref }) => ref);
    const required = references.filter((one) => one.requirement_level === "required").map(({ ref }) => ref);
    expect([...new Set(sent.flatMap((span) => Object.keys(span.attributes)))].sort()).toEqual(
      refs.toSorted(),
    );
    for (const span of sent) {
      const pairs = Object.entries(span.attributes);
      expect(pairs.map(([key]) => key)).toEqual(expect.arrayContaining(required));
      expect(pairs.filter(([key, value]) => !isOfType(value, registered(key)?.type))).toEqual([]);
    }
    expect(sent.map(({ kind }) => kind)).toContain(spanKinds[span_kind]);
  }
});

test("metrics are registered as they are made", () => {
  const made = Object.entries<Instrument>(instruments).map(([name, { kind, unit, brief, attributes }]) => ({
    name,
    kind,
    unit,
    brief,
    attributes: [...attributes],
  }));
  const written = groupsOf(registry, "metric").map((metric) => ({
    name: metric.metric_name,
    kind: metric.instrument,
    unit: metric.unit,
    brief: metric.brief,
    attributes: metric.attributes.map((one) => one.ref),
  }));
  expect(written).toEqual(made);
});

test("the resource is registered as it is sent", () => {
  const [entity] = groupsOf(registry, "entity");
  expect(entity?.attributes.map((one) => one.ref)).toEqual(Object.keys(ownResource("1", "x")));
});

test("each attribute is registered once, and used by something", () => {
  const ids = attributes.map((one) => one.id);
  expect(ids).toEqual([...new Set(ids)]);
  const used = new Set(
    signals.flatMap((one) => one.attributes.map((each) => ("ref" in each ? each.ref : each.id))),
  );
  expect(ids.filter((id) => !used.has(id))).toEqual(["otel.metric.overflow"]);
  expect([...used].filter((id) => !ids.includes(id))).toEqual([]);
});

test("no metric or attribute of ours takes a name that OpenTelemetry gives", () => {
  expect(
    groupsOf(registry, "metric").filter((metric) => !metric.metric_name.startsWith("tracejury.")),
  ).toEqual([]);
});

test("a run's attributes are only those it was allowed", () => {
  fc.assert(
    fc.property(arbitraryVerdict, (verdict) => {
      const own = [
        ...commonAttributes({ ...verdict, run: { ...verdict.run, attributes: new Map() } }).keys(),
      ];
      const all = [...commonAttributes(verdict).keys()];
      for (const key of all) expect(own.includes(key) || verdict.run.attributes.has(key)).toBe(true);
    }),
  );
});

test("the reference page is up to date (npm run generate writes it)", () => {
  expect(readFileSync("docs/telemetry.md", "utf8")).toBe(renderTelemetryReference(yaml));
});
