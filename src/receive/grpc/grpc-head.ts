import type { Coding } from "../body/content-coding.ts";
import type { Signal } from "../../otlp/signal.ts";

export type GrpcMethod =
  { readonly kind: "export"; readonly signal: Signal } | { readonly kind: "health"; readonly signal: null };

/** Supported values of `grpc-encoding`, in the format of `grpc-accept-encoding`. */
export const ACCEPTED_GRPC_CODINGS = "identity,gzip";

const SERVICES = {
  traces: "opentelemetry.proto.collector.trace.v1.TraceService",
  logs: "opentelemetry.proto.collector.logs.v1.LogsService",
  metrics: "opentelemetry.proto.collector.metrics.v1.MetricsService",
} as const satisfies Record<Signal, string>;

const METHODS: ReadonlyMap<string, GrpcMethod> = new Map<string, GrpcMethod>([
  [`/${SERVICES.traces}/Export`, { kind: "export", signal: "traces" }],
  [`/${SERVICES.logs}/Export`, { kind: "export", signal: "logs" }],
  [`/${SERVICES.metrics}/Export`, { kind: "export", signal: "metrics" }],
  ["/grpc.health.v1.Health/Check", { kind: "health", signal: null }],
]);

export function methodOf(path: string): GrpcMethod | undefined {
  return METHODS.get(path);
}

/** Whether the receiver knows the service that a health check names. The empty name means all services. */
export function isKnownService(name: string): boolean {
  return name === "" || Object.values(SERVICES).some((service) => service === name);
}

/** Whether the content type is `application/grpc` or `application/grpc+proto`, with any parameters. */
export function isGrpcProto(contentType: string): boolean {
  if (contentType === "application/grpc" || contentType === "application/grpc+proto") return true;
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase();
  return type === "application/grpc" || type === "application/grpc+proto";
}

/** Parses `grpc-encoding`. Returns null if messages are not compressed, undefined for an unsupported coding. */
export function readGrpcCoding(header: string | undefined): Coding | null | undefined {
  if (header === undefined || header === "identity") return null;
  return header === "gzip" ? "gzip" : undefined;
}
