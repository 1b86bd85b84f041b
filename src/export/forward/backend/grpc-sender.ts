import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from "node:http2";
import type { Signal } from "../../../otlp/signal.ts";
import { RpcCode } from "../../../receive/grpc/rpc-status.ts";
import { delivered } from "../../otlp/partial-success.ts";
import type { Outgoing } from "../outgoing.ts";
import type { Sender, SenderOptions } from "./sender.ts";
import { boundedWait, type SendResult } from "../../queue/send-result.ts";
import { decodePercent } from "../../../support/structures/percent-encoding.ts";
import { Wire } from "../../../otlp/protobuf/protobuf-wire.ts";

const DETAILS_TAG = 26;
const TYPE_URL_TAG = 10;
const VALUE_TAG = 18;
const RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";

const METHODS = {
  traces: "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
  logs: "/opentelemetry.proto.collector.logs.v1.LogsService/Export",
  metrics: "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export",
} as const satisfies Record<Signal, string>;

/**
 * Retryable gRPC codes: CANCELLED, DEADLINE_EXCEEDED, ABORTED, OUT_OF_RANGE, UNAVAILABLE and DATA_LOSS. RESOURCE_EXHAUSTED is retryable
 * only with a `RetryInfo`.
 */
const RETRYABLE: readonly number[] = [1, RpcCode.deadlineExceeded, 10, 11, RpcCode.unavailable, 15];
const RETRYABLE_HTTP: readonly number[] = [429, 502, 503, 504];
const PREFIX = 5;
/** Maximum number of bytes that are read of a response. A usual response has a few hundred bytes. */
const MOST_ANSWER_BYTES = 64 << 10;
/** Maximum size of response headers in bytes. They can contain a long error message. */
const MOST_HEADER_BYTES = 64 << 10;

/**
 * Sends protobuf bodies unchanged over OTLP/gRPC. Sets the compressed flag for a compressed body.
 * @throws TypeError if the endpoint is not a valid address
 */
export function createGrpcSender(options: SenderOptions): Sender {
  const authority = new URL(options.endpoint).origin;
  let session: ClientHttp2Session | undefined;
  let closed = false;
  const open = (): ClientHttp2Session => {
    if (session !== undefined && !session.closed && !session.destroyed) return session;
    const opened = connect(authority, {
      settings: { enablePush: false, maxHeaderListSize: MOST_HEADER_BYTES },
    });
    opened.on("error", () => opened.destroy());
    opened.on("goaway", () => opened.close());
    opened.unref();
    session = opened;
    return opened;
  };
  /** Stops using a connection: the next attempt opens a new one, and this connection closes when its running calls have ended. */
  const retire = (sick: ClientHttp2Session): void => {
    if (session === sick) session = undefined;
    if (!sick.closed && !sick.destroyed) sick.close();
  };
  return {
    send: (outgoing) =>
      closed
        ? Promise.resolve({ outcome: "retry", error: "closed", retryAfterMs: null })
        : attempt(open(), outgoing, options, retire),
    close: () => {
      closed = true;
      session?.destroy();
    },
  };
}

function attempt(
  session: ClientHttp2Session,
  outgoing: Outgoing,
  options: SenderOptions,
  retire: (session: ClientHttp2Session) => void,
): Promise<SendResult> {
  return new Promise((resolve) => {
    const stream = session.request({
      ...outgoing.headers,
      ...lowerCased(options.headers),
      ":method": "POST",
      ":path": METHODS[outgoing.signal],
      "content-type": "application/grpc",
      te: "trailers",
      "user-agent": options.userAgent,
      "grpc-timeout": `${Math.ceil(options.timeoutMs)}m`,
      ...(outgoing.coding === null ? {} : { "grpc-encoding": outgoing.coding }),
    });
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      stream.close(constants.NGHTTP2_CANCEL);
    }, options.timeoutMs);
    const head: IncomingHttpHeaders = {};
    const pieces: Buffer[] = [];
    let length = 0;
    let fault = "";
    stream.on("response", (headers) => void Object.assign(head, headers));
    stream.on("trailers", (trailers) => void Object.assign(head, trailers));
    stream.on("data", (piece: Buffer) => {
      length += piece.length;
      if (length <= MOST_ANSWER_BYTES) pieces.push(piece);
      else stream.close(constants.NGHTTP2_CANCEL);
    });
    stream.on("error", (error) => (fault = error.message));
    stream.on("close", () => {
      clearTimeout(timer);
      // A missing or endless response can mean that only this connection is broken, so the next attempt uses a new connection.
      if (length > MOST_ANSWER_BYTES || head[":status"] === undefined) retire(session);
      // A response that is too long counts as success: the backend has accepted the request.
      if (length > MOST_ANSWER_BYTES) return resolve(delivered(outgoing.signal, "protobuf", undefined));
      if (timedOut) fault = `no answer within ${options.timeoutMs} ms`;
      resolve(deliveryOf(head, Buffer.concat(pieces), outgoing.signal, fault));
    });
    stream.write(prefixOf(outgoing));
    stream.end(outgoing.body);
  });
}

