import { isObject, type JsonObject, type JsonValue, parseJson } from "../../../model/json.ts";
import type { FinishReason, ModelAnswer } from "../../../model/model-exchange.ts";
import { nameAt, objectAt, objectsAt, textAt, tierIn } from "../fields.ts";
import { failureInStream } from "../openai-failure.ts";
import type { AnswerReader, ModelFailure, StreamPiece } from "../protocol.ts";
import { joined } from "../texts.ts";
import { callIn } from "./read-items.ts";
import { readUsage } from "./usage.ts";

export function readAnswer(body: JsonValue): ModelAnswer | null {
  if (!isObject(body) || !("output" in body)) return null;
  const items = objectsAt(body, "output");
  const parts = items.filter(({ type }) => type === "message").flatMap((item) => objectsAt(item, "content"));
  const calls = items.map(callIn).filter((call) => call !== null);
  const thoughts = items
    .filter(({ type }) => type === "reasoning")
    .flatMap((item) => [...objectsAt(item, "summary"), ...objectsAt(item, "content")]);
  return {
    id: nameAt(body, "id"),
    model: nameAt(body, "model"),
    text: textsOf(parts, "output_text", "text"),
    reasoning: joined(thoughts.map((part) => textAt(part, "text") ?? "")),
    refusal: textsOf(parts, "refusal", "refusal"),
    calls,
    finish: readFinish(body, calls.length > 0),
    usage: readUsage(body["usage"]),
    ...tierIn(body),
  };
}

function textsOf(parts: readonly JsonObject[], type: string, key: string): string | null {
  return joined(parts.filter((part) => part["type"] === type).map((part) => textAt(part, key) ?? ""));
}

function readFinish(body: JsonObject, hasCalls: boolean): FinishReason | null {
  const { status } = body;
  if (status === "failed" || status === "cancelled") return "error";
  if (status === "incomplete") {
    const reason = textAt(objectAt(body, "incomplete_details"), "reason");
    return reason === "content_filter" ? "content_filter" : "length";
  }
  if (status === "completed") return hasCalls ? "tool_call" : "stop";
  return null;
}

/** An item of a stream that has not arrived completely: its values so far, and the texts that arrive in chunks. */
interface GrowingItem {
  item: JsonObject;
  readonly texts: Map<string, { readonly kind: string; text: string }>;
}

const delta =
  /^response\.(output_text|refusal|reasoning_summary_text|reasoning_text|function_call_arguments|custom_tool_call_input)\.delta$/;

export class EventReader implements AnswerReader {
  failure: ModelFailure | null = null;
  #response: JsonObject | null = null;
  readonly #items = new Map<number, GrowingItem>();

  push({ data }: StreamPiece): void {
    const event = parseJson(data);
    if (!isObject(event)) return;
    const type = textAt(event, "type") ?? "";
    const at = typeof event["output_index"] === "number" ? event["output_index"] : 0;
    if (isObject(event["response"])) this.#response = event["response"];
    if (type === "error") this.failure = failureInStream(event["error"] ?? event);
    else if (type === "response.failed") {
      this.failure = failureInStream(objectAt(objectAt(event, "response"), "error"));
    } else if (type === "response.output_item.added" || type === "response.output_item.done") {
      this.#items.set(at, { item: objectAt(event, "item"), texts: new Map() });
    } else {
      const [, kind] = delta.exec(type) ?? [];
      const item = this.#items.get(at);
      if (kind !== undefined && item !== undefined) grow(item, kind, event);
    }
  }

  answer(): ModelAnswer | null {
    if (this.#response === null) return null;
    // Some providers omit the items in the last event; then the items of the earlier events are used.
    const isWhole = objectsAt(this.#response, "output").length >= this.#items.size;
    if (isWhole) return readAnswer(this.#response);
    const output = [...this.#items].sort(([a], [b]) => a - b).map(([, item]) => wholeItem(item));
    return readAnswer({ ...this.#response, output });
  }
}

function grow({ texts }: GrowingItem, kind: string, event: JsonObject): void {
  const place = `${kind} ${JSON.stringify(event["content_index"] ?? event["summary_index"] ?? 0)}`;
  const grown = texts.get(place) ?? { kind, text: "" };
  grown.text += textAt(event, "delta") ?? "";
  texts.set(place, grown);
}

function wholeItem({ item, texts }: GrowingItem): JsonObject {
  if (texts.size === 0) return item;
  const all = [...texts.values()];
  const [first] = all;
  if (item["type"] === "function_call") return { ...item, arguments: first?.text ?? "" };
  if (item["type"] === "custom_tool_call") return { ...item, input: first?.text ?? "" };
  if (item["type"] === "reasoning") return { ...item, summary: all.map(({ text }) => ({ text })) };
  const content = all.map(({ kind, text }) =>
    kind === "refusal" ? { type: "refusal", refusal: text } : { type: "output_text", text },
  );
  return { ...item, content };
}
