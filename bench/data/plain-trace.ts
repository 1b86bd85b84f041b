import type { Random } from "./random.ts";
import { type Span, spanOf } from "./span.ts";

const names = ["GET /api/cart", "SELECT shop.orders", "redis GET", "POST /api/checkout"] as const;

/** A trace of one request through some services, without agents: 4 to 12 small spans. */
export function plainTrace(random: Random, startNano: bigint): Span[] {
  const traceId = random.hex(16);
  const ids: [string, ...string[]] = [random.hex(8)];
  const spans: Span[] = [];
  let nano = startNano;
  const make = (spanId: string, parentSpanId: string, name: string, from: bigint): Span =>
    spanOf({
      traceId,
      spanId,
      parentSpanId,
      name,
      kind: random.int(1, 3),
      startNano: from,
      endNano: nano,
      attributes: {
        "http.request.method": random.pick(["GET", "POST"]),
        "http.route": random.pick(["/api/cart", "/api/checkout", "/"]),
        "http.response.status_code": random.pick([200, 200, 404, 500]),
        "server.address": `10.0.${random.int(0, 255)}.${random.int(0, 255)}`,
        "server.port": 8080,
        "network.peer.address": `10.1.${random.int(0, 255)}.7`,
        "url.scheme": "http",
        "user_agent.original": "curl/8.5.0",
        "peer.service": `svc-${random.int(1, 30)}`,
        "cache.hit": random.chance(0.5),
      },
    });
  for (let left = random.int(3, 11); left > 0; left--) {
    const from = nano;
    const spanId = random.hex(8);
    nano += BigInt(random.log(1, 200)) * 1_000_000n;
    spans.push(make(spanId, random.pick(ids), random.pick(names), from));
    ids.push(spanId);
  }
  spans.push(make(ids[0], "", "GET /", startNano));
  return spans;
}
