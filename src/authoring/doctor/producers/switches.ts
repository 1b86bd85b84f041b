import { contentEvidence, type EvidenceName } from "../evidence.ts";
import type { Producer, Switch } from "./producer.ts";

export const content: readonly EvidenceName[] = contentEvidence;

export const openAiStreams: Switch = {
  gives: ["usage", "cost"],
  set: 'stream_options={"include_usage": True} on streamed requests (ChatOpenAI: stream_usage=True)',
};

export const openInferencePython: readonly Switch[] = [
  {
    gives: content,
    set: "unset OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS and every other OPENINFERENCE_HIDE_* variable",
  },
  { gives: ["session_ids"], set: "with using_session(session_id): around the run" },
  openAiStreams,
];

export const openInferenceJs: readonly Switch[] = [
  {
    gives: content,
    set: "unset OPENINFERENCE_HIDE_INPUTS and OPENINFERENCE_HIDE_OUTPUTS, and leave hideInputs and hideOutputs out of traceConfig",
  },
  {
    gives: ["session_ids"],
    set: "context.with(setSession(context.active(), { sessionId }), run) of @arizeai/openinference-core",
  },
  openAiStreams,
];

export const traceloop: readonly Switch[] = [
  { gives: content, set: "TRACELOOP_TRACE_CONTENT=true (JavaScript also: traceContent: true)" },
  {
    gives: ["session_ids"],
    set: "Traceloop.set_association_properties({ session_id }) (JavaScript: withAssociationProperties)",
  },
  { gives: ["agent_names"], set: "@agent(name=…) around each agent (JavaScript: withAgent({ name }, …))" },
  openAiStreams,
];

export const genaiContent = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

export const otelGenaiPython: readonly Switch[] = [
  {
    gives: content,
    set: `${genaiContent}=SPAN_ONLY (or SPAN_AND_EVENT; EVENT_ONLY needs an OTLP log exporter as well)`,
  },
  openAiStreams,
];

export const ownSpans: readonly Switch[] = [
  {
    gives: ["tool_names", "tool_arguments", "tool_results"],
    set: "an execute_tool span around each tool, with gen_ai.tool.name, gen_ai.tool.call.arguments and gen_ai.tool.call.result",
  },
  { gives: ["agent_names"], set: "an invoke_agent span around the agent, with gen_ai.agent.name" },
  { gives: ["session_ids"], set: "gen_ai.conversation.id on the agent's span" },
];

export const onlyClient: NonNullable<Producer["cannot"]> = [
  { what: "agent_names", why: "it sees the model client only; agents need spans of their own" },
];
