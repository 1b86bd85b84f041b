import { createNoopMeter } from "@opentelemetry/api";
import { createOtlpNetworkExportDelegate, ExporterMetrics } from "@opentelemetry/otlp-exporter-base";
import type { ISerializer } from "@opentelemetry/otlp-transformer";
import type { SendResult } from "../queue/batch-queue.ts";
import { createHttpTransport, type HttpTarget, RetryableError } from "./http-transport.ts";

export interface DelegateTarget extends HttpTarget {
  readonly timeoutMs: number;
}

export interface Delegate<Request> {
  /** Makes one attempt. */
  send(request: Request): Promise<SendResult>;
  /** Breaks off requests that are under way. */
  destroy(): void;
}

/** The SDK's OTLP export around a serializer and a transport of ours. Its package calls itself internal; only this file knows it. */
export function createDelegate<Request, Response>(
  target: DelegateTarget,
  serializer: ISerializer<Request, Response>,
): Delegate<Request> {
  const transport = createHttpTransport(target);
  const delegate = createOtlpNetworkExportDelegate(
    { timeoutMillis: target.timeoutMs, concurrencyLimit: 4, compression: target.compression },
    serializer,
    uncounted<Request>(),
    transport,
  );
  return {
    send: (request) =>
      new Promise((resolve) => {
        delegate.export(request, ({ error }) => resolve(resultOf(error)));
      }),
    destroy: () => transport.shutdown(),
  };
}

function resultOf(error: Error | undefined): SendResult {
  if (error === undefined) return { outcome: "delivered" };
  if (!(error instanceof RetryableError)) return { outcome: "rejected", error: error.message };
  return { outcome: "retry", error: error.message, retryAfterMs: error.retryAfterMs };
}

/** We count by ourselves. */
function uncounted<Request>(): ExporterMetrics<Request> {
  return new ExporterMetrics<Request>({
    componentType: "",
    metricsHelper: { name: "log", countItems: () => 0 },
    url: undefined,
    meterProvider: { getMeter: createNoopMeter },
    responseAttributesFromError: () => ({}),
  });
}
