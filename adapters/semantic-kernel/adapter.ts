import type { Adapter } from "../adapter-type.ts";
import { contentEvidence } from "../producer-type.ts";

export const semanticKernel: Adapter = {
  dialect: "semantic-kernel",
  markers: ["sk.available_functions"],
  scopes: ["semantic_kernel.*", "Microsoft.SemanticKernel*"],
  names: [
    { pattern: /^(?:chat|text)\.(?:streaming_)?completions\b/, role: "call" },
    { pattern: /^AutoFunctionInvocationLoop$/, role: "step" },
    { pattern: /^agent_runtime /, role: "message" },
  ],
  producers: [
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
  ],
};
