import { isKnownService } from "./grpc-head.ts";

const SERVING = Uint8Array.of(0x08, 1);
const NOT_SERVING = Uint8Array.of(0x08, 2);

/** `grpc.health.v1.Health/Check`: the response, or null for a service that is not served here. */
export function checkHealth(request: Uint8Array, draining: boolean): Uint8Array | null {
  if (!isKnownService(serviceName(request))) return null;
  return draining ? NOT_SERVING : SERVING;
}

/** Field 1 of `HealthCheckRequest`, its only one. */
function serviceName(request: Uint8Array): string {
  const [tag, length = 0] = request;
  return tag === 0x0a ? new TextDecoder().decode(request.subarray(2, 2 + length)) : "";
}
