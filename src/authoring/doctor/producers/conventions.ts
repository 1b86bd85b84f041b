import type { Producer } from "./producer.ts";
import { content, genaiContent, ownSpans } from "./switches.ts";

/** Whoever else writes by the conventions; comes last. */
export const conventions: readonly Producer[] = [
  {
    name: "OpenTelemetry GenAI conventions",
    scopes: ["*"],
    dialects: ["otel-genai"],
    switches: [{ gives: content, set: `${genaiContent}=true (newer versions: SPAN_ONLY)` }, ...ownSpans],
    page: "opentelemetry-genai.md",
  },
];
