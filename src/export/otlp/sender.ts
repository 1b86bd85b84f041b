import { ProtobufLogsSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { ExportEvents } from "../records/export-events.ts";
import type { OtlpDestination } from "../settings.ts";
import { createOutput, type Output } from "../queue/output.ts";
import type { DiskQueues } from "../queue/disk-queues.ts";
import { createDelegate } from "./delegate.ts";
import { signalUrl } from "./endpoint.ts";
import type { RequestEncoder } from "./request.ts";

/** What the backend said about a request it answered with success: records it did not take, and why. */
interface PartialSuccess {
  readonly rejected: number;
  readonly message: string;
}

export interface SenderOptions {
  readonly destination: OtlpDestination;
  readonly signal: "logs" | "traces";
  /** Place of the destination in the configuration, for messages. */
  readonly key: string;
  readonly encode: RequestEncoder;
  readonly userAgent: string;
  readonly events: ExportEvents;
  readonly diskQueues: DiskQueues;
}

/** Sends encoded records of one signal to one destination, in the background. */
export function createSender(options: SenderOptions): Output {
  const { destination, signal, events, diskQueues } = options;
  const url = signalUrl(destination.endpoint, signal, `${options.key}.endpoint`);
  const route = { exporter: "otlp_http", signal, destination: new URL(url).host } as const;
  let rejected = 0;
  const delegate = createDelegate<readonly Uint8Array[], PartialSuccess>(
    { url, userAgent: options.userAgent, ...destination },
    {
      serializeRequest: options.encode,
      deserializeResponse: (body) => {
        const partial = partialSuccess(signal, body);
        rejected = partial.rejected;
        if (rejected > 0) events.rejected({ ...route, records: rejected, why: partial.message });
        return partial;
      },
    },
  );
  const output = createOutput({
    route,
    events,
    spill: diskQueues.of(url),
    send: async (records) => {
      rejected = 0;
      const result = await delegate.send(records);
      return result.outcome === "delivered" ? { ...result, rejected } : result;
    },
  });
  return {
    ...output,
    close: async (timeoutMs) => {
      await output.close(timeoutMs);
      delegate.destroy();
    },
  };
}

function partialSuccess(signal: "logs" | "traces", body: Uint8Array): PartialSuccess {
  if (signal === "logs") {
    const { partialSuccess: partial } = ProtobufLogsSerializer.deserializeResponse(body);
    return { rejected: partial?.rejectedLogRecords ?? 0, message: partial?.errorMessage ?? "" };
  }
  const { partialSuccess: partial } = ProtobufTraceSerializer.deserializeResponse(body);
  return { rejected: partial?.rejectedSpans ?? 0, message: partial?.errorMessage ?? "" };
}
