import type { SecureContextOptions } from "node:tls";

import type { Encoding, Signal } from "../otlp/signal.ts";
import type { Coding } from "./body/content-coding.ts";

/** How it came: OTLP/HTTP (over HTTP/1 or HTTP/2), OTLP/gRPC, or a record of Kafka. */
export type Transport = "http" | "grpc" | "kafka";

/** A request as its sender sent it. */
export interface SentRequest {
  /** Before decompression; the very bytes of the body when it was not compressed. */
  readonly body: Uint8Array;
  readonly coding: Coding | null;
  /** A header by its lower-case name; several of one name are joined by commas. */
  header(name: string): string | undefined;
}

/** A request without its body. */
export interface ReceivedRequest {
  readonly signal: Signal;
  readonly encoding: Encoding;
  readonly transport: Transport;
  /** Bytes of the body as sent, before decompression. */
  readonly wireBytes: number;
  /** Needed to forward the request; valid only while the request is handled. */
  readonly sent?: SentRequest;
}

/** Retryable: the sender should send the same bytes again. */
export interface Refusal {
  /** `unavailable`: the process is short of something. `throttled`: this sender has used up its share. */
  readonly kind: "unavailable" | "throttled";
  /** Whole seconds are sent, rounded up. Exporters give up after some ten seconds: keep it at one or two. */
  readonly retryAfterS: number;
  readonly message: string;
}

/** Outcome of a body. Every kind except `accepted` guarantees that nothing of it was retained. */
export type Acceptance =
  | {
      readonly kind: "accepted";
      /** Spans, log records or data points that were rejected; the rest was accepted. */
      readonly rejected: number;
      /** Why some were left out, or a warning; empty for neither. */
      readonly message: string;
    }
  /** The body cannot be decoded; the sender must not repeat it. */
  | { readonly kind: "malformed"; readonly message: string }
  | Refusal
  /** Can be read, but not with the memory there is; smaller ones can. */
  | { readonly kind: "too_large"; readonly message: string }
  /** We failed, and would fail again. */
  | { readonly kind: "failed"; readonly message: string };

/**
 * Takes a body over. The caller does not read or write its bytes after the call, and nothing else shares their memory. The
 * sender is answered when this settles, so it settles when what it promises holds.
 * Not called for a sender that has disconnected, nor after the receiver has closed.
 */
export type Accept = (body: Uint8Array, request: ReceivedRequest) => Acceptance | Promise<Acceptance>;

/** A header by its lower-case name; several of one name are joined by commas. */
export type HeaderOf = (name: string) => string | undefined;

/**
 * The memory that bodies in transit may take. Asked before a body is read, and again before and while it is inflated; whatever
 * was admitted is released once `accept` has settled or the request has ended otherwise.
 */
export interface Admission {
  /** Null when `bytes` more may be held. */
  admit(bytes: number): Refusal | null;
  release(bytes: number): void;
  /** Memory account of one connection. Without it, all connections share this one. */
  open?(): ConnectionAdmission;
}

export interface ConnectionAdmission extends Admission {
  /** The memory account of one request, chosen by its head. Absent: the account of the connection. */
  forRequest?(header: HeaderOf): Admission;
  /** The connection has ended; what it was given is still released as its requests end. */
  close(): void;
}

/** How a request ended: as answered, or not answered at all. */
export type RequestOutcome = Acceptance["kind"] | ReceiverProblem | "cancelled" | "slow";

/** Problem of a request that the receiver finds. */
export type ReceiverProblem =
  | "too_large"
  | "not_found"
  | "method_not_allowed"
  | "unsupported_encoding"
  | "unsupported_type"
  | "deadline_exceeded"
  | "unauthenticated"
  | "forbidden";

/** Called with the `Authorization` header when the head of a request has arrived, before its body is read. */
export type Authorize = (authorization: string | undefined) => "allowed" | "unauthenticated" | "forbidden";

/** Whether web pages of an origin may send; null: no page may, and browsers' questions are not answered. */
export interface CrossOrigin {
  allows(origin: string): boolean;
}

/** Called for every event that is counted; must not throw. */
export interface ReceiverEvents {
  /** Once for each request. `signal` is null where the path names none; `bodyBytes` is what `accept` was given. */
  request(
    transport: Transport,
    signal: Signal | null,
    outcome: RequestOutcome,
    wireBytes: number,
    bodyBytes: number,
  ): void;
  /** A connection was cut: its headers did not come, it idled, it did not take its answer, or it spoke no HTTP. */
  connectionCut(reason: CutReason): void;
}

export type CutReason = "headers" | "idle" | "body" | "response" | "protocol" | "tls" | "shutdown";

/** The part of a logger that the receiver needs; pino's shape. */
export interface ReceiverLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Certificate, key and what clients' certificates are checked against. */
export interface ReceiverTls {
  readonly context: SecureContextOptions;
  /** Only clients with a certificate get in. */
  readonly asksForCertificate: boolean;
}