function deliveryOf(head: IncomingHttpHeaders, answer: Buffer, signal: Signal, fault: string): SendResult {
  const status = head["grpc-status"];
  if (status === undefined) {
    const http = head[":status"] === undefined ? undefined : Number(head[":status"]);
    const error =
      http === undefined
        ? fault || "the backend closed the connection before it responded"
        : `HTTP ${http} without a gRPC status`;
    const refused = http !== undefined && http !== 200 && !RETRYABLE_HTTP.includes(http);
    return refused ? { outcome: "rejected", error } : { outcome: "retry", error, retryAfterMs: null };
  }
  const code = Number(status);
  if (code === RpcCode.ok) return delivered(signal, "protobuf", answer.subarray(PREFIX));
  const error = `gRPC status ${code} ${messageOf(head["grpc-message"])}`.trim();
  const details = head["grpc-status-details-bin"];
  const wait = typeof details === "string" ? retryDelayMs(Buffer.from(details, "base64")) : null;
  if (RETRYABLE.includes(code) || (code === RpcCode.resourceExhausted && wait !== null)) {
    return { outcome: "retry", error, retryAfterMs: boundedWait(wait) };
  }
  return { outcome: "rejected", error };
}

function messageOf(header: string | string[] | undefined): string {
  return decodePercent(String(header ?? "").slice(0, 500));
}

function prefixOf({ body, coding }: Outgoing): Buffer {
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt8(coding === null ? 0 : 1, 0);
  prefix.writeUInt32BE(body.length, 1);
  return prefix;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/**
 * Returns the delay of the `RetryInfo` in a `google.rpc.Status`, in milliseconds; null if the status has no `RetryInfo` or cannot be
 * decoded.
 */
function retryDelayMs(status: Uint8Array): number | null {
  try {
    for (const [tag, detail] of fieldsOf(status)) {
      if (tag !== DETAILS_TAG) continue;
      const any = new Map(fieldsOf(detail));
      if (Buffer.from(any.get(TYPE_URL_TAG) ?? []).toString() !== RETRY_INFO) continue;
      const delay = new Map(fieldsOf(any.get(VALUE_TAG) ?? new Uint8Array(0))).get(10);
      return delay === undefined ? 0 : durationMs(delay);
    }
  } catch {
    // A status that cannot be decoded counts as one without a `RetryInfo`.
  }
  return null;
}

/** Decodes a protobuf duration (seconds in field 1, nanoseconds in field 2). Returns milliseconds. */
function durationMs(duration: Uint8Array): number {
  const wire = wireOver(duration);
  let milliseconds = 0;
  for (let p = 0; p < duration.length; p = wire.at) {
    wire.varint(p);
    const tag = wire.low;
    wire.varint(wire.at);
    const value = wire.high * 2 ** 32 + (wire.low >>> 0);
    if (tag === 8) milliseconds += value * 1000;
    else if (tag === 16) milliseconds += value / 1e6;
  }
  return milliseconds;
}

/** Returns the length-delimited fields of a message. */
function fieldsOf(message: Uint8Array): [tag: number, content: Uint8Array][] {
  const wire = wireOver(message);
  const found: [number, Uint8Array][] = [];
  for (let p = 0; p < message.length;) {
    wire.varint(p);
    const tag = wire.low;
    const content = wire.at;
    const next = wire.skip(message[p] ?? 0, p + 1, message.length, 0);
    if ((tag & 7) === 2) {
      wire.varint(content);
      found.push([tag, message.subarray(wire.at, next)]);
    }
    p = next;
  }
  return found;
}

function wireOver(bytes: Uint8Array): Wire {
  const wire = new Wire();
  wire.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return wire;
}
