import type { SecureContextOptions } from "node:tls";

import type { Encoding, Signal } from "../otlp/signal.ts";
import type { Coding } from "./body/content-coding.ts";

/** Protocol of a request: OTLP/HTTP (over HTTP/1 or HTTP/2), OTLP/gRPC, or a Kafka record. */
export type Transport = "http" | "grpc" | "kafka";

/** A request as its sender sent it. */
export interface SentRequest {
  /** Body before decompression. For an uncompressed body, `accept` receives the same bytes. */
  readonly body: Uint8Array;
  readonly coding: Coding | null;
  /** Returns a header's value by its lower-case name. Several values of one name are joined by commas. */
  header(name: string): string | undefined;
}

/** Data of a request besides its body. */
export interface ReceivedRequest {
  readonly signal: Signal;
  readonly encoding: Encoding;
  readonly transport: Transport;
  /** Size of the body as sent, in bytes, before decompression. */
  readonly wireBytes: number;
  /**
   * The request as sent, for forwarding. The bytes of the request are valid only while the request is
   * handled.
   */
  readonly sent?: SentRequest;
}

/** A retryable refusal: the sender should send the same request again. */
export interface Refusal {
  /** `unavailable`: the process lacks a resource. `throttled`: this sender has used up its share. */
  readonly kind: "unavailable" | "throttled";
  /**
   * Value of `Retry-After` in seconds, rounded up when sent. Use one or two seconds, because exporters give
   * up after about ten.
   */
  readonly retryAfterS: number;
  readonly message: string;
}

/** Result of accepting a body. Every kind except `accepted` means that nothing of the body was stored. */
export type Acceptance =
  | {
      readonly kind: "accepted";
      /** Number of rejected spans, log records or data points. The others were accepted. */
      readonly rejected: number;
      /** Reason for the rejections, or a warning; empty if there is neither. */
      readonly message: string;
    }
  /** The body cannot be decoded; the sender must not repeat it. */
  | { readonly kind: "malformed"; readonly message: string }
  | Refusal
  /** The body is readable, but needs more memory than the limit. Smaller bodies can be accepted. */
  | { readonly kind: "too_large"; readonly message: string }
  /** An internal error that would occur again after a retry. */
  | { readonly kind: "failed"; readonly message: string };

/**
 * Accepts a body and takes ownership of its bytes. The caller does not use the bytes after the call, and the
 * memory is not shared. The sender gets its response when the promise settles. `accept` is not called for a
 * disconnected sender, or after the receiver has closed.
 */
export type Accept = (body: Uint8Array, request: ReceivedRequest) => Acceptance | Promise<Acceptance>;

/** Returns a header's value by its lower-case name. Several values of one name are joined by commas. */
export type HeaderOf = (name: string) => string | undefined;

/**
 * Limits the memory of bodies in transit. Memory is reserved before a body is read, and before and during
 * decompression. Admitted memory is released when `accept` has settled or the request has ended.
 */
export interface Admission {
  /** Reserves memory. Returns null if the memory was reserved, otherwise the refusal. */
  admit(bytes: number): Refusal | null;
  release(bytes: number): void;
  /** Opens the memory account of one connection. If absent, all connections share one account. */
  open?(): ConnectionAdmission;
}

export interface ConnectionAdmission extends Admission {
  /**
   * Returns the memory account of one request, chosen by its headers. If absent, the account of the
   * connection is used.
   */
  forRequest?(header: HeaderOf): Admission;
  /** Closes the account of an ended connection. Requests that still run release their memory later. */
  close(): void;
}

/** Outcome of a request: the result that was returned, or the reason why no response was sent. */
export type RequestOutcome = Acceptance["kind"] | ReceiverProblem | "cancelled" | "slow";

/** Problems of a request that the receiver detects. */
export type ReceiverProblem =
  | "too_large"
  | "not_found"
  | "method_not_allowed"
  | "unsupported_encoding"
  | "unsupported_type"
  | "deadline_exceeded"
  | "unauthenticated"
  | "forbidden";

/** Checks the `Authorization` header of a request, before the body is read. */
export type Authorize = (authorization: string | undefined) => "allowed" | "unauthenticated" | "forbidden";

/**
 * Whether web pages of an origin may send telemetry. If null, no page may, and preflight requests get no CORS
 * headers.
 */
export interface CrossOrigin {
  allows(origin: string): boolean;
}

/** Callbacks for counted events. The callbacks must not throw. */
export interface ReceiverEvents {
  /**
   * Called once for each request. `signal` is null if the path names no signal; `bodyBytes` is the size of
   * the body passed to `accept`.
   */
  request(
    transport: Transport,
    signal: Signal | null,
    outcome: RequestOutcome,
    wireBytes: number,
    bodyBytes: number,
  ): void;
  /** Called when a connection is closed forcibly. */
  connectionCut(reason: CutReason): void;
}

export type CutReason = "headers" | "idle" | "body" | "response" | "protocol" | "tls" | "shutdown";

/** The part of a pino logger that the receiver uses. */
export interface ReceiverLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Certificate and key of the server, and the authorities that verify client certificates. */
export interface ReceiverTls {
  readonly context: SecureContextOptions;
  /** Whether clients must present a certificate. */
  readonly asksForCertificate: boolean;
}
