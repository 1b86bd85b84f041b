import type { Acceptance, Authorize, ReceiverProblem } from "../ports.ts";
import { RpcCode, type RpcStatus } from "../grpc/rpc-status.ts";

export type Answer = Acceptance | { readonly kind: ReceiverProblem; readonly message: string };
export type Problem = Exclude<Answer, { kind: "accepted" }>;

interface Codes {
  readonly http: number;
  readonly rpc: RpcCode;
}

/**
 * HTTP and gRPC status codes of each problem. Clients retry after HTTP 429, 502, 503 and 504, after gRPC codes such as `UNAVAILABLE` and
 * `DEADLINE_EXCEEDED`, and after `RESOURCE_EXHAUSTED` with `RetryInfo`. A request that can never succeed therefore gets a code that is not
 * in this list.
 */
const CODES: Readonly<Record<Problem["kind"], Codes>> = {
  malformed: { http: 400, rpc: RpcCode.invalidArgument },
  unavailable: { http: 503, rpc: RpcCode.unavailable },
  throttled: { http: 429, rpc: RpcCode.resourceExhausted },
  failed: { http: 500, rpc: RpcCode.internal },
  too_large: { http: 413, rpc: RpcCode.resourceExhausted },
  not_found: { http: 404, rpc: RpcCode.unimplemented },
  method_not_allowed: { http: 405, rpc: RpcCode.unimplemented },
  unsupported_encoding: { http: 415, rpc: RpcCode.unimplemented },
  unsupported_type: { http: 415, rpc: RpcCode.invalidArgument },
  deadline_exceeded: { http: 503, rpc: RpcCode.deadlineExceeded },
  unauthenticated: { http: 401, rpc: RpcCode.unauthenticated },
  forbidden: { http: 403, rpc: RpcCode.permissionDenied },
};

export function httpCode(problem: Problem): number {
  return CODES[problem.kind].http;
}

export function statusOf(problem: Problem): RpcStatus {
  return {
    code: CODES[problem.kind].rpc,
    message: problem.message,
    retryAfterS: "retryAfterS" in problem ? problem.retryAfterS : null,
  };
}

export function tooLarge(limit: number): Problem {
  const message = `the request is larger than ${limit} bytes (before or after decompression): send smaller batches, or raise receive.max_body`;
  return { kind: "too_large", message };
}

export const DRAINING: Problem = {
  kind: "unavailable",
  retryAfterS: 1,
  message: "the process is shutting down: send the request again",
};

/** Returns the error response for a sender without permission; null for a sender with permission. */
export function denial(admittance: ReturnType<Authorize>): Problem | null {
  return admittance === "allowed" ? null : DENIALS[admittance];
}

const DENIALS = {
  unauthenticated: {
    kind: "unauthenticated",
    message:
      "credentials are missing or unknown: send the header authorization: Bearer TOKEN, for example by OTEL_EXPORTER_OTLP_HEADERS",
  },
  forbidden: {
    kind: "forbidden",
    message:
      "these credentials do not have the scope ingest: use credentials with this scope (security.tokens defines scopes)",
  },
} as const satisfies Record<Exclude<ReturnType<Authorize>, "allowed">, Problem>;
