import { isArray, type JsonValue } from "../../model/json.ts";
import type { MessageRole, RequestedCall } from "../../model/message.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { ReadMessage, readMessages } from "../notations/message.ts";
import { unfold } from "../notations/parse-text.ts";
import { fromEvents, listedEvents } from "./event-messages.ts";

const none: readonly ReadMessage[] = [];

/**
 * Returns the input messages of a model call or agent. They are those of the first source that is complete; if no source is complete, those
 * of the source with the most content.
 */
export function inputsOf(facts: SpanFacts): readonly ReadMessage[] {
  let best = declared(facts, F.inputMessages, "user");
  if (isWholeInput(best, facts)) return best;
  best = richer(best, fromEvents(facts, false));
  if (isWholeInput(best, facts)) return best;
  best = richer(best, listedEvents(facts, false));
  best = richer(best, generic(facts, F.input, "user"));
  return best;
}

/**
 * Whether the messages are a complete input of a model call. System instructions alone are incomplete. Messages without tool calls are
 * incomplete if the text of the span's input attribute mentions tool calls.
 */
function isWholeInput(messages: readonly ReadMessage[], facts: SpanFacts): boolean {
  return (
    isWhole(messages) &&
    messages.some(({ role }) => role !== "system") &&
    (hasCalls(messages) || !speaksOfCalls(facts))
  );
}

/** Returns the output messages of a model call or agent; the source is chosen as in `inputsOf`. */
export function outputsOf(facts: SpanFacts): readonly ReadMessage[] {
  return withDerivedCalls(facts, writtenOutputs(facts));
}

function writtenOutputs(facts: SpanFacts): readonly ReadMessage[] {
  let best = declared(facts, F.outputMessages, "assistant");
  if (isWhole(best)) return best;
  best = richer(best, textAndCalls(facts));
  if (isWhole(best)) return best;
  best = richer(best, fromEvents(facts, true));
  if (isWhole(best)) return best;
  best = richer(best, listedEvents(facts, true));
  return richer(best, generic(facts, F.output, "assistant"));
}

function declared(facts: SpanFacts, field: number, role: MessageRole): readonly ReadMessage[] {
  if (!facts.hasField(field) && facts.dialects.derive?.[field] === undefined) return none;
  let best = none;
  for (let nth = 0; ; nth++) {
    const value = facts.nthRaw(field, nth);
    if (value === undefined) return best;
    best = richer(best, read(facts, field, nth, value, role));
    if (isWhole(best)) return best;
  }
}

function read(
  facts: SpanFacts,
  field: number,
  nth: number,
  value: JsonValue,
  role: MessageRole,
): readonly ReadMessage[] {
  if (typeof value !== "string") return readMessages(value, role);
  const messages = facts.values.histories.read(value, role);
  // A JSON object or list in which no messages were found is not a message. A number is a text.
  const isText = messages.length === 1 && messages[0]?.text === value;
  return isText && typeof facts.nthValue(field, nth) === "object" ? none : messages;
}

/** Returns the messages in a field that may contain any value. Plain text becomes one message. */
function generic(facts: SpanFacts, field: number, role: MessageRole): readonly ReadMessage[] {
  if (!facts.hasField(field)) return none;
  let best = none;
  for (let nth = 0; ; nth++) {
    const given = facts.nthRaw(field, nth);
    if (given === undefined) return best;
    if (given === "null" || given === "None") continue;
    // A list with one text counts as this text, even if the list is written as JSON in a string.
    const list = typeof given === "string" && given.startsWith('["') ? unfold(given) : given;
    const only = isArray(list) && list.length === 1 ? list[0] : undefined;
    best = richer(
      best,
      typeof only === "string" ? readMessages(only, role) : read(facts, field, nth, given, role),
    );
    if (isWhole(best) && hasCalls(best)) return best;
  }
}

const callWords = /tool_?call|tool-call|tool_?use|function_?call/i;

/** Whether the span's input attribute may contain tool calls. */
function speaksOfCalls(facts: SpanFacts): boolean {
  if (!facts.hasField(F.input)) return false;
  const text = facts.nthRaw(F.input, 0);
  return typeof text === "string" ? callWords.test(text) : text !== undefined;
}

function hasCalls(messages: readonly ReadMessage[]): boolean {
  for (const { calls, results } of messages) if (calls.length + results.length > 0) return true;
  return false;
}

/**
 * Whether the messages are complete. No message is empty or truncated, each tool call has its name and arguments, and each result has its
 * content. There are either no results, or at least as many results as calls. Some producers omit tool calls or results in one of their
 * notations, or truncate one of them.
 */
function isWhole(messages: readonly ReadMessage[]): boolean {
  if (messages.length === 0) return false;
  let called = 0;
  let returned = 0;
  for (const { text, calls, results, isCut } of messages) {
    if (isCut) return false;
    for (const call of calls) if (call.name === null || call.arguments === undefined) return false;
    for (const result of results) if (result.content === undefined) return false;
    if ((text === null || text === "") && calls.length === 0 && results.length === 0) return false;
    called += calls.length;
    returned += results.length;
  }
  return returned === 0 || returned >= called;
}

/**
 * Returns the list with more content: the number of tool calls decides, then results, then texts, then recorded empty texts. Of two texts,
 * one of which is truncated, the complete one has more content.
 */
function richer(best: readonly ReadMessage[], other: readonly ReadMessage[]): readonly ReadMessage[] {
  if (other.length === 0) return best;
  if (best.length === 0) return other;
  return weigh(other) > weigh(best) ? other : best;
}

function weigh(messages: readonly ReadMessage[]): number {
  let weight = 0;
  for (const { text, calls, results, isCut } of messages) {
    for (const call of calls) weight += call.name === null ? 0 : call.arguments === undefined ? 1e8 : 2e8;
    for (const result of results) weight += result.content === undefined ? 1e4 : 2e4;
    if (text !== null) weight += text === "" ? 1e-4 : isCut ? 0.5 : 1;
  }
  return weight;
}

/** Returns the message of an answer whose text and tool calls are in separate attributes. */
function textAndCalls(facts: SpanFacts): readonly ReadMessage[] {
  const hasText = facts.hasField(F.outputText) || facts.dialects.derive?.[F.outputText] !== undefined;
  const hasCalls = facts.hasField(F.outputCalls);
  if (!hasText && !hasCalls) return none;
  const text = hasText ? facts.textAt(F.outputText) : null;
  const calls = hasCalls ? callsIn(facts.valueAt(F.outputCalls)) : [];
  return text === null && calls.length === 0 ? none : [answerWith(text, calls)];
}

/**
 * Adds the tool requests that an adapter derives, if no message has a request. Messages lack requests if content capture is off, or if they
 * are plain texts.
 */
function withDerivedCalls(facts: SpanFacts, written: readonly ReadMessage[]): readonly ReadMessage[] {
  if (facts.dialects.derive?.[F.outputCalls] === undefined || hasCalls(written)) return written;
  const calls = callsIn(facts.valueAt(F.outputCalls));
  return calls.length > 0 ? [answerWith(written.at(-1)?.text ?? null, calls)] : written;
}

function callsIn(given: JsonValue | undefined): readonly RequestedCall[] {
  if (given === undefined) return [];
  const message = { role: "assistant", tool_calls: isArray(given) ? given : [given] };
  return readMessages(message, "assistant").flatMap(({ calls }) => calls);
}

function answerWith(text: string | null, calls: readonly RequestedCall[]): ReadMessage {
  const message = new ReadMessage("assistant");
  if (text !== null) message.addText(text);
  message.calls = calls;
  return message;
}
