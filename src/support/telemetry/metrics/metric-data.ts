import { type Attributes, type HrTime, ValueType } from "@opentelemetry/api";
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type MetricData,
  type MetricDescriptor,
} from "@opentelemetry/sdk-metrics";
import { type Instrument, instruments, type MetricName } from "./instruments/instruments.ts";
import type { Records, Report } from "./recorder.ts";
import type { Labels, Series } from "./series.ts";

/**
 * The OpenTelemetry Collector's name for a metric of Tracejury. Metrics are exported under these names, too, so that dashboards for the
 * Collector work with Tracejury.
 */
interface Alias {
  readonly name: string;
  readonly of: MetricName;
  /**
   * Converts the attributes of a series into those of the Collector's metric. Returns null if the Collector's metric has no such series.
   */
  readonly attributes: (own: Attributes) => Attributes | null;
}

const received = (items: string): Alias[] =>
  (["accepted", "refused"] as const).map((fate) => ({
    name: `otelcol_receiver_${fate}_${items}`,
    of: `tracejury.receiver.${fate}_${items}` as MetricName,
    attributes: (own) => ({ receiver: "otlp", ...own }),
  }));

const exported = (name: string, of: MetricName, signal: string): Alias => ({
  name: `otelcol_exporter_${name}`,
  of,
  attributes: ({ signal: ownSignal, ...own }) => (ownSignal === signal ? own : null),
});

const otelcolNames: readonly Alias[] = [
  ...received("spans"),
  ...received("log_records"),
  ...received("metric_points"),
  exported("sent_spans", "tracejury.exporter.sent", "traces"),
  exported("sent_log_records", "tracejury.exporter.sent", "logs"),
  exported("send_failed_spans", "tracejury.exporter.dropped", "traces"),
  exported("send_failed_log_records", "tracejury.exporter.dropped", "logs"),
  {
    name: "otelcol_exporter_queue_size",
    of: "tracejury.exporter.queue_records",
    attributes: ({ signal, ...own }) => ({ ...own, ...(signal === undefined ? {} : { data_type: signal }) }),
  },
];

export interface Period {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/** Returns all recorded values in the SDK's format, cumulative since the start. */
export function metricData(records: Records, period: Period, aliases: boolean): MetricData[] {
  const metrics: MetricData[] = [];
  for (const name of Object.keys(instruments) as MetricName[]) {
    const metric = dataOf(name, records, period);
    if (metric === undefined) continue;
    metrics.push(metric);
    if (aliases) metrics.push(...aliasesOf(name, metric));
  }
  return metrics;
}

function dataOf(name: MetricName, records: Records, period: Period): MetricData | undefined {
  const { kind, attributes }: Instrument = instruments[name];
  const about = { descriptor: descriptorOf(name), aggregationTemporality: AggregationTemporality.CUMULATIVE };
  if (kind === "histogram") {
    const dataPoints = points(records.distributions.get(name)?.all() ?? [], attributes, period, (value) => ({
      buckets: { boundaries: [...value.boundaries], counts: [...value.counts] },
      sum: value.sum,
      count: value.count,
    }));
    return dataPoints.length === 0
      ? undefined
      : { ...about, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = points(totals(name, records), attributes, period, (total) => total);
  if (dataPoints.length === 0) return undefined;
  if (kind === "gauge") return { ...about, dataPointType: DataPointType.GAUGE, dataPoints };
  return { ...about, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
}

/** Returns the current counts and observed values of a metric. */
function totals(name: MetricName, records: Records): Series<number>[] {
  const counted = records.sums.get(name)?.all() ?? [];
  const series = counted.map(({ labels, value }) => ({ labels, value: value.total }));
  const report: Report = (value, labels) => series.push({ labels, value });
  for (const read of records.observers.get(name) ?? []) read(report);
  return series;
}

function points<From, To>(
  series: readonly Series<From>[],
  names: readonly string[],
  period: Period,
  convert: (value: From) => To,
): DataPoint<To>[] {
  return series.map(({ labels, value }) => ({
    ...period,
    attributes: attributesOf(names, labels),
    value: convert(value),
  }));
}

/**
 * Attribute of the series that contains all values for which there is no series of their own, because the maximum number is reached. The
 * SDK uses the same attribute.
 */
const overflow: Attributes = { "otel.metric.overflow": true };

function attributesOf(names: readonly string[], labels: Labels | null): Attributes {
  if (labels === null) return overflow;
  const attributes: Attributes = {};
  for (const [index, name] of names.entries()) {
    const label = labels[index] ?? null;
    if (label !== null) attributes[name] = label;
  }
  return attributes;
}

function descriptorOf(name: MetricName): MetricDescriptor {
  const { unit, brief, kind } = instruments[name];
  return {
    name,
    description: brief,
    unit,
    valueType: kind === "histogram" ? ValueType.DOUBLE : ValueType.INT,
  };
}

function aliasesOf(name: MetricName, metric: MetricData): MetricData[] {
  if (metric.dataPointType !== DataPointType.SUM && metric.dataPointType !== DataPointType.GAUGE) return [];
  return otelcolNames.flatMap((alias) => {
    if (alias.of !== name) return [];
    const dataPoints = metric.dataPoints.flatMap((point) => {
      const attributes = alias.attributes(point.attributes);
      return attributes === null ? [] : [{ ...point, attributes }];
    });
    return dataPoints.length === 0
      ? []
      : [{ ...metric, descriptor: { ...metric.descriptor, name: alias.name }, dataPoints }];
  });
}
