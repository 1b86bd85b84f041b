import type { Attributes } from "@opentelemetry/api";
import type { MetricName } from "./instruments/instruments.ts";

/** A metric of the OpenTelemetry Collector that says the same as one of ours, so that its dashboards work here. */
export interface Alias {
  readonly name: string;
  readonly of: MetricName;
  /** The Collector's attributes from ours; null for a series its metric does not have. */
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

export const otelcolNames: readonly Alias[] = [
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
