import type { JsonObject } from "../../../model/json.ts";
import { piecesOf } from "../texts.ts";
import { contentPart, type StreamedText, type WrittenItem } from "./write-items.ts";

type Event = JsonObject & { readonly type: string };

/** Returns the events of one item in order, without sequence numbers. */
export function streamedItem({ started, item, texts }: WrittenItem, outputIndex: number): readonly Event[] {
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
