import {
  contentEvidence,
  genaiContent,
  onlyClient,
  openAiStreams,
  ownSpans,
  type Producer,
  type Switch,
} from "../producer-type.ts";

const otelGenaiPython: readonly Switch[] = [
  {
    gives: contentEvidence,
    set: `${genaiContent}=SPAN_ONLY (or SPAN_AND_EVENT; EVENT_ONLY needs an OTLP log exporter as well)`,
  },
  openAiStreams,
];

/** Descriptions of the instrumentations for `doctor`. */
export const producers: readonly Producer[] = [
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
        gives: contentEvidence,
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
    besides: ["openllmetry"],
    switches: [{ gives: contentEvidence, set: `${genaiContent}=span_only (no_content leaves them out)` }],
    page: "openai-agents-python.md",
  },
  {
    name: "OpenTelemetry for the OpenAI client (JavaScript)",
    scopes: ["@opentelemetry/instrumentation-openai", "@elastic/opentelemetry-instrumentation-openai"],
    switches: [
      {
        gives: contentEvidence,
        set: "new OpenAIInstrumentation({ captureMessageContent: true }) and an OTLP log exporter: contents arrive as log records",
      },
      { gives: ["usage", "cost"], set: "stream_options: { include_usage: true } on streamed requests" },
      ...ownSpans,
    ],
    cannot: onlyClient,
    page: "opentelemetry-genai.md",
  },
  {
    name: "OpenTelemetry GenAI conventions",
    scopes: ["*"],
    dialects: ["otel-genai"],
    besides: ["haystack", "spring-ai"],
    switches: [
      { gives: contentEvidence, set: `${genaiContent}=true (newer versions: SPAN_ONLY)` },
      ...ownSpans,
    ],
    page: "opentelemetry-genai.md",
  },
];
