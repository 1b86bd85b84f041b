import { isObject, type JsonObject } from "../../../model/json.ts";
import type { ModelAnswer } from "../../../model/model-exchange.ts";
import { objectsAt } from "../fields.ts";
import { customTools, withIds, writeArguments } from "../messages.ts";
import type { Fresh, ReceivedModelRequest } from "../protocol.ts";

/** A text that a stream sends in chunks: the name of the stream's events for it, its position, and its item. */
export interface StreamedText {
  readonly kind:
    | "output_text"
    | "refusal"
    | "reasoning_summary_text"
    | "function_call_arguments"
    | "custom_tool_call_input";
  readonly text: string;
  /** Position in the item's content or summary; null if the item has only one text. */
  readonly index: number | null;
}

export interface WrittenItem {
  /** The item without its texts, which a stream sends first. */
  readonly started: JsonObject;
  readonly item: JsonObject;
  readonly texts: readonly StreamedText[];
}

/** Returns the items of an answer: thoughts, the text, and one item for each tool call. */
export function itemsOf(
  answer: ModelAnswer,
  { body }: ReceivedModelRequest,
  fresh: Fresh,
): readonly WrittenItem[] {
  const custom = customTools(objectsAt(isObject(body) ? body : {}, "tools"));
  const { reasoning, text, refusal } = answer;
  const status =
    answer.finish === "length" || answer.finish === "content_filter" ? "incomplete" : "completed";
  return [
    ...(reasoning === null ? [] : [thoughts(reasoning, fresh)]),
    ...(text === null && refusal === null ? [] : [messageItem(text, refusal, status, fresh)]),
    ...withIds(answer.calls, () => fresh.id("call_")).map((call) => {
      const name = call.name ?? "";
      const args = call.arguments;
      if (!custom.has(name)) return functionCall(call.id, name, writeArguments(args), fresh);
      return customCall(call.id, name, typeof args === "string" ? args : writeArguments(args), fresh);
    }),
  ];
}

function thoughts(text: string, fresh: Fresh): WrittenItem {
  const base = { id: fresh.id("rs_"), type: "reasoning" };
  return {
    started: { ...base, summary: [] },
    item: { ...base, summary: [{ type: "summary_text", text }] },
    texts: [{ kind: "reasoning_summary_text", text, index: 0 }],
  };
}

function messageItem(text: string | null, refusal: string | null, status: string, fresh: Fresh): WrittenItem {
  const base = { id: fresh.id("msg_"), type: "message", role: "assistant" };
  const parts = [
    ...(text === null ? [] : [textPart("output_text", text)]),
    ...(refusal === null ? [] : [textPart("refusal", refusal)]),
  ];
  return {
    started: { ...base, status: "in_progress", content: [] },
    item: { ...base, status, content: parts.map(({ part }) => part) },
    texts: parts.map(({ kind, text: whole }, index) => ({ kind, text: whole, index })),
  };
}

function textPart(
  kind: "output_text" | "refusal",
  text: string,
): { readonly kind: "output_text" | "refusal"; readonly text: string; readonly part: JsonObject } {
  return { kind, text, part: contentPart(kind, text) };
}

/** Returns a part of a message's content. */
export function contentPart(kind: "output_text" | "refusal", text: string): JsonObject {
  if (kind === "refusal") return { type: "refusal", refusal: text };
  return { type: "output_text", annotations: [], logprobs: [], text };
}

function functionCall(callId: string, name: string, text: string, fresh: Fresh): WrittenItem {
  const base = { id: fresh.id("fc_"), type: "function_call", call_id: callId, name };
  return {
    started: { ...base, arguments: "", status: "in_progress" },
    item: { ...base, arguments: text, status: "completed" },
    texts: [{ kind: "function_call_arguments", text, index: null }],
  };
}

function customCall(callId: string, name: string, text: string, fresh: Fresh): WrittenItem {
  const base = { id: fresh.id("ctc_"), type: "custom_tool_call", call_id: callId, name };
  return {
    started: { ...base, input: "", status: "in_progress" },
    item: { ...base, input: text, status: "completed" },
    texts: [{ kind: "custom_tool_call_input", text, index: null }],
  };
}
