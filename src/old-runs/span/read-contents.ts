import { isArray, type JsonValue } from "../../model/json.ts";
import type { Message, MessageRole, RequestedCall } from "../../model/message.ts";
import type { Attached } from "./read-events.ts";
import type { Field } from "../../../adapters/field-names.ts";
import { undeclaredValue } from "../undeclared/undeclared-events.ts";
import type { Histories } from "../messages/history.ts";
import type { Reading, SpanReading } from "./span-reading.ts";
import { readCall } from "../messages/read-call.ts";
import { withPrintedSteps } from "../messages/printed-steps.ts";
import { withNamedResults } from "../messages/named-results.ts";
import { messagesWithin, readMessages, textMessage } from "../messages/read-messages.ts";
import { isPlaceholder } from "../text/placeholder.ts";
import { isObject } from "../../model/json.ts";

/** What a model call was sent: the richest of all places where the span has messages. */
export function inputsOf(reading: SpanReading, attached: Attached): readonly Message[] {
  const known = knownInputs(reading, attached);
  if (known.length > 0) return known;
  const inferred = inferAll(reading, attached) ? knownInputs(reading, attached) : known;
  return inferred.length > 0 ? inferred : inEvents(attached, ["inputMessages", "input"], "user");
}

/** False where nothing is left to infer from: neither the span's attributes nor those of its events. */
function inferAll(reading: Reading, attached: Attached): boolean {
  const own = reading.infer() !== undefined;
  return attached.readings.reduce((some, one) => one.infer() !== undefined || some, own);
}

/**
 * From the places that declare messages, then from those that may hold anything. A complete list ends the search; of incomplete ones the
 * richest counts.
 */
function knownInputs(reading: SpanReading, attached: Attached): readonly Message[] {
  const found = new Candidates(isWholeInput);
  const sources = attached.readings.length === 0 ? [reading] : [reading, ...attached.readings];
  for (const source of sources) {
    if (!source.has("inputMessages")) continue;
    for (const value of source.all("inputMessages"))
      if (found.add(readMessages(value, "user", reading.histories)) && hasNoMoreCalls(found.best, sources))
        return asSent(found.best);
  }
  if (attached.inputs.length > 0 && found.add(attached.inputs) && hasNoMoreCalls(found.best, sources))
    return asSent(found.best);
  if (reading.has("eventMessages")) found.add(listedEvents(reading, false));
  for (const source of sources) {
    if (source.has("input"))
      for (const value of source.all("input")) addGeneric(value, "user", found, reading.histories);
  }
  return asSent(found.best);
}

/** Texts that stand for calls and results of tools as these. */
function asSent(messages: readonly Message[]): readonly Message[] {
  return withNamedResults(withPrintedSteps(messages));
}

/** What a model call returned. */
export function outputsOf(reading: SpanReading, attached: Attached): readonly Message[] {
  const known = knownOutputs(reading, attached);
  if (known.length > 0) return known;
  const inferred = inferAll(reading, attached) ? knownOutputs(reading, attached) : known;
  return inferred.length > 0 ? inferred : inEvents(attached, ["outputMessages", "output"], "assistant");
}

/** In events and log records that nobody declared, by the looks of their names. */
function inEvents(
  { uncorrelated }: Attached,
  fields: readonly Field[],
  role: MessageRole,
): readonly Message[] {
  return uncorrelated.length === 0 ? [] : messagesWithin(undeclaredValue(uncorrelated, ...fields), role);
}

function knownOutputs(reading: SpanReading, attached: Attached): readonly Message[] {
  const found = new Candidates(isWholeOutput);
  const sources = attached.readings.length === 0 ? [reading] : [reading, ...attached.readings];
  for (const source of sources) {
    if (source.has("outputMessages")) {
      for (const value of source.all("outputMessages"))
        if (found.add(readMessages(value, "assistant", reading.histories))) return found.best;
    }
    const apart = textAndCalls(source);
    if (apart !== undefined && found.add([apart])) return found.best;
  }
  if (attached.outputs.length > 0 && found.add(attached.outputs)) return found.best;
  if (reading.has("eventMessages")) found.add(listedEvents(reading, true));
  for (const source of sources) {
    if (source.has("output"))
      for (const value of source.all("output")) addGeneric(value, "assistant", found, reading.histories);
  }
  if (found.best.length === 0) return derivedCalls(reading);
  return found.best;
}

/** A value without a notation of its own: messages if there are any in it, else a plain text. */
function addGeneric(value: JsonValue, role: MessageRole, found: Candidates, histories: Histories): void {
  const messages = messagesWithin(value, role, histories);
  if (messages.length > 0) found.add(messages);
  else if (typeof value === "string") {
    if (!isPlaceholder(value) && !isNull(value)) found.add([textMessage(value, role)]);
  } else if (isTexts(value)) found.add(value.map((text) => textMessage(text, role)));
  else if (role === "user") found.add(prompts(value).map((text) => textMessage(text, role)));
}

