import { inputsOf, outputsOf } from "../calls/call-messages.ts";
import { finishReason, type LlmCall } from "../calls/llm-call.ts";
import type { Evidence } from "../evidence.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { ReadMessage } from "../notations/message.ts";
import { isArray } from "../../model/json.ts";
import { unfold } from "../notations/parse-text.ts";
import { speakersOf } from "./speakers.ts";

/** Whether the model stopped by itself after a text that was recorded and is empty. */
export function endsEmpty(call: LlmCall): boolean {
  if (call.isCut || call.text !== null || call.finish === "tool_call" || !call.isServed(call.requests))
    return false;
  return [call.node, ...call.around].some(holdsEmptyText);
}

/**
 * Whether an agent, or the step that encloses the run, returned a text that was recorded and is empty. No message of the root is an empty
 * text if the last call stopped by itself and the root's question is recorded.
 */
export function returnsEmpty({ root, nodes }: Evidence, last: LlmCall | null): boolean {
  if (speakersOf(root, nodes).some(holdsEmptyText)) return true;
  const hasEnded = last?.finish === "stop" || last?.finish === "length";
  return hasEnded && root.role === "agent" && hasNoMessage(root) && hasQuestion(root);
}

/** Whether the output is a list without messages, or a last message without parts. */
function hasNoMessage(node: SpanFacts): boolean {
  const outputs = outputsOf(node);
  const last = outputs[outputs.length - 1];
  if (last === undefined) {
    const written = node.nthRaw(F.outputMessages, 0);
    const list = written === undefined ? undefined : unfold(written);
    return isArray(list) && list.length === 0;
  }
  return last.role === "assistant" && last.hasNoParts && last.calls.length === 0 && last.results.length === 0;
}

function hasQuestion(node: SpanFacts): boolean {
  return inputsOf(node).some((input) => input.text !== null && input.text !== "");
}

/** Whether the last text that a span returned is recorded and empty. */
export function holdsEmptyText(node: SpanFacts): boolean {
  const outputs = outputsOf(node);
  const last = outputs[outputs.length - 1];
  if (last !== undefined && isEmptyMessage(last, node)) return true;
  if (!node.isEmptyAt(F.outputText) && !node.isEmptyAt(F.output)) return false;
  return outputs.every(({ text, calls }) => (text ?? "").trim() === "" && calls.length === 0);
}

/**
 * A list without parts is an empty text if the model stopped by itself and the span's other texts are recorded. Otherwise the list proves
 * nothing: producers also write it in place of requests, or while content capture is off.
 */
function isEmptyMessage(message: ReadMessage, node: SpanFacts): boolean {
  const { role, text, calls, results } = message;
  if (role !== "assistant" || calls.length > 0 || results.length > 0) return false;
  if (text !== null) return text.trim() === "";
  if (!message.hasNoParts) return false;
  // `completed` is the state of a response, which may have asked for tools.
  const written = message.finish ?? node.valueAt(F.finish);
  if (JSON.stringify(written ?? "").includes("completed")) return false;
  const ended = finishReason(message.finish ?? undefined) ?? finishReason(node.valueAt(F.finish));
  return (ended === "stop" || ended === "length") && (inputsOf(node).length === 0 || hasQuestion(node));
}
