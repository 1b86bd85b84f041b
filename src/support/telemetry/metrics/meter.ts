import type { HrTime } from "@opentelemetry/api";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { resourceFromAttributes } from "@opentelemetry/resources";
import type { IMetricReader, MetricProducer, ResourceMetrics } from "@opentelemetry/sdk-metrics";
import { ownScope } from "../../../model/telemetry/own-scope.ts";
import { metricData } from "./metric-data.ts";
import { type Recorder, Records } from "./recorder.ts";

/**
 * Words that are appended to metric names in Prometheus, by unit, as OpenTelemetry's rules require. Units in braces have no word. The
 * exception is `{item}`: `tracejury.check.count` without a word would look like a part of a histogram.
 */
const words: Readonly<Record<string, string>> = { s: "seconds", By: "bytes", "{item}": "items" };

export interface MeterOptions {
  /** Version of Tracejury, which is also the version of the instrumentation scope. */
  readonly version: string;
  readonly resource: Readonly<Record<string, string>>;
  /**
   * Whether metrics that the OpenTelemetry Collector also has are exported a second time, with the
   * Collector's names.
   */
  readonly otelcolNames?: boolean;
  readonly now?: () => number;
}

export interface OwnMeter {
  readonly recorder: Recorder;
  /**
   * Adds metric readers. The Prometheus reader always exists. Other readers are added with this method, because some of them need the
   * recorder, which must be created first.
   */
  attach(readers: readonly IMetricReader[]): void;
  /** Returns all metrics in the Prometheus text format 0.0.4. */
  prometheus(): Promise<string>;
  flush(): Promise<void>;
  /** Collects and sends metrics one last time. Takes at most `timeoutMs` milliseconds. */
  shutdown(timeoutMs: number): Promise<void>;
}

/**
 * Creates the metrics and the SDK's readers. The recorder adds up the values itself, because the SDK's instruments need some microseconds
 * for each addition. The SDK's readers then receive the sums in the SDK's format.
 */
export function createMeter(options: MeterOptions): OwnMeter {
  const records = new Records();
  const producer = producerOf(records, options);
  const prometheus = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  const readers: IMetricReader[] = [];
  const attach = (more: readonly IMetricReader[]): void => {
    for (const reader of more) reader.setMetricProducer(producer);
    readers.push(...more);
  };
  attach([prometheus]);
  return {
    recorder: records,
    attach,
    prometheus: async () => {
      const { resourceMetrics } = await prometheus.collect();
      return withoutUnits(withoutAliasSuffix(serializer.serialize(withUnits(resourceMetrics))));
    },
    flush: async () => {
      await Promise.allSettled(readers.map((reader) => reader.forceFlush()));
    },
    shutdown: async (timeoutMillis) => {
      await Promise.allSettled(readers.map((reader) => reader.shutdown({ timeoutMillis })));
    },
  };
}

function producerOf(records: Records, options: MeterOptions): MetricProducer {
  const { version, otelcolNames = false, now = Date.now } = options;
  const resource = resourceFromAttributes(options.resource);
  const scope = { name: ownScope, version };
  const startTime = hrTime(now());
  return {
    collect: () => {
      const metrics = metricData(records, { startTime, endTime: hrTime(now()) }, otelcolNames);
      return Promise.resolve({
        resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] },
        errors: [],
      });
    },
  };
}

/** Returns metrics with the unit in their names, as in Prometheus. The SDK's serializer makes the other changes that Prometheus needs. */
function withUnits(metrics: ResourceMetrics): ResourceMetrics {
  const scopeMetrics = metrics.scopeMetrics.map((scope) => ({
    ...scope,
    metrics: scope.metrics.map((metric) => {
      const { name, unit } = metric.descriptor;
      return { ...metric, descriptor: { ...metric.descriptor, name: nameWithUnit(name, unit) } };
    }),
  }));
  return { ...metrics, scopeMetrics };
}

/**
 * Removes `_total` from metrics with the Collector's names, because the Collector's endpoint and dashboards
 * use names without `_total`.
 */
function withoutAliasSuffix(text: string): string {
  return text.replaceAll(/^((?:# [A-Z]+ )?otelcol_\w+?)_total\b/gm, "$1");
}

/** Removes `# UNIT` lines, which exist only in OpenMetrics. OpenMetrics allows them only for metrics whose names end with the unit. */
function withoutUnits(text: string): string {
  return text.replaceAll(/^# UNIT .*\n/gm, "");
}

function hrTime(unixMs: number): HrTime {
  return [Math.floor(unixMs / 1000), Math.round((unixMs % 1000) * 1e6)];
}

/**
 * Returns a metric's name with its unit as the last word. The name is unchanged if it already ends with the
 * unit, or is one of the Collector's names.
 */
function nameWithUnit(name: string, unit: string): string {
  const word = words[unit];
  if (word === undefined || name.startsWith("otelcol_") || name.endsWith(word)) return name;
  return `${name}_${word}`;
}
