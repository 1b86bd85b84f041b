import { isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import type { ModelAnswer } from "../../../model/model-exchange.ts";
import { objectAt } from "../fields.ts";
import type { Fresh, ReceivedModelRequest, StreamPiece } from "../protocol.ts";
import { conversationId } from "./read-request.ts";
import { contentPart, itemsOf, type StreamedText, type WrittenItem } from "./write-items.ts";
import { writeUsage } from "./usage.ts";
import { piecesOf } from "../texts.ts";

export function writeAnswer(answer: ModelAnswer, to: ReceivedModelRequest, fresh: Fresh): JsonValue {
  return responseOf(answer, to, fresh, itemsOf(answer, to, fresh));
}

export function writeStream(
  answer: ModelAnswer,
  to: ReceivedModelRequest,
  fresh: Fresh,
): readonly StreamPiece[] {
  const items = itemsOf(answer, to, fresh);
  const response = responseOf(answer, to, fresh, items);
  const { completed_at: _, ...before } = response;
  const started = {
    ...before,
    status: "in_progress",
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
  };
  const events: readonly (JsonObject & { readonly type: string })[] = [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    ...items.flatMap(streamedItem),
    { type: `response.${response.status}`, response },
  ];
  return events.map((event, at) => ({
    event: event.type,
    data: JSON.stringify({ ...event, sequence_number: at }),
  }));
}

type Status = "completed" | "incomplete" | "failed";

function statusOf({ finish }: ModelAnswer): Status {
  if (finish === "error") return "failed";
  return finish === "length" || finish === "content_filter" ? "incomplete" : "completed";
}

/** Settings that a response repeats from its request, each with the provider's default value. */
const repeated: Readonly<Record<string, JsonValue>> = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  safety_identifier: null,
  store: true,
  temperature: 1,
  tool_choice: "auto",
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: "disabled",
  user: null,
};

function responseOf(
  answer: ModelAnswer,
  { body, request }: ReceivedModelRequest,
  fresh: Fresh,
  items: readonly WrittenItem[],
): JsonObject & { readonly status: Status } {
  const fields = isObject(body) ? body : {};
  const status = statusOf(answer);
  const conversation = conversationId(fields["conversation"]);
  const reason = answer.finish === "length" ? "max_output_tokens" : "content_filter";
  const settings = Object.entries(repeated).map(([key, usual]) => [key, fields[key] ?? usual]);
  return {
    id: answer.id ?? fresh.id("resp_"),
    object: "response",
    created_at: fresh.unixS,
    status,
    completed_at: status === "completed" ? fresh.unixS : null,
    error: status === "failed" ? { code: "server_error", message: "The model failed." } : null,
    incomplete_details: status === "incomplete" ? { reason } : null,
    ...(Object.fromEntries(settings) as JsonObject),
    ...(conversation === null ? {} : { conversation: { id: conversation } }),
    model: answer.model ?? request.model ?? "",
    output: items.map(({ item }) => item),
    reasoning: { effort: null, summary: null, ...objectAt(fields, "reasoning") },
    text: { format: { type: "text" }, verbosity: "medium", ...objectAt(fields, "text") },
    service_tier: answer.serviceTier ?? "default",
    usage: writeUsage(answer.usage),
  };
}

type Event = JsonObject & { readonly type: string };

/** Returns the events of one item in order, without sequence numbers. */
function streamedItem({ started, item, texts }: WrittenItem, outputIndex: number): readonly Event[] {
  const place = { output_index: outputIndex };
  return [
    { type: "response.output_item.added", ...place, item: started },
    ...texts.flatMap((text) => textEvents(text, { item_id: item["id"] ?? "", ...place }, item)),
    { type: "response.output_item.done", ...place, item },
  ];
}

function textEvents(streamed: StreamedText, place: JsonObject, item: JsonObject): readonly Event[] {
  const { kind, text, index } = streamed;
  const deltas = piecesOf(text);
  if (kind === "output_text" || kind === "refusal") {
    const at = { ...place, content_index: index ?? 0 };
    const logprobs = kind === "output_text" ? { logprobs: [] } : {};
    return [
      { type: "response.content_part.added", ...at, part: contentPart(kind, "") },
      ...deltas.map((delta) => ({ type: `response.${kind}.delta`, ...at, delta, ...logprobs })),
      { type: `response.${kind}.done`, ...at, [kind === "refusal" ? "refusal" : "text"]: text, ...logprobs },
      { type: "response.content_part.done", ...at, part: contentPart(kind, text) },
    ];
  }
  if (kind === "reasoning_summary_text") {
    const at = { ...place, summary_index: index ?? 0 };
    const part = (whole: string): JsonObject => ({ type: "summary_text", text: whole });
    return [
      { type: "response.reasoning_summary_part.added", ...at, part: part("") },
      ...deltas.map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
      { type: "response.reasoning_summary_text.done", ...at, text },
      { type: "response.reasoning_summary_part.done", ...at, part: part(text) },
    ];
  }
  const isFunction = kind === "function_call_arguments";
  return [
    ...deltas.map((delta) => ({ type: `response.${kind}.delta`, ...place, delta })),
    {
      type: `response.${kind}.done`,
      ...place,
      ...(isFunction ? { name: item["name"] ?? "", arguments: text } : { input: text }),
    },
  ];
}
