import type { ExportEvents } from "../records/export-events.ts";
import type { OtlpDestination } from "../settings.ts";
import { createOutput, type Output } from "../queue/output.ts";
import type { DiskQueues } from "../queue/disk-queues.ts";
import { signalUrl } from "./endpoint.ts";
import { createHttpTransport, sendResultOf } from "./http-transport.ts";
import { delivered } from "./partial-success.ts";
import type { RequestEncoder } from "./request.ts";

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
  const transport = createHttpTransport({ url, userAgent: options.userAgent, ...destination });
  const output = createOutput({
    route,
    events,
    spill: diskQueues.of(url),
    send: async (records) => {
      const response = await transport.send(options.encode(records), destination.timeoutMs);
      if (response.status !== "success") return sendResultOf(response);
      const result = delivered(signal, "protobuf", response.data);
      const { rejected = 0, message = "" } = result;
      if (rejected > 0) events.rejected({ ...route, records: rejected, why: message });
      return result;
    },
  });
  return {
    ...output,
    close: async (timeoutMs) => {
      await output.close(timeoutMs);
      transport.shutdown();
    },
  };
}
