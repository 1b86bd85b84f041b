import type { Signal } from "../../otlp/signal.ts";

/** Codes of `google.rpc.Code` that the receiver uses. */
export const RpcCode = {
  ok: 0,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;
export type RpcCode = (typeof RpcCode)[keyof typeof RpcCode];

/** A `google.rpc.Status` before encoding. */
export interface RpcStatus {
  readonly code: RpcCode;
  readonly message: string;
  /** Seconds until a retry, sent as `RetryInfo`; null if the sender must not repeat the request. */
  readonly retryAfterS: number | null;
}

/** Maximum length of an error message, in bytes of UTF-8. By default, clients accept responses of up to 4 MiB. */
const MESSAGE_LIMIT = 1024;
const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();
const EMPTY = new Uint8Array(0);

const REJECTED_FIELD = {
  traces: "rejectedSpans",
  logs: "rejectedLogRecords",
  metrics: "rejectedDataPoints",
} as const satisfies Record<Signal, string>;

/** Truncates a message to 1 KiB of UTF-8, at a character boundary. Lone surrogates are replaced by U+FFFD. */
export function clipMessage(message: string): string {
  return fromUtf8.decode(clippedBytes(message));
}

/**
 * Encodes an `Export…ServiceResponse` in protobuf. The result is empty if nothing was rejected and there is no warning. The responses for
 * traces, logs and metrics have the same field numbers.
 */
export function encodeResponse(rejected: number, message: string): Uint8Array {
  if (rejected === 0 && message === "") return EMPTY;
  return concat([bytesField(1, concat([varintField(1, rejected), textField(2, message)]))]);
}

/** Encodes an `Export…ServiceResponse` in JSON, with 64-bit integers as decimal strings. */
export function responseJson(signal: Signal, rejected: number, message: string): string {
  if (rejected === 0 && message === "") return "{}";
  const partialSuccess: Record<string, string> = {};
  if (rejected > 0) partialSuccess[REJECTED_FIELD[signal]] = String(rejected);
  if (message !== "") partialSuccess["errorMessage"] = clipMessage(message);
  return JSON.stringify({ partialSuccess });
}

/**
 * Encodes a `google.rpc.Status` in protobuf. If `retryAfterS` is given, the status has the detail `RetryInfo`; for a bad request, the
 * detail `BadRequest`. Any other status has no detail.
 */
export function encodeStatus(status: RpcStatus): Uint8Array {
  const parts = [varintField(1, status.code), textField(2, status.message)];
  if (status.retryAfterS !== null) {
    const delay = varintField(1, wholeSeconds(status.retryAfterS));
    parts.push(detail("RetryInfo", bytesField(1, delay)));
  } else if (status.code === RpcCode.invalidArgument) {
    parts.push(detail("BadRequest", bytesField(1, textField(2, status.message))));
  }
  return concat(parts);
}

/** Encodes a `google.rpc.Status` in proto3 JSON. */
export function statusJson(status: RpcStatus): string {
  const message = clipMessage(status.message);
  const details: object[] = [];
  if (status.retryAfterS !== null) {
    details.push({ "@type": typeUrl("RetryInfo"), retryDelay: `${wholeSeconds(status.retryAfterS)}s` });
  } else if (status.code === RpcCode.invalidArgument) {
    details.push({ "@type": typeUrl("BadRequest"), fieldViolations: [{ description: message }] });
  }
  return JSON.stringify(
    details.length > 0 ? { code: status.code, message, details } : { code: status.code, message },
  );
}

/** Rounds a number of seconds up to a whole number, at least one. */
export function wholeSeconds(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}

function typeUrl(name: string): string {
  return `type.googleapis.com/google.rpc.${name}`;
}

/** Encodes field 3 (`details`) of a Status: a message wrapped in `google.protobuf.Any`. */
function detail(name: string, message: Uint8Array): Uint8Array {
  return bytesField(3, concat([textField(1, typeUrl(name)), bytesField(2, message)]));
}

function varintField(field: number, value: number): Uint8Array {
  return value === 0 ? EMPTY : concat([varint(field << 3), varint(value)]);
}

function textField(field: number, text: string): Uint8Array {
  return text === "" ? EMPTY : bytesField(field, clippedBytes(text));
}

function bytesField(field: number, bytes: Uint8Array): Uint8Array {
  return concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest % 128) | 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function clippedBytes(message: string): Uint8Array {
  const buffer = new Uint8Array(MESSAGE_LIMIT);
  return buffer.subarray(0, utf8.encodeInto(message, buffer).written);
}
