import {
  JsonLogsSerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from "@opentelemetry/otlp-transformer";
import type { Encoding, Signal } from "../../otlp/signal.ts";
import type { SendResult } from "../queue/send-result.ts";

const readers = {
  protobuf: {
    traces: ProtobufTraceSerializer,
    logs: ProtobufLogsSerializer,
    metrics: ProtobufMetricsSerializer,
  },
  json: { traces: JsonTraceSerializer, logs: JsonLogsSerializer, metrics: JsonMetricsSerializer },
};

type Delivered = SendResult & { readonly outcome: "delivered" };

interface PartialSuccess {
  readonly rejectedSpans?: unknown;
  readonly rejectedLogRecords?: unknown;
  readonly rejectedDataPoints?: unknown;
  readonly errorMessage?: unknown;
}

/**
 * Returns the result of an accepted request, with the number of items that the response reports as rejected. A response that cannot be
 * decoded counts as one without rejected items.
 * @param answer body of the response
 */
export function delivered(signal: Signal, encoding: Encoding, answer: Uint8Array | undefined): Delivered {
  const whole = { outcome: "delivered" } as const;
  if (answer === undefined || answer.length === 0) return whole;
  try {
    const read = readers[encoding][signal].deserializeResponse(answer) as { partialSuccess?: PartialSuccess };
    const partial = read.partialSuccess;
    const rejected = partial?.rejectedSpans ?? partial?.rejectedLogRecords ?? partial?.rejectedDataPoints;
    const message = partial?.errorMessage;
    const count = Number(rejected ?? 0);
    return {
      outcome: "delivered",
      rejected: Number.isSafeInteger(count) && count > 0 ? count : 0,
      message: typeof message === "string" ? message.slice(0, 500) : "",
    };
  } catch {
    return whole;
  }
}
