import type { Producer } from "./producer.ts";
import { content, openAiStreams } from "./switches.ts";

/** SDKs of observability products, and TypeScript frameworks with telemetry of their own. */
export const platforms: readonly Producer[] = [
  {
    name: "AI SDK 5 and 6",
    scopes: ["ai"],
    switches: [
      {
        gives: content,
        set: "experimental_telemetry: { isEnabled: true, recordInputs: true, recordOutputs: true }",
      },
      { gives: ["session_ids"], set: "experimental_telemetry: { metadata: { sessionId } }" },
      { gives: ["agent_names"], set: "experimental_telemetry: { functionId: name }" },
    ],
    page: "ai-sdk.md",
  },
  {
    name: "AI SDK 7",
    scopes: ["gen_ai"],
    switches: [
      { gives: content, set: "telemetry: { recordInputs: true, recordOutputs: true }" },
      {
        gives: ["session_ids"],
        set: "telemetry: { includeRuntimeContext: { sessionId: true } } and runtimeContext: { sessionId }",
      },
      { gives: ["agent_names"], set: "telemetry: { functionId: name }" },
    ],
    page: "ai-sdk.md",
  },
  {
    name: "Mastra",
    scopes: ["@mastra/*"],
    switches: [{ gives: ["session_ids"], set: "tracingOptions: { metadata: { sessionId } } on each call" }],
    page: "mastra.md",
  },
  {
    name: "LangSmith's OpenTelemetry mode",
    scopes: ["langsmith"],
    switches: [
      { gives: content, set: "unset LANGSMITH_HIDE_INPUTS and LANGSMITH_HIDE_OUTPUTS" },
      { gives: ["session_ids"], set: "metadata: session_id or thread_id" },
    ],
    page: "langsmith.md",
  },
  {
    name: "Langfuse SDK",
    scopes: ["langfuse-sdk"],
    switches: [
      { gives: content, set: "remove the `mask` function, or let it keep inputs and outputs" },
      { gives: ["session_ids"], set: "propagateAttributes({ sessionId }, run)" },
    ],
    page: "langfuse.md",
  },
  {
    name: "Laminar",
    scopes: ["lmnr*"],
    switches: [{ gives: content, set: "leave ignoreInput and ignoreOutput out of observe()" }],
    page: "laminar.md",
  },
  {
    name: "Pydantic AI",
    scopes: ["pydantic-ai"],
    switches: [
      { gives: content, set: "InstrumentationSettings(include_content=True)" },
      { gives: ["agent_names"], set: "Agent(…, name=…)" },
    ],
    page: "pydantic-ai.md",
  },
  {
    name: "Logfire",
    scopes: ["logfire", "logfire.*"],
    switches: [
      {
        gives: content,
        set: "include_content=True where it is instrumented; scrubbing=False if values arrive as [Scrubbed …]",
      },
    ],
    page: "pydantic-ai.md",
  },
  {
    name: "Future AGI's traceAI",
    scopes: ["traceai_*", "traceai-*", "@traceai/*"],
    switches: [
      { gives: content, set: "unset FI_HIDE_INPUTS, FI_HIDE_OUTPUTS and every other FI_HIDE_* variable" },
      openAiStreams,
    ],
    page: "other-platforms.md",
  },
  {
    name: "Braintrust",
    scopes: ["braintrust", "braintrust.*", "braintrust-*"],
    switches: [{ gives: ["session_ids"], set: "session_id in the metadata of the outermost span" }],
    cannot: [{ what: "agent_names", why: "it has no attribute for them; spans are read by their names" }],
    page: "other-platforms.md",
  },
  {
    name: "LangWatch",
    scopes: ["langwatch", "langwatch.*"],
    switches: [
      { gives: content, set: "leave capture_input=False and capture_output=False out" },
      { gives: ["session_ids"], set: "thread_id in the metadata of the trace" },
    ],
    cannot: [{ what: "agent_names", why: "it has no attribute for them; spans are read by their names" }],
    page: "other-platforms.md",
  },
];
