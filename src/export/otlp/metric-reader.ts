import { ProtobufMetricsSerializer } from "@opentelemetry/otlp-transformer";
import {
  type IMetricReader,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
  type ResourceMetrics,
} from "@opentelemetry/sdk-metrics";
import type { ExportEvents } from "../records/export-events.ts";
import type { ExportSettings, OtlpDestination } from "../settings.ts";
import { refuseOwnListener, signalUrl } from "./endpoint.ts";
import { createHttpTransport, sendResultOf } from "./http-transport.ts";

export interface MetricReaderOptions {
  readonly settings: ExportSettings;
  readonly version: string;
  readonly events: ExportEvents;
  readonly listeners?: readonly string[];
}

const INTERVAL_MS = 10_000;

/**
 * Creates a metric reader for each destination that accepts metrics. Pass the readers to the meter provider.
 * @throws EndpointError if a destination is not a valid address, or is a listener of this process
 */
export function otlpMetricReaders(options: MetricReaderOptions): readonly IMetricReader[] {
  return options.settings.otlp.flatMap((destination, index) => {
    if (!destination.signals.includes("metrics")) return [];
    const key = `export.otlp[${index}].endpoint`;
    refuseOwnListener(destination.endpoint, options.listeners ?? [], key);
    return new PeriodicExportingMetricReader({
      exporter: createExporter(destination, key, options),
      exportIntervalMillis: INTERVAL_MS,
      exportTimeoutMillis: Math.min(INTERVAL_MS, destination.timeoutMs),
    });
  });
}

type ExportResult = Parameters<Parameters<PushMetricExporter["export"]>[1]>[0];

function createExporter(
  destination: OtlpDestination,
  key: string,
  { version, events }: MetricReaderOptions,
): PushMetricExporter {
  const url = signalUrl(destination.endpoint, "metrics", key);
  const route = { exporter: "otlp_http", signal: "metrics", destination: new URL(url).host } as const;
  const transport = createHttpTransport({ url, userAgent: `tracejury/${version}`, ...destination });
  const send = async (metrics: ResourceMetrics): Promise<ExportResult> => {
    const body = ProtobufMetricsSerializer.serializeRequest(metrics) ?? new Uint8Array(0);
    const result = sendResultOf(await transport.send(body, destination.timeoutMs));
    if (result.outcome === "delivered") {
      events.sent({ ...route, records: countPoints(metrics) });
      return { code: 0 };
    }
    events.failed({ ...route, outcome: result.outcome, error: result.error });
    return { code: 1, error: new Error(result.error) };
  };
  return {
    // The SDK requires a callback. The promise of `send` never rejects.
    export: (metrics, done) => void send(metrics).then(done), // oxlint-disable-line promise/no-callback-in-promise
    forceFlush: () => Promise.resolve(),
    shutdown: () => {
      transport.shutdown();
      return Promise.resolve();
    },
  };
}

function countPoints(metrics: ResourceMetrics): number {
  let points = 0;
  for (const scope of metrics.scopeMetrics)
    for (const metric of scope.metrics) points += metric.dataPoints.length;
  return points;
}
