import type { AgentRun, KnowsSettings, RecordingSetting } from "../../model/run.ts";
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

/** Names of the evidence in the settings of instrumentations, if they are not the names of the fields. */
const evidence: Partial<Record<ContentField, string>> = { retrievals: "retrieved_documents" };

/** The largest number of settings that a remedy names. */
const MOST_SETTINGS = 2;

/**
 * Returns the remedy for missing content, by the first condition that is true:
 * 1. The value was truncated: a higher length limit.
 * 2. A setting records only this content, and no setting records all content: this setting.
 * 3. The run has no other content: the setting that records all content.
 * 4. Attributes of the run were dropped: higher attribute limits.
 * 5. Otherwise: the attributes in which the instrumentation should record the value.
 */
export function contentRemedy(field: ContentField, run: AgentRun): string {
  const cut = cutNote(field, run);
  if (cut !== undefined) return cutRemedy(cut, run);
  const settings = settingsOf(run).filter(({ gives }) => gives.includes(evidence[field] ?? field));
  const own = listed(settings.filter((setting) => !givesAll(setting)));
  const whole = listed(settings.filter(givesAll));
  if (own !== null && whole === null) return `Record it with a setting of the agent's process: ${own}.`;
  const place = `Have the instrumentation record ${places[field]}.`;
  if (isContentOff(field, run)) {
    if (whole !== null) return `Switch content capture on in the agent's process: ${whole}.`;
    if (settingsOf(run).length > 0) return place;
    return `Switch content capture on in the agent's process, if its instrumentation has a setting for it. ${place}`;
  }
  if (run.missing.some(({ what }) => what === "attributes")) {
    return "Raise the SDK's attribute limits (OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT), or record fewer and smaller values: attributes of this run were dropped or not read.";
  }
  return `Other content of this run was recorded, so content capture is on. ${place} If the value was cut off: ${lengthLimits(run)}.`;
}

function settingsOf(run: AgentRun & Partial<KnowsSettings>): readonly RecordingSetting[] {
  return run.settings ?? [];
}

/** Whether a setting records all content, and not only one kind. */
function givesAll({ gives }: RecordingSetting): boolean {
  return gives.includes("query") && gives.includes("answer");
}

function listed(settings: readonly RecordingSetting[]): string | null {
  const texts = [...new Set(settings.map(({ set }) => set))].slice(0, MOST_SETTINGS);
  return texts.length === 0 ? null : texts.join("; or ");
}

/**
 * Instrumentations that truncate values themselves, by a word of the dialect's name. The SDK's length limit does not affect these
 * instrumentations.
 */
const ownLimits: readonly (readonly [dialect: string, setting: string])[] = [
  [
    "llamaindex",
    "LlamaIndex's own spans record only the first 200 characters of a value; add openinference-instrumentation-llama-index",
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
  const isBySide = settingsOf(run).some(({ bySide }) => bySide === true);
  if (!isBySide) return !hasInputs(run) && !hasOutputs(run);
  return field === "query" ? !hasInputs(run) : field === "messages" || !hasOutputs(run);
}

function hasInputs(run: AgentRun): boolean {
  const hasUserText = run.messages.some(
    ({ role, text }) => (role === "user" || role === "system") && text !== null,
  );
  return run.query !== null || hasUserText || run.retrievals.some(({ query }) => query !== null);
}

function hasOutputs(run: AgentRun): boolean {
  const hasAnswerText = run.messages.some(({ role, text }) => role === "assistant" && text !== null);
  const worked = run.tools.some((call) => call.arguments !== undefined || call.result !== undefined);
  const found = run.retrievals.some(({ documents }) => documents.some(({ content }) => content !== null));
  return run.answer !== null || hasAnswerText || worked || found;
}
