/** Kinds of evidence that checks need, in the order of reports. */
export const evidenceNames = [
  "query",
  "answer",
  "messages",
  "system_instructions",
  "tool_definitions",
  "tool_names",
  "tool_arguments",
  "tool_results",
  "model_calls",
  "models",
  "finish_reasons",
  "usage",
  "cost",
  "agent_names",
  "session_ids",
  "handoffs_available",
  "retrieved_documents",
] as const;

export type EvidenceName = (typeof evidenceNames)[number];

/** Kinds of evidence that are only recorded if content capture is on. */
export const contentEvidence = [
  "query",
  "answer",
  "messages",
  "system_instructions",
  "tool_definitions",
  "tool_arguments",
  "tool_results",
  "retrieved_documents",
] as const satisfies readonly EvidenceName[];

/** A setting of one instrumentation, and the evidence that it records. */
export interface Switch {
  readonly gives: readonly EvidenceName[];
  readonly set: string;
  /** Whether inputs and outputs have separate settings. If so, one of the two may be off. */
  readonly bySide?: true;
}

/** Description of an instrumentation for the command `doctor`: how to recognise it, its settings, and what it does not record. */
export interface Producer {
  readonly name: string;
  /** Instrumentation scopes; a name ending in `*` is a prefix. If several producers match, the one with the longest match counts. */
  readonly scopes: readonly string[];
  /** If another instrumentation may use the same scope: the spans must have one of these dialects. */
  readonly dialects?: readonly string[];
  /** Dialects that the spans must not have. */
  readonly besides?: readonly string[];
  readonly switches: readonly Switch[];
  readonly cannot?: readonly { readonly what: EvidenceName; readonly why: string }[];
  /** Page under docs/agents. */
  readonly page: string;
}

/** Environment variable that makes OpenTelemetry's GenAI instrumentations record content. */
export const genaiContent = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

export const openAiStreams: Switch = {
  gives: ["usage", "cost"],
  set: 'stream_options={"include_usage": True} on streamed requests (ChatOpenAI: stream_usage=True)',
};

/**
 * Settings of instrumentations for model clients. These instrumentations record neither tools nor agents, so the program needs spans of its
 * own.
 */
export const ownSpans: readonly Switch[] = [
  {
    gives: ["tool_names", "tool_arguments", "tool_results"],
    set: "an execute_tool span around each tool, with gen_ai.tool.name, gen_ai.tool.call.arguments and gen_ai.tool.call.result",
  },
  { gives: ["agent_names"], set: "an invoke_agent span around the agent, with gen_ai.agent.name" },
  { gives: ["session_ids"], set: "gen_ai.conversation.id on the agent's span" },
];

export const onlyClient: NonNullable<Producer["cannot"]> = [
  { what: "agent_names", why: "the instrumentation sees only the model client; agents need their own spans" },
];
