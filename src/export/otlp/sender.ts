import { ProtobufLogsSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { ExportEvents } from "../export-events.ts";
import type { OtlpDestination } from "../settings.ts";
import { createBatchQueue } from "./batch-queue.ts";
import { createDelegate } from "./delegate.ts";
import { signalUrl } from "./endpoint.ts";
import type { RequestEncoder } from "./request.ts";

/** Sends encoded records of one signal to one destination, in the background. */
export interface Sender {
  /** `done` is called when the last of them was sent or given up, but not for what is left when the sender is closed. */
  readonly offer: (records: readonly Uint8Array[], done?: () => void) => void;
  readonly flush: () => Promise<void>;
  readonly close: (timeoutMs: number) => Promise<void>;
}

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
}

export function createSender(options: SenderOptions): Sender {
  const { destination, signal, events } = options;
  const url = signalUrl(destination.endpoint, signal, `${options.key}.endpoint`);
  const about = { exporter: "otlp_http", signal, destination: new URL(url).host } as const;
  const delegate = createDelegate<readonly Uint8Array[], PartialSuccess>(
    { url, userAgent: options.userAgent, ...destination },
    {
      serializeRequest: options.encode,
      deserializeResponse: (body) => {
        const partial = partialSuccess(signal, body);
        if (partial.rejected > 0)
          events.rejected({ ...about, records: partial.rejected, why: partial.message });
        return partial;
      },
    },
  );
  let open = true;
  const queue = createBatchQueue({
    send: async (records) => {
      const result = await delegate.send(records);
      if (result.outcome !== "delivered" && open)
        events.failed({ ...about, outcome: result.outcome, error: result.error });
      return result;
    },
    onSent: (records) => events.sent({ ...about, records }),
    onDropped: (records, why) => events.dropped({ ...about, records, why }),
  });
  events.watchQueue(about, queue);
  return {
    offer: (records, done) => void queue.offer(records, done),
    flush: () => queue.flush(),
    close: async (timeoutMs) => {
      await queue.close(timeoutMs);
      open = false;
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
