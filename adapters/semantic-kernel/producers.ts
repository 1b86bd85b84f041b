import { contentEvidence, type Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Semantic Kernel",
    scopes: ["semantic_kernel.*", "Microsoft.SemanticKernel*"],
    switches: [
      {
        gives: contentEvidence,
        set: "SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE=true and an OTLP log exporter on the root logger",
      },
      {
        gives: ["model_calls", "usage", "models"],
        set: "SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS=true",
      },
    ],
    page: "semantic-kernel.md",
  },
];