/** What a serialiser writes where there is nothing: a call that failed returned no such word. */
function isNull(text: string): boolean {
  return text === "null" || text === "None";
}

/** No message of the history is empty: some producers leave the tool calls or their results out of one notation. */
function isWholeInput(messages: readonly Message[]): boolean {
  return messages.length > 0 && messages.every(isWhole);
}

const speaksOfCalls = /tool_?call|tool-call|tool_?use|function_?call/i;

/** Some producers leave out all messages but the texts: without a call among them, no other place may mention one. */
function hasNoMoreCalls(messages: readonly Message[], sources: readonly Reading[]): boolean {
  if (messages.some(({ calls, results }) => calls.length + results.length > 0)) return true;
  return !sources.some((source) => {
    if (!source.has("input")) return false;
    const text = source.text("input");
    return text === undefined || speaksOfCalls.test(text);
  });
}

function isWholeOutput(messages: readonly Message[]): boolean {
  return messages.length > 0 && messages.every((message) => message.role === "assistant" && isWhole(message));
}

function isWhole({ text, calls, results }: Message): boolean {
  for (const call of calls) if (call.name === null || call.arguments === undefined) return false;
  for (const result of results) if (result.content === undefined) return false;
  return (text !== null && text !== "") || calls.length > 0 || results.length > 0;
}

/** What a completion was asked to complete: a request that has a prompt instead of messages. */
function prompts(value: JsonValue): readonly string[] {
  if (!isObject(value)) return [];
  const prompt = value["prompt"] ?? value["prompts"] ?? value["inputText"];
  if (typeof prompt === "string") return prompt === "" ? [] : [prompt];
  return prompt !== undefined && isTexts(prompt) ? prompt : [];
}

function isTexts(value: JsonValue): value is string[] {
  return isArray(value) && value.length > 0 && value.every((text) => typeof text === "string");
}

/** The old message events as a list in one attribute: choices are the answer, the rest is what was sent. */
function listedEvents(reading: Reading, choices: boolean): readonly Message[] {
  const list = reading.json("eventMessages");
  const wanted = (isArray(list) ? list : []).filter(
    (event) => isObject(event) && (event["event.name"] === "gen_ai.choice") === choices,
  );
  return readMessages(wanted, choices ? "assistant" : "user");
}

/** Text and calls of one answer in attributes of their own. */
function textAndCalls(reading: Reading): Message | undefined {
  const text = reading.has("outputText") ? reading.text("outputText") : undefined;
  const calls = reading.has("outputCalls") ? callsIn(reading.json("outputCalls")) : [];
  if (text === undefined && calls.length === 0) return undefined;
  return { role: "assistant", name: null, text: text ?? null, calls, results: [] };
}

/**
 * The requests that an adapter derives, where nothing else shows what a call returned: contents are switched off. Without ids they may be some of
 * several.
 */
function derivedCalls(reading: Reading): readonly Message[] {
  const [given] = reading.all("outputCalls");
  const calls = callsIn(given);
  const isWhole = calls.length > 0 && calls.every(({ id }) => id !== null);
  return isWhole ? [{ role: "assistant", name: null, text: null, calls, results: [] }] : [];
}

function callsIn(given: JsonValue | undefined): RequestedCall[] {
  const list = isArray(given) ? given : given === undefined ? [] : [given];
  return list.flatMap((call) => (isObject(call) ? (readCall(call) ?? []) : []));
}

/** The messages that several places hold of one side of a call. */
class Candidates {
  best: readonly Message[] = [];
  #weight: Weight | undefined;
  readonly #isComplete: (messages: readonly Message[]) => boolean;

  constructor(isComplete: (messages: readonly Message[]) => boolean) {
    this.#isComplete = isComplete;
  }

  /** Calls weigh most, then results, then texts; of equals the first counts. Returns whether the best is complete. */
  add(messages: readonly Message[]): boolean {
    if (this.best.length === 0) {
      this.best = messages;
      return this.#isComplete(messages);
    }
    const weight = weigh(messages);
    this.#weight ??= weigh(this.best);
    if (compare(weight, this.#weight) <= 0) return false;
    this.best = messages;
    this.#weight = weight;
    return this.#isComplete(messages);
  }
}

type Weight = readonly [calls: number, results: number, texts: number];

function weigh(messages: readonly Message[]): Weight {
  let calls = 0;
  let results = 0;
  let texts = 0;
  for (const message of messages) {
    for (const call of message.calls) calls += call.name === null ? 0 : call.arguments === undefined ? 1 : 2;
    for (const result of message.results) results += result.content === undefined ? 1 : 2;
    if (message.text !== null && message.text !== "") texts += 1;
  }
  return [calls, results, texts];
}

function compare(a: Weight, b: Weight): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
