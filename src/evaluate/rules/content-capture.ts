import type { AgentRun } from "../../model/run.ts";
import { cutNote } from "./cut-values.ts";

/** Where the semantic conventions record each content field, for remedies when a run has other content but lacks the field. */
const places = {
  query: "the user's message: gen_ai.input.messages of the first model call, or the input of the root span",
  answer: "the final answer: gen_ai.output.messages of the last model call, or the output of the root span",
  messages: "the messages: gen_ai.input.messages and gen_ai.output.messages of the model calls",
  tool_arguments:
    "the arguments on the tools' spans: gen_ai.tool.call.arguments, or input.value for OpenInference",
  tool_results: "the results on the tools' spans: gen_ai.tool.call.result, or output.value for OpenInference",
  retrievals: "the documents on the retrieval spans: gen_ai.retrieval.documents, or retrieval.documents",
} as const;
type ContentField = keyof typeof places;

export function isContent(field: string): field is ContentField {
  return Object.hasOwn(places, field);
}

interface Capture {
  /** Part of a dialect's name that identifies the instrumentation. */
  readonly dialect: string;
  /** What the user must do so that the instrumentation records content. */
  readonly setting: string;
  /** Set if inputs and outputs have separate settings, so that only one may be off. */
  readonly bySide?: true;
}

/** Settings by instrumentation. The first entry whose `dialect` occurs in the name of a run's dialect applies. */
const captures: readonly Capture[] = [
  {
    dialect: "openinference",
    setting:
      "unset OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS and the other OPENINFERENCE_HIDE_… variables",
    bySide: true,
  },
  { dialect: "traceloop", setting: "set TRACELOOP_TRACE_CONTENT=true" },
  { dialect: "openllmetry", setting: "set TRACELOOP_TRACE_CONTENT=true" },
  { dialect: "langsmith", setting: "unset LANGSMITH_HIDE_INPUTS and LANGSMITH_HIDE_OUTPUTS", bySide: true },
  {
    dialect: "langfuse",
    setting: "remove the `mask` function or let it keep inputs and outputs",
    bySide: true,
  },
  {
    dialect: "ai-sdk",
    setting: "set experimental_telemetry: { recordInputs: true, recordOutputs: true }",
    bySide: true,
  },
  {
    dialect: "vercel",
    setting: "set experimental_telemetry: { recordInputs: true, recordOutputs: true }",
    bySide: true,
  },
  { dialect: "pydantic", setting: "set InstrumentationSettings(include_content=True)" },
  {
    dialect: "semantic-kernel",
    setting: "set SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE=true",
  },
  { dialect: "agent-framework", setting: "set ENABLE_SENSITIVE_DATA=true" },
];

const otelCapture: Capture = {
  dialect: "",
  setting:
    "set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true (newer versions: span_only or span_and_event)",
};

/**
 * Returns the remedy for missing content: a higher length limit for a truncated value, the setting that records content if the run shows no
 * other content, higher attribute limits if attributes were dropped, otherwise the attributes in which the value belongs.
 */
export function contentRemedy(field: ContentField, run: AgentRun): string {
  const cut = cutNote(field, run);
  if (cut !== undefined) return cutRemedy(cut, run);
  if (isContentOff(field, run)) {
    return `Switch content capture on in the agent's process: ${captureOf(run).setting}.`;
  }
  if (run.missing.some(({ what }) => what === "attributes")) {
    return "Raise the SDK's attribute limits (OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT), or record fewer and smaller values: attributes of this run were dropped or not read.";
  }
  const place = `Have the instrumentation record ${places[field]}.`;
  return `Other content of this run was recorded, so content capture is on. ${place} If the value was cut off: ${lengthLimits(run)}.`;
}

/**
 * Instrumentations that truncate values themselves, by a word of the dialect's name. The SDK's length limit does not affect these
 * instrumentations.
 */
const ownLimits: readonly (readonly [dialect: string, setting: string])[] = [
  [
    "llamaindex",
    "its own spans record only the first 200 characters of a value; add openinference-instrumentation-llama-index",
  ],
  ["mastra", "raise serializationOptions.maxStringLength of Mastra's observability"],
];

function lengthLimits({ dialects }: AgentRun): string {
  const own = ownLimits.find(([word]) => dialects.some((dialect) => dialect.includes(word)));
  return (
    own?.[1] ??
    "raise OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT, or OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT if only this one is set"
  );
}

function cutRemedy(note: string, run: AgentRun): string {
  if (note.includes("the mark "))
    return `The value was ${note}: raise the length limit of the instrumentation that writes this mark.`;
  return `The value was ${note}: ${lengthLimits(run)}.`;
}

/**
 * Whether content capture may be off for a field, because the run has no other content. If inputs and outputs have separate settings, only
 * content of the same side counts; for `messages`, which have both sides, the result is then always true.
 */
export function isContentOff(field: ContentField, run: AgentRun): boolean {
  const { bySide } = captureOf(run);
  if (bySide !== true) return !hasInputs(run) && !hasOutputs(run);
  return field === "query" ? !hasInputs(run) : field === "messages" || !hasOutputs(run);
}

function captureOf({ dialects }: AgentRun): Capture {
  const found = captures.find(({ dialect: word }) => dialects.some((dialect) => dialect.includes(word)));
  return found ?? otelCapture;
}

function hasInputs(run: AgentRun): boolean {
  const asked = run.messages.some(
    ({ role, text }) => (role === "user" || role === "system") && text !== null,
  );
  return run.query !== null || asked || run.retrievals.some(({ query }) => query !== null);
}

function hasOutputs(run: AgentRun): boolean {
  const said = run.messages.some(({ role, text }) => role === "assistant" && text !== null);
  const worked = run.tools.some((call) => call.arguments !== undefined || call.result !== undefined);
  const found = run.retrievals.some(({ documents }) => documents.some(({ content }) => content !== null));
  return run.answer !== null || said || worked || found;
}
