import type { SecureContextOptions } from "node:tls";

import type { Encoding, Signal } from "../otlp/signal.ts";
import type { Coding } from "./body/content-coding.ts";

/** Protocol of a request: OTLP/HTTP (over HTTP/1 or HTTP/2), OTLP/gRPC, or a Kafka record. */
export type Transport = "http" | "grpc" | "kafka";

export interface SentRequest {
  /** Body before decompression. If the body is not compressed, `accept` receives the same bytes. */
  readonly body: Uint8Array;
  readonly coding: Coding | null;
  header(name: string): string | undefined;
}

/** Data of a request other than its body. */
export interface ReceivedRequest {
  readonly signal: Signal;
  readonly encoding: Encoding;
  readonly transport: Transport;
  /** Size of the body as sent, in bytes, before decompression. */
  readonly wireBytes: number;
  /** The request as sent, for forwarding. Its bytes are valid only until `accept` has settled. */
  readonly sent?: SentRequest;
}

/** A refusal after which the sender should send the same request again. */
export interface Refusal {
  /** `unavailable`: the process lacks memory or another resource. `throttled`: this sender has used up its share. */
  readonly kind: "unavailable" | "throttled";
  /** Value of `Retry-After` in seconds, rounded up when sent. Use one or two seconds: exporters give up after about ten. */
  readonly retryAfterS: number;
  readonly message: string;
}

/** Result of accepting a body. Unless the kind is `accepted`, nothing of the body was stored. */
export type Acceptance =
  | {
      readonly kind: "accepted";
      /** Number of rejected spans, log records or data points. All other items of the request were accepted. */
      readonly rejected: number;
      /** Reason for the rejections, or a warning; empty if there is none. */
      readonly message: string;
    }
  /** The body cannot be decoded; the sender must not repeat it. */
  | { readonly kind: "malformed"; readonly message: string }
  | Refusal
  /** The body can be read, but needs more memory than the limit. A smaller body may be accepted. */
  | { readonly kind: "too_large"; readonly message: string }
  /** An internal error that would occur again if the sender repeated the request. */
  | { readonly kind: "failed"; readonly message: string };

/**
 * Accepts a body and takes ownership of its bytes, which are not shared: the caller does not use them after the call. The sender gets the
 * response when the promise settles. `accept` is called neither for a disconnected sender, nor after the receiver has closed.
 */
export type Accept = (body: Uint8Array, request: ReceivedRequest) => Acceptance | Promise<Acceptance>;

/** Returns the value of a header, by the header's lower-case name. Several values of one name are joined by commas. */
export type HeaderOf = (name: string) => string | undefined;

/**
 * Limits the memory of bodies that are being received or processed. The receiver reserves memory before it reads a body, and again before
 * and during decompression. It releases the memory when `accept` has settled, or when the request has ended.
 */
export interface Admission {
  /** Reserves memory. Returns null on success, otherwise the refusal. */
  admit(bytes: number): Refusal | null;
  release(bytes: number): void;
  /** Opens the memory account of a new connection. Without this function, all connections share one account. */
  open?(): ConnectionAdmission;
}

export interface ConnectionAdmission extends Admission {
  /** Returns the memory account of a request, by its headers. Without this function, the connection's account is used. */
  forRequest?(header: HeaderOf): Admission;
  /** Closes the connection's memory account. Requests that are still in progress release their memory later. */
  close(): void;
}

/** Outcome of a request, as the metrics count it: the result that was sent, or the reason why no result was sent. */
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
 * Decides by their origin which web pages may send telemetry. If it is null, no page may send telemetry, and preflight requests get no CORS
 * headers.
 */
export interface CrossOrigin {
  allows(origin: string): boolean;
}

/** Callbacks for metrics. They must not throw. */
export interface ReceiverEvents {
  /**
   * Counts a request by its outcome. Called once for each request.
   * @param signal null if the path names no signal
   * @param bodyBytes size of the body that was passed to `accept`
   */
  request(
    transport: Transport,
    signal: Signal | null,
    outcome: RequestOutcome,
    wireBytes: number,
    bodyBytes: number,
  ): void;
  /** Counts a connection that the receiver closed before the sender did, for the given reason. */
  connectionCut(reason: CutReason): void;
}

export type CutReason = "headers" | "idle" | "body" | "response" | "protocol" | "tls" | "shutdown";

/** The functions of a pino logger that the receiver uses. */
export interface ReceiverLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Certificate and key of the server, and the authorities by which client certificates are verified. */
export interface ReceiverTls {
  readonly context: SecureContextOptions;
  /** Whether clients must present a certificate. */
  readonly asksForCertificate: boolean;
}
