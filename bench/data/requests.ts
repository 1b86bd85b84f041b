import { genaiTrace } from "./genai-trace.ts";
import { int, type Span, text, type TraceRequest } from "./otlp-json.ts";
import { plainTrace } from "./plain-trace.ts";
import { Random } from "./random.ts";

/**
 * `genai`: agents with their contents; `lean`: the same without contents, as most instrumentations send by default; `plain`: services
 * without agents; `small`: lean, 8 spans a request instead of 512.
 */
export const profiles = ["genai", "lean", "plain", "small"] as const;
export type Profile = (typeof profiles)[number];
/** Recorded runs, copied, besides the generated ones. */
export type BodyProfile = Profile | "real";

function spansPerRequest(profile: Profile): number {
  return profile === "small" ? 8 : 512;
}

/** Requests as a batching exporter sends them: spans in the order they end, those of a dozen traces mixed. */
export function* requests(profile: Profile, count: number, seed = 1): Generator<TraceRequest> {
  const random = new Random(seed);
  const active: Span[][] = [];
  const many = profile === "plain" ? 24 : 12;
  let nano = 1_763_700_000_000_000_000n;
  for (let left = count; left > 0; left--) {
    const spans: Span[] = [];
    while (spans.length < spansPerRequest(profile)) {
      while (active.length < many) {
        nano += BigInt(random.int(1, 50)) * 1_000_000n;
        const trace =
          profile === "plain" ? plainTrace(random, nano) : genaiTrace(random, nano, profile === "genai");
        active.push(trace.reverse());
      }
      const at = random.int(0, active.length - 1);
      const span = active[at]?.pop();
      if (span === undefined) active.splice(at, 1);
      else spans.push(span);
    }
    yield request(spans, profile === "plain" ? "shop-frontend" : "agent-service");
  }
}

function request(spans: readonly Span[], service: string): TraceRequest {
  const scope = { name: "opentelemetry.instrumentation.openai_agents", version: "0.48b0" };
  const attributes = [
    text("service.name", service),
    text("service.version", "2.3.1"),
    text("service.instance.id", "627cc493-f310-47de-96bd-71410b7dec09"),
    text("telemetry.sdk.language", "python"),
    text("telemetry.sdk.name", "opentelemetry"),
    text("telemetry.sdk.version", "1.37.0"),
    text("host.name", "ip-10-0-3-17"),
    int("process.pid", 4242),
  ];
  const schemaUrl = "https://opentelemetry.io/schemas/1.37.0";
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope, spans }], schemaUrl }] };
}
