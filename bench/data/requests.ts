import { genaiTrace } from "./genai-trace.ts";
import { plainTrace } from "./plain-trace.ts";
import { Random } from "./random.ts";
import { requestOf, type Span, type TraceRequest } from "./span.ts";

/**
 * `genai`: agents with messages; `lean`: agents without messages, which most instrumentations omit by default; `plain`: services without
 * agents; `small`: `lean` with 8 instead of 512 spans per request.
 */
export type Profile = "genai" | "lean" | "plain" | "small";
/** Also `real`: copies of recorded runs. */
export type BodyProfile = Profile | "real";

/** Requests as a batching exporter sends them: spans in the order in which they end, with the spans of 12 traces (`plain`: 24) mixed. */
export function* requests(profile: Profile, count: number, seed = 1): Generator<TraceRequest> {
  const random = new Random(seed);
  const active: Span[][] = [];
  const isPlain = profile === "plain";
  let nano = 1_763_700_000_000_000_000n;
  for (let left = count; left > 0; left--) {
    const spans: Span[] = [];
    while (spans.length < (profile === "small" ? 8 : 512)) {
      while (active.length < (isPlain ? 24 : 12)) {
        nano += BigInt(random.int(1, 50)) * 1_000_000n;
        const trace = isPlain ? plainTrace(random, nano) : genaiTrace(random, nano, profile === "genai");
        active.push(trace.reverse());
      }
      const at = random.int(0, active.length - 1);
      const span = active[at]?.pop();
      if (span === undefined) active.splice(at, 1);
      else spans.push(span);
    }
    yield requestOf(spans, {
      "service.name": isPlain ? "shop-frontend" : "agent-service",
      "service.version": "2.3.1",
      "service.instance.id": "627cc493-f310-47de-96bd-71410b7dec09",
      "telemetry.sdk.language": "python",
      "telemetry.sdk.name": "opentelemetry",
      "telemetry.sdk.version": "1.37.0",
      "host.name": "ip-10-0-3-17",
      "process.pid": 4242,
    });
  }
}
