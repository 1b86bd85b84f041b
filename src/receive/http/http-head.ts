import type { Problem } from "./answer.ts";
import { ACCEPTED_CODINGS, parseCoding, type Coding } from "../body/content-coding.ts";
import type { Encoding, Signal } from "../../otlp/signal.ts";

/** Parsed path and headers of an OTLP/HTTP request. */
export interface HttpHead {
  readonly signal: Signal;
  readonly encoding: Encoding;
  readonly coding: Coding | null;
}

export type HttpHeaders = Record<string, string | number>;

/** Returns request headers by their lower-case names. */
export type HeaderReader = { header(name: string): string | undefined };

const SIGNALS: ReadonlyMap<string, Signal> = new Map([
  ["/v1/traces", "traces"],
  ["/v1/logs", "logs"],
  ["/v1/metrics", "metrics"],
]);

/** Matches a path that ends in an OTLP path, which is the first group. */
const prefixed = /^[^?]*(\/v1\/[a-z]+)(?:\?|$)/;

/**
 * Returns the signal of a request path; undefined for any other path. Any prefix is allowed, because SDKs of vendors append theirs to the
 * host, such as `/api/public/otel/v1/traces`. A query string is ignored.
 */
export function signalOf(path: string): Signal | undefined {
  return SIGNALS.get(path) ?? SIGNALS.get(prefixed.exec(path)?.[1] ?? "");
}

/**
 * Returns the OTLP path that the sender of a wrong path probably needs, such as `/v1/traces`; null if the path does not look like
 * telemetry.
 */
export function intendedPath(path: string): string | null {
  const [bare = ""] = path.split("?", 1);
  const signal = /(?:^|\/)(trace|log|metric)s?\/*$/i.exec(bare)?.[1]?.toLowerCase();
  if (signal !== undefined) return `/v1/${signal}s`;
  return /^\/*$|(?:^|\/)(?:v1|otlp)\/*$/i.test(bare) ? "/v1/traces, /v1/logs or /v1/metrics" : null;
}

/** Returns the body encoding for a `Content-Type`; undefined for an unsupported type. Parameters and case are ignored. */
export function encodingOf(contentType: string | undefined): Encoding | undefined {
  switch (contentType) {
    case undefined:
      return undefined;
    case "application/x-protobuf":
      return "protobuf";
    case "application/json":
      return "json";
    default:
      return encodingOfUnusual(contentType);
  }
}

/**
 * Checks path, method, content coding and content type, in this order (as the OpenTelemetry Collector does). Returns the first problem, or
 * the parsed head.
 */
export function readHead(method: string, path: string, headers: HeaderReader): HttpHead | Problem {
  const signal = signalOf(path);
  if (signal === undefined) return isGrpcPath(path) ? NOT_GRPC : NOT_FOUND;
  if (method !== "POST") return METHOD_NOT_ALLOWED;
  const coding = parseCoding(headers.header("content-encoding"));
  if (coding === undefined) return UNSUPPORTED_ENCODING;
  const encoding = encodingOf(headers.header("content-type"));
  if (encoding === undefined) return UNSUPPORTED_TYPE;
  return { signal, encoding, coding };
}

function encodingOfUnusual(contentType: string): Encoding | undefined {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/x-protobuf") return "protobuf";
  return type === "application/json" ? "json" : undefined;
}

function isGrpcPath(path: string): boolean {
  return path.startsWith("/opentelemetry.proto.collector.");
}

const NOT_FOUND: Problem = {
  kind: "not_found",
  message: "unknown path: OTLP/HTTP is served at /v1/traces, /v1/logs and /v1/metrics, and below any prefix",
};
const METHOD_NOT_ALLOWED: Problem = {
  kind: "method_not_allowed",
  message: "only POST is allowed at this path",
};
const UNSUPPORTED_ENCODING: Problem = {
  kind: "unsupported_encoding",
  message: `unsupported Content-Encoding: send one of ${ACCEPTED_CODINGS}`,
};
const UNSUPPORTED_TYPE: Problem = {
  kind: "unsupported_type",
  message: "unsupported Content-Type: send application/x-protobuf or application/json",
};
const NOT_GRPC: Problem = {
  kind: "unsupported_type",
  message: "OTLP/gRPC needs HTTP/2 and the content type application/grpc",
};
