import { isKnownService } from "./grpc-head.ts";

const SERVING = Uint8Array.of(0x08, 1);
const NOT_SERVING = Uint8Array.of(0x08, 2);

/** Answers `grpc.health.v1.Health/Check`. Returns null for an unknown service. */
export function checkHealth(request: Uint8Array, draining: boolean): Uint8Array | null {
  if (!isKnownService(serviceName(request))) return null;
  return draining ? NOT_SERVING : SERVING;
}

/** Reads field 1 of `HealthCheckRequest`, its only field. */
function serviceName(request: Uint8Array): string {
  const [tag, length = 0] = request;
  return tag === 0x0a ? new TextDecoder().decode(request.subarray(2, 2 + length)) : "";
}
