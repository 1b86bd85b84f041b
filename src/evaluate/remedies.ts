/**
 * What to do about evidence that is missing, by field of the run. Texts depend on the run's data only, never on how it was closed,
 * so that a replayed and a live verdict are the same bytes.
 */
const general: ReadonlyMap<string, string> = new Map([
  [
    "usage",
    "Let the model client report token usage (for OpenAI streams: stream_options.include_usage = true).",
  ],
  [
    "cost",
    "Give prices for these models under `prices:` in the config, or let the model calls report usage and a known model name.",
  ],
  ["llm_calls", "Instrument the model client as well, so that each completion has a span of its own."],
  [
    "tools",
    "Instrument the tools (a span for each call), or switch content capture on so that calls can be read from messages.",
  ],
  ["tool_names", "Set the tool's name on its span: gen_ai.tool.name, or tool.name for OpenInference."],
  [
    "handoffs",
    "Instrument the agent framework itself: hand-offs are not visible from the model client's spans alone.",
  ],
  [
    "handoffs_available",
    "Record the tool definitions given to the model (gen_ai.tool.definitions): hand-off targets are listed there.",
  ],
  [
    "reference",
    "Save a baseline for this query (`tracejury save`), or write the expected tools into the spec.",
  ],
  [
    "agents",
    "Have the instrumentation name the agent on model and tool spans: gen_ai.agent.name, there or on a span above.",
  ],
  ["tool_durations", "Instrument the tools, so that each call has a span of its own."],
  [
    "token_components",
    "Set tracejury.tokens.<component> (tool_schema, skill_prompt, …) on the run's root span, and let the model client report usage.",
  ],
  ["changes", "Set tracejury.changes.total, .failed and .reverted on the run's root span."],
  [
    "run",
    "Have the process flush its exporter before it ends, keep all spans of a run in one pipeline, and raise `assemble.idle` if the agent pauses for long.",
  ],
]);

/** Fields that only arrive when the instrumentation is allowed to record content. */
const content: ReadonlySet<string> = new Set([
  "answer",
  "query",
  "messages",
  "tool_arguments",
  "tool_results",
  "retrievals",
]);

/** How each instrumentation family is told to record content; the first whose word occurs in a dialect's name is used. */
const capture: readonly (readonly [word: string, setting: string])[] = [
  [
    "openinference",
    "unset OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS and the other OPENINFERENCE_HIDE_… variables",
  ],
  ["traceloop", "set TRACELOOP_TRACE_CONTENT=true"],
  ["openllmetry", "set TRACELOOP_TRACE_CONTENT=true"],
  ["langsmith", "unset LANGSMITH_HIDE_INPUTS and LANGSMITH_HIDE_OUTPUTS"],
  ["langfuse", "remove the `mask` function or let it keep inputs and outputs"],
  ["ai-sdk", "set experimental_telemetry: { recordInputs: true, recordOutputs: true }"],
  ["vercel", "set experimental_telemetry: { recordInputs: true, recordOutputs: true }"],
  ["pydantic", "set InstrumentationSettings(include_content=True)"],
  ["semantic-kernel", "set SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE=true"],
  ["agent-framework", "set ENABLE_SENSITIVE_DATA=true"],
];

const DEFAULT_CAPTURE =
  "set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true (newer versions: span_only or span_and_event)";

/** One sentence that says what to switch on so that `field` arrives next time. */
export function remedyFor(field: string, dialects: readonly string[]): string {
  const known = general.get(field);
  if (known !== undefined) return known;
  if (!content.has(field)) return `Have the instrumentation record ${field.replaceAll("_", " ")}.`;
  return `Switch content capture on in the agent's process: ${captureSetting(dialects)}.`;
}

function captureSetting(dialects: readonly string[]): string {
  for (const [word, setting] of capture) {
    if (dialects.some((dialect) => dialect.includes(word))) return setting;
  }
  return DEFAULT_CAPTURE;
}
