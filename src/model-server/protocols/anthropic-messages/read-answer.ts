import { isObject, type JsonObject, type JsonValue, parseJson } from "../../../model/json.ts";
import type { FinishReason, ModelAnswer } from "../../../model/model-exchange.ts";
import { readArguments } from "../messages.ts";
import { listAt, nameAt, objectAt, objectsAt, textAt, tierIn } from "../fields.ts";
import type { AnswerReader, ModelFailure, StreamPiece } from "../protocol.ts";
import { joined } from "../texts.ts";
import { readFailure } from "./failure.ts";
import { readCall } from "./read-request.ts";
import { readUsage } from "./usage.ts";

const reasons: ReadonlyMap<string | null, FinishReason> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["pause_turn", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool_call"],
  ["refusal", "content_filter"],
]);

export function readAnswer(body: JsonValue): ModelAnswer | null {
  if (!isObject(body) || !("content" in body)) return null;
  const blocks = objectsAt(body, "content");
  const texts = (type: string, key: string): string | null =>
    joined(blocks.filter((block) => block["type"] === type).map((block) => textAt(block, key) ?? ""));
  return {
    id: nameAt(body, "id"),
    model: nameAt(body, "model"),
    text: texts("text", "text"),
    reasoning: texts("thinking", "thinking"),
    refusal: textAt(objectAt(body, "stop_details"), "explanation"),
    calls: blocks.filter(({ type }) => type === "tool_use").map(readCall),
    finish: reasons.get(textAt(body, "stop_reason")) ?? null,
    usage: readUsage(body["usage"]),
    ...tierIn(objectAt(body, "usage")),
  };
}

/** For each kind of delta: the delta's key that contains the added text, and the block's key to which this text is appended. */
const growth: ReadonlyMap<string | null, readonly [from: string, to: string]> = new Map([
  ["text_delta", ["text", "text"]],
  ["thinking_delta", ["thinking", "thinking"]],
  ["input_json_delta", ["partial_json", "json"]],
]);

export class EventReader implements AnswerReader {
  failure: ModelFailure | null = null;
  #message: JsonObject | null = null;
  readonly #blocks = new Map<
    number,
    { readonly start: JsonObject; readonly grown: Record<string, string> }
  >();
  #ending: JsonObject = {};
  #usage: JsonObject = {};

  push({ data }: StreamPiece): void {
    const event = parseJson(data);
    if (!isObject(event)) return;
    const index = typeof event["index"] === "number" ? event["index"] : 0;
    switch (textAt(event, "type") ?? "") {
      case "message_start":
        this.#message = objectAt(event, "message");
        this.#addUsage(objectAt(this.#message, "usage"));
        break;
      case "content_block_start":
        this.#blocks.set(index, { start: objectAt(event, "content_block"), grown: {} });
        break;
      case "content_block_delta":
        this.#addDelta(index, objectAt(event, "delta"));
        break;
      case "message_delta":
        this.#ending = { ...this.#ending, ...objectAt(event, "delta") };
        this.#addUsage(objectAt(event, "usage"));
        break;
      case "error":
        this.failure = readFailure(0, event);
        break;
      default:
    }
  }

  answer(): ModelAnswer | null {
    if (this.#message === null) return null;
    const blocks = [...this.#blocks].sort(([a], [b]) => a - b).map(([, block]) => wholeBlock(block));
    const content = [...listAt(this.#message, "content"), ...blocks];
    return readAnswer({ ...this.#message, content, ...this.#ending, usage: this.#usage });
  }

  #addDelta(index: number, delta: JsonObject): void {
    const block = this.#blocks.get(index);
    const [from, to] = growth.get(textAt(delta, "type")) ?? [];
    if (block === undefined || from === undefined || to === undefined) return;
    block.grown[to] = (block.grown[to] ?? "") + (textAt(delta, from) ?? "");
  }

  /** Adds usage. Counts are cumulative: a later count replaces an earlier count, and a missing count changes nothing. */
  #addUsage(usage: JsonObject): void {
    const known = Object.entries(usage).filter(([, value]) => value !== null);
    this.#usage = { ...this.#usage, ...Object.fromEntries(known) };
  }
}

function wholeBlock({
  start,
  grown: { json, ...texts },
}: {
  readonly start: JsonObject;
  readonly grown: Readonly<Record<string, string>>;
}): JsonObject {
  const grown = Object.entries(texts).map(([key, text]) => [key, (textAt(start, key) ?? "") + text]);
  return {
    ...start,
    ...Object.fromEntries(grown),
    ...(json === undefined || json === "" ? {} : { input: readArguments(json) ?? null }),
  };
}
