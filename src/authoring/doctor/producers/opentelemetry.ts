import type { Producer } from "./producer.ts";
import { content, openAiStreams, genaiContent, otelGenaiPython, ownSpans, onlyClient } from "./switches.ts";

/** OpenTelemetry's own instrumentations. */
export const openTelemetry: readonly Producer[] = [
  {
    name: "OpenTelemetry GenAI (Python)",
    scopes: ["opentelemetry.instrumentation.genai.*", "opentelemetry.util.genai*"],
    switches: otelGenaiPython,
    page: "opentelemetry-genai.md",
  },
  {
    name: "OpenTelemetry for the OpenAI client (Python)",
    scopes: ["opentelemetry.instrumentation.openai_v2"],
    switches: [
      {
        gives: content,
        set: `${genaiContent}=true and an OTLP log exporter: contents arrive as log records`,
      },
      openAiStreams,
      ...ownSpans,
    ],
    cannot: onlyClient,
    page: "opentelemetry-genai.md",
  },
  {
    name: "OpenTelemetry for OpenAI Agents (Python)",
    scopes: ["opentelemetry.instrumentation.openai_agents"],
    dialects: ["otel-genai"],
    switches: [{ gives: content, set: `${genaiContent}=span_only (no_content leaves them out)` }],
    page: "openai-agents-python.md",
  },
  {
    name: "OpenTelemetry for the OpenAI client (JavaScript)",
    scopes: ["@opentelemetry/instrumentation-openai", "@elastic/opentelemetry-instrumentation-openai"],
    switches: [
      {
        gives: content,
        set: "new OpenAIInstrumentation({ captureMessageContent: true }) and an OTLP log exporter: contents arrive as log records",
      },
      { gives: ["usage", "cost"], set: "stream_options: { include_usage: true } on streamed requests" },
      ...ownSpans,
    ],
    cannot: onlyClient,
    page: "opentelemetry-genai.md",
  },
];
