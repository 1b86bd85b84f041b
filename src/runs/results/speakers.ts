import { above, isTool } from "../calls/tree.ts";
import { inputsOf, outputsOf } from "../calls/call-messages.ts";
import { finishReason, type LlmCall } from "../calls/llm-call.ts";
import { repeatsFailure } from "../facts/failure.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { answerIn, storedAnswer, structuredAnswer, structuredBegin } from "../notations/words.ts";
import type { Evidence } from "../evidence.ts";
import type { ReadMessage } from "../notations/message.ts";
import { isArray, type JsonValue } from "../../model/json.ts";
import { isOpen, unfold } from "../notations/parse-text.ts";

/** Returns the spans whose output may be the answer, best first: the root, then agents outside of tools, the latest end first. */
export function speakersOf(root: SpanFacts, nodes: readonly SpanFacts[]): readonly SpanFacts[] {
  const inner = nodes.filter((node) => isSpeaker(node) && node !== root && above(node, isTool) === null);
  inner.sort((a, b) => b.end - a.end);
  return mayAnswer(root) ? [root, ...inner] : inner;
}

/**
 * Whether the output of a span may be an answer. The output of a tool is a result; the output of a call with tool requests is the request.
 * Neither is an answer.
 */
export function mayAnswer(root: SpanFacts): boolean {
  if (root.role !== "call") return root.role !== "tool";
  if (finishReason(root.valueAt(F.finish)) === "tool_call") return false;
  return outputsOf(root).every(({ calls, text }) => calls.length === 0 || (text ?? "") !== "");
}

/** Whether a span is an agent, a workflow, or a step that is the only child of its parent. */
function isSpeaker(node: SpanFacts): boolean {
  if (node.role === "agent" || node.role === "workflow") return true;
  return node.role === "step" && node.parent?.children.length === 1;
}

export function answerOfSpan(node: SpanFacts): string | null {
  const text = wordsOfSpan(node);
  return text !== null && node.failure !== null && repeatsFailure(text, node.failure) ? null : text;
}

const outputFields = [F.outputText, F.outputMessages, F.output];

/** Whether the output of a span has an answer, or is truncated at a place where an answer may follow. */
export function mayHoldAnswer(node: SpanFacts): boolean {
  return answerOfSpan(node) !== null || outputFields.some((field) => isOpen(node.valueAt(field)));
}

/** Returns the recorded beginning of a truncated structured answer, from the first span that has one; null if there is none. */
export function beginOfAnswer({ root, nodes }: Evidence): string | null {
  for (const node of speakersOf(root, nodes))
    for (const field of outputFields) {
      const begin = structuredBegin(node.nthRaw(field, 0));
      if (begin !== null) return begin;
    }
  return null;
}

/** Returns the first text that `read` finds in these fields of a span; null if there is none. */
export function firstIn(
  node: SpanFacts,
  fields: readonly number[],
  read: (value: JsonValue, field: number) => string | null,
): string | null {
  for (const field of fields)
    for (let nth = 0; ; nth++) {
      const value = node.nthValue(field, nth);
      if (value === undefined) break;
      const found = read(value, field);
      if (found !== null) return found;
    }
  return null;
}

function wordsOfSpan(node: SpanFacts): string | null {
  const found = firstIn(
    node,
    outputFields,
    (value, field) =>
      (field === F.outputText ? structuredAnswer(value) : storedAnswer(value)) ?? answerIn(value),
  );
  if (found !== null || (node.span.events.length === 0 && node.span.logs.length === 0)) return found;
  const message = outputsOf(node).findLast(
    ({ role, text, calls }) =>
      role === "assistant" && text !== null && text.trim() !== "" && calls.length === 0,
  );
  return message?.text ?? null;
}

/** The stored result in an agent span; null if there is none. */
export function storedIn(node: SpanFacts): string | null {
  if (node.hasField(F.outputText)) return structuredAnswer(node.valueAt(F.outputText));
  return node.hasField(F.output) ? storedAnswer(node.valueAt(F.output)) : null;
}

/** Whether the model stopped by itself (not for tools) after an empty text, and the empty text was recorded. */
export function endsEmpty(call: LlmCall): boolean {
  if (call.isCut || call.text !== null || call.finish === "tool_call" || !call.isServed(call.requests))
    return false;
  return [call.node, ...call.around].some(holdsEmptyText);
}

/**
 * Whether the run's root, or an agent in the run and outside of tools, returned an empty text that was recorded. If the last call stopped
 * by itself and the root's question is recorded, an empty message list as the root's output counts as an empty text.
 */
export function returnsEmpty({ root, nodes }: Evidence, last: LlmCall | null): boolean {
  if (speakersOf(root, nodes).some(holdsEmptyText)) return true;
  return hasEnded(last?.finish ?? null) && root.role === "agent" && hasNoMessage(root) && hasQuestion(root);
}

/** Whether the finish reason means that no further text follows. A content filter can withhold the complete text. */
function hasEnded(finish: string | null): boolean {
  return finish === "stop" || finish === "length" || finish === "content_filter";
}

/** Whether the output is a message list without messages, or its last message has no parts. */
function hasNoMessage(node: SpanFacts): boolean {
  const outputs = outputsOf(node);
  const last = outputs[outputs.length - 1];
  if (last === undefined) {
    const written = node.nthRaw(F.outputMessages, 0);
    const list = written === undefined ? undefined : unfold(written);
    return isArray(list) && list.length === 0 && !isOpen(list);
  }
  return last.role === "assistant" && last.hasNoParts && last.calls.length === 0 && last.results.length === 0;
}

function hasQuestion(node: SpanFacts): boolean {
  return inputsOf(node).some((input) => input.text !== null && input.text !== "");
}

/** Whether the last text that a span returned was recorded and is empty. */
export function holdsEmptyText(node: SpanFacts): boolean {
  const outputs = outputsOf(node);
  const last = outputs[outputs.length - 1];
  if (last !== undefined && isEmptyMessage(last, node)) return true;
  if (!node.isEmptyAt(F.outputText) && !node.isEmptyAt(F.output)) return false;
  return outputs.every(({ text, calls }) => (text ?? "").trim() === "" && calls.length === 0);
}

/**
 * Whether a message has an empty text that was recorded. A message whose list of parts is empty counts if the model stopped by itself and
 * the span's other texts are recorded. Otherwise an empty list proves nothing: producers also write it instead of requests, or while
 * content capture is off.
 */
function isEmptyMessage(message: ReadMessage, node: SpanFacts): boolean {
  const { role, text, calls, results } = message;
  if (role !== "assistant" || calls.length > 0 || results.length > 0) return false;
  if (text !== null) return text.trim() === "";
  if (!message.hasNoParts) return false;
  // `completed` is the state of a response, and the response may have requested tools.
  const written = message.finish ?? node.valueAt(F.finish);
  if (JSON.stringify(written ?? "").includes("completed")) return false;
  const ended = finishReason(message.finish ?? undefined) ?? finishReason(node.valueAt(F.finish));
  return hasEnded(ended) && (inputsOf(node).length === 0 || hasQuestion(node));
}
