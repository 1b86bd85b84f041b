import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { type IMetricReader, MeterProvider } from "@opentelemetry/sdk-metrics";
import { ownScope } from "../model/own-scope.ts";
import { createRecorder, mostSeries, type Recorder } from "./recorder.ts";

export interface MeterOptions {
  readonly version: string;
  readonly resource: Readonly<Record<string, string>>;
  /** Besides the one for Prometheus. */
  readonly readers?: readonly IMetricReader[];
  /** Whether metrics that the OpenTelemetry Collector has, too, are also there under its names. */
  readonly otelcolNames?: boolean;
}

export interface OwnMeter {
  readonly recorder: Recorder;
  /** All metrics as Prometheus text, format 0.0.4. */
  prometheus(): Promise<string>;
  flush(): Promise<void>;
  /** Collects and sends a last time; gives up when the time is over. */
  shutdown(timeoutMs: number): Promise<void>;
}

/** Sets the SDK up with our instruments, a reader for Prometheus, and the given readers. */
export function createMeter({
  version,
  resource,
  readers = [],
  otelcolNames = false,
}: MeterOptions): OwnMeter {
  const prometheus = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  const provider = new MeterProvider({
    resource: resourceFromAttributes(resource),
    readers: [prometheus, ...readers],
    // The tallies bound themselves; what the SDK counts by itself, the histograms, is bounded here.
    views: [{ instrumentName: "*", aggregationCardinalityLimit: mostSeries + 2 }],
  });
  return {
    recorder: createRecorder(provider.getMeter(ownScope, version), otelcolNames),
    prometheus: async () => {
      const { resourceMetrics } = await prometheus.collect();
      return withoutAliasSuffix(serializer.serialize(resourceMetrics));
    },
    flush: () => provider.forceFlush(),
    shutdown: async (timeoutMillis) => {
      await provider.shutdown({ timeoutMillis }).catch(() => undefined);
    },
  };
}

/** The Collector's own endpoint leaves `_total` off, and its dashboards go by that. */
function withoutAliasSuffix(text: string): string {
  return text.replaceAll(/^((?:# [A-Z]+ )?otelcol_\w+?)_total\b/gm, "$1");
}
