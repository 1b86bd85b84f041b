import {
  JsonLogsSerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from "@opentelemetry/otlp-transformer";
import type { Encoding, Signal } from "../../../otlp/signal.ts";

/** What became of one attempt. */
export type Delivery =
  /** Taken, but for `rejected` items; that is never tried again. */
  | { readonly kind: "delivered"; readonly rejected: number; readonly message: string }
  /** Never will be taken. */
  | { readonly kind: "refused"; readonly error: string }
  /** Not taken now; `retryAfterMs` is the wait that the backend asks for, 0 for another try at once, null where it does not say. */
  | { readonly kind: "later"; readonly error: string; readonly retryAfterMs: number | null };

/** Sends requests to one backend; reports, never throws. */
export interface Sender {
  send(outgoing: OutgoingRequest): Promise<Delivery>;
  /** Breaks off what is under way. */
  close(): void;
}

export interface OutgoingRequest {
  readonly signal: Signal;
  readonly encoding: Encoding;
  readonly coding: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What of an answer is read; an honest one has some hundred bytes. */
export const MOST_ANSWER_BYTES = 64 << 10;

const readers = {
  protobuf: {
    traces: ProtobufTraceSerializer,
    logs: ProtobufLogsSerializer,
    metrics: ProtobufMetricsSerializer,
  },
  json: { traces: JsonTraceSerializer, logs: JsonLogsSerializer, metrics: JsonMetricsSerializer },
};

interface PartialSuccess {
  readonly rejectedSpans?: unknown;
  readonly rejectedLogRecords?: unknown;
  readonly rejectedDataPoints?: unknown;
  readonly errorMessage?: unknown;
}

/** The request was taken; `answer` says whether whole. One that cannot be read says nothing: the data was taken all the same. */
export function delivered(signal: Signal, encoding: Encoding, answer: Uint8Array | null): Delivery {
  const nothing = { kind: "delivered", rejected: 0, message: "" } as const;
  if (answer === null || answer.length === 0) return nothing;
  try {
    const read = readers[encoding][signal].deserializeResponse(answer) as { partialSuccess?: PartialSuccess };
    const partial = read.partialSuccess;
    const rejected = partial?.rejectedSpans ?? partial?.rejectedLogRecords ?? partial?.rejectedDataPoints;
    const message = partial?.errorMessage;
    const count = Number(rejected ?? 0);
    return {
      kind: "delivered",
      rejected: Number.isSafeInteger(count) && count > 0 ? count : 0,
      message: typeof message === "string" ? message.slice(0, 500) : "",
    };
  } catch {
    return nothing;
  }
}
