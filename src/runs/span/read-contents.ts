import { isArray, type JsonValue } from "../../model/json.ts";
import type { Message, MessageRole } from "../../model/message.ts";
import type { Attached } from "./read-events.ts";
import type { Field } from "../layout/fields.ts";
import { looseValue } from "../inference/unclaimed-events.ts";
import type { Reading } from "./span-reading.ts";
import { readCall } from "../messages/read-call.ts";
import { withPrintedSteps } from "../messages/printed-steps.ts";
import { messagesWithin, readMessages, textMessage } from "../messages/read-messages.ts";
import { isPlaceholder } from "../text/placeholder.ts";
import { isObject } from "../../model/json.ts";

/** What a model call was sent: the richest of all places where the span has messages. */
export function inputsOf(reading: Reading, attached: Attached): readonly Message[] {
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

function knownInputs(reading: Reading, attached: Attached): readonly Message[] {
  const found: (readonly Message[])[] = [];
  for (const source of [reading, ...attached.readings]) {
    for (const value of source.all("inputMessages")) found.push(readMessages(value, "user"));
  }
  if (attached.inputs.length > 0) found.push(attached.inputs);
  if (reading.has("eventMessages")) found.push(listedEvents(reading, false));
  for (const source of [reading, ...attached.readings]) addGeneric(source.all("input"), "user", found);
  return withPrintedSteps(richest(found));
}

/** What a model call returned. */
export function outputsOf(reading: Reading, attached: Attached): readonly Message[] {
  const known = knownOutputs(reading, attached);
  if (known.length > 0) return known;
  const inferred = inferAll(reading, attached) ? knownOutputs(reading, attached) : known;
  return inferred.length > 0 ? inferred : inEvents(attached, ["outputMessages", "output"], "assistant");
}

/** In events and log records that nobody declared, by the looks of their names. */
function inEvents({ loose }: Attached, fields: readonly Field[], role: MessageRole): readonly Message[] {
  return loose.length === 0 ? [] : messagesWithin(looseValue(loose, ...fields), role);
}

function knownOutputs(reading: Reading, attached: Attached): readonly Message[] {
  const found: (readonly Message[])[] = [];
  for (const source of [reading, ...attached.readings]) {
    for (const value of source.all("outputMessages")) found.push(readMessages(value, "assistant"));
    const apart = textAndCalls(source);
    if (apart !== undefined) found.push([apart]);
  }
  if (attached.outputs.length > 0) found.push(attached.outputs);
  if (reading.has("eventMessages")) found.push(listedEvents(reading, true));
  for (const source of [reading, ...attached.readings]) addGeneric(source.all("output"), "assistant", found);
  return richest(found);
}

/** Values without a notation of their own: messages if there are any in them, else a plain text. */
function addGeneric(values: readonly JsonValue[], role: MessageRole, found: (readonly Message[])[]): void {
  for (const value of values) {
    const messages = messagesWithin(value, role);
    if (messages.length > 0) found.push(messages);
    else if (typeof value === "string") {
      if (!isPlaceholder(value)) found.push([textMessage(value, role)]);
    } else if (isTexts(value)) found.push(value.map((text) => textMessage(text, role)));
    else if (role === "user") found.push(prompts(value).map((text) => textMessage(text, role)));
  }
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
function listedEvents(reading: Reading, choices: boolean): Message[] {
  const list = reading.json("eventMessages");
  const wanted = (isArray(list) ? list : []).filter(
    (event) => isObject(event) && (event["event.name"] === "gen_ai.choice") === choices,
  );
  return readMessages(wanted, choices ? "assistant" : "user");
}

/** Text and calls of one answer in attributes of their own. */
function textAndCalls(reading: Reading): Message | undefined {
  const text = reading.has("outputText") ? reading.text("outputText") : undefined;
  const given = reading.has("outputCalls") ? reading.json("outputCalls") : undefined;
  const list = isArray(given) ? given : given === undefined ? [] : [given];
  const calls = list.flatMap((call) => (isObject(call) ? (readCall(call) ?? []) : []));
  if (text === undefined && calls.length === 0) return undefined;
  return { role: "assistant", name: null, text: text ?? null, calls, results: [] };
}

/** Calls weigh most, then results, then texts; of equals the first. */
function richest(found: readonly (readonly Message[])[]): readonly Message[] {
  let best = found[0] ?? [];
  if (found.length < 2) return best;
  let weight = weigh(best);
  for (const messages of found.slice(1)) {
    const other = weigh(messages);
    if (compare(other, weight) > 0) [best, weight] = [messages, other];
  }
  return best;
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
