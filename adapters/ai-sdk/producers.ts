import { contentEvidence, type Producer } from "../producer-type.ts";

/** Descriptions of the instrumentations for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "AI SDK 5 and 6",
    scopes: ["ai"],
    switches: [
      {
        gives: contentEvidence,
        set: "experimental_telemetry: { isEnabled: true, recordInputs: true, recordOutputs: true }",
      },
      { gives: ["session_ids"], set: "experimental_telemetry: { metadata: { sessionId } }" },
      { gives: ["agent_names"], set: "experimental_telemetry: { functionId: name }" },
    ],
    page: "ai-sdk.md",
  },
  {
    name: "opencode",
    scopes: ["opencode"],
    switches: [{ gives: ["model_calls", "usage", "answer"], set: "OTEL_BSP_SCHEDULE_DELAY=100" }],
    page: "coding.md",
  },
  {
    name: "AI SDK 7",
    scopes: ["gen_ai"],
    switches: [
      { gives: contentEvidence, set: "telemetry: { recordInputs: true, recordOutputs: true }" },
      {
        gives: ["session_ids"],
        set: "telemetry: { includeRuntimeContext: { sessionId: true } } and runtimeContext: { sessionId }",
      },
      { gives: ["agent_names"], set: "telemetry: { functionId: name }" },
    ],
    page: "ai-sdk.md",
  },
];
