import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import { key } from "../../model/telemetry/attribute-key.ts";
import type { MessageRole } from "../../model/message.ts";
import type { EventView, LogView } from "../../model/telemetry/span-view.ts";
import { isMessageEvent, isNumberedMessage, nameOfRecord } from "../facts/events.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { type ReadMessage, readMessages } from "../notations/message.ts";
import { isPlaceholder } from "../notations/names.ts";
import { unfold } from "../notations/parse-text.ts";

const none: readonly ReadMessage[] = [];
const MESSAGE_INDEX = [key("gen_ai.message.index"), key("CHAT_MESSAGE_INDEX")];
const EVENT_CONTENT = key("gen_ai.event.content");
const eventRole = /(system|user|assistant|tool)[._]message$/;
const bodyNames = ["content", "message", "tool_calls", "id", "role", "name"] as const;
const bodyKeys = bodyNames.map((name) => key(name));

/**
 * Returns messages of the older event format that are stored as a list in one attribute: the output if `choices` is true, otherwise the
 * input. The output is the `gen_ai.choice` events; if the list has no such event, it is the model's messages at the end of the list.
 */
export function listedEvents(facts: SpanFacts, choices: boolean): readonly ReadMessage[] {
  if (!facts.hasField(F.eventMessages)) return none;
  const list = facts.valueAt(F.eventMessages);
  if (!isArray(list)) return none;
  const hasChoices = list.some(isChoice);
  // If the list has no `gen_ai.choice` event, the model's messages at its end are the output.
  const end = hasChoices ? list.length : list.findLastIndex((event) => !isSaid(event)) + 1;
  const wanted = hasChoices
    ? list.filter((event) => isChoice(event) === choices)
    : choices
      ? list.slice(end)
      : list.slice(0, end);
  return readMessages(wanted, choices ? "assistant" : "user");
}

function isChoice(event: JsonValue): boolean {
  return isObject(event) && event["event.name"] === "gen_ai.choice";
}

function isSaid(event: JsonValue): boolean {
  return (
    isObject(event) && (event["role"] === "assistant" || event["event.name"] === "gen_ai.assistant.message")
  );
}

/** Returns messages from events and log records that contain one message each. */
export function fromEvents(facts: SpanFacts, isOutput: boolean): readonly ReadMessage[] {
  const { events, logs } = facts.span;
  if (events.length === 0 && logs.length === 0) return none;
  const found: ReadMessage[] = [];
  for (const event of events) add(found, event.name, event, undefined, isOutput);
  for (const log of numbered(logs)) add(found, nameOfRecord(log), log, log.body, isOutput);
  return found;
}

/** Returns the log records in message order. Some producers number the messages of a call; all other producers send them in order. */
function numbered(logs: readonly LogView[]): readonly LogView[] {
  const indexOf = new Map<LogView, number>();
  for (const log of logs)
    for (const name of MESSAGE_INDEX) {
      const index = log.number(name);
      if (index !== undefined && !indexOf.has(log)) indexOf.set(log, index);
    }
  if (indexOf.size === 0) return logs;
  return logs.toSorted((a, b) => (indexOf.get(a) ?? Infinity) - (indexOf.get(b) ?? Infinity) || 0);
}

function add(
  found: ReadMessage[],
  name: string,
  view: EventView | LogView,
  body: JsonValue | undefined,
  isOutput: boolean,
): void {
  const isAnswer = isNumberedMessage(name) ? answerWords.test(name) : undefined;
  if (isAnswer !== undefined) {
    if (isAnswer === isOutput)
      for (const message of readMessages(byLastWord(view), isOutput ? "assistant" : "user"))
        found.push(message);
    return;
  }
  if (!isMessageEvent(name)) return;
  const role = eventRole.exec(name)?.[1] as MessageRole | undefined;
  if ((role === undefined) !== isOutput) return;
  for (const message of eventMessages(view, body, role ?? "assistant"))
    if (!isOutput || message.role !== "user") found.push(message);
}

const answerWords = /completion|output|response|choice/;
const MOST_ATTRIBUTES = 64;

/**
 * Returns the attributes of an event whose name has a number, such as `gen_ai.prompt.0`. Each key is the last part of the attribute's name.
 */
function byLastWord(view: EventView | LogView): JsonValue {
  const object: Record<string, JsonValue> = {};
  for (let place = 0; place < view.size && place < MOST_ATTRIBUTES; place++) {
    const name = view.nameAt(place);
    const value = view.valueAt(place);
    if (value !== undefined) object[name.slice(name.lastIndexOf(".") + 1)] = value;
  }
  return object;
}

/** Returns the message of one event, from its body or its attributes. */
export function eventMessages(
  view: EventView | LogView,
  body: JsonValue | undefined,
  role: MessageRole,
): readonly ReadMessage[] {
  const whole = body ?? view.value(EVENT_CONTENT);
  const value = whole === undefined ? undefined : unfold(whole);
  const object = isObject(value) && Object.keys(value).length > 0 ? value : undefined;
  if (object === undefined && typeof value === "string" && value !== "") return readMessages(value, role);
  return readMessages(inPlace(object ?? attributesOf(view), role), role);
}

function attributesOf(view: EventView | LogView): Record<string, JsonValue> {
  const object: Record<string, JsonValue> = {};
  for (const [at, attribute] of bodyKeys.entries()) {
    const given = view.json(attribute);
    if (given !== undefined && !(typeof given === "string" && isPlaceholder(given)))
      object[bodyNames[at] as string] = given;
  }
  return object;
}

/**
 * Returns the event as one message, or an empty list if it has no content. The message is the value of the event's field `message`, or the
 * event itself if the field is absent. `role` is the default role. Tool calls next to the field `message` are added.
 */
function inPlace(event: Readonly<Record<string, JsonValue>>, role: MessageRole): JsonValue {
  const given = event["message"] === undefined ? undefined : unfold(event["message"]);
  const { content: whole } = event;
  // In Google's format, the content object (role and parts) is the message.
  const own = given ?? (isObject(whole) && isArray(whole["parts"]) ? whole : undefined);
  const base = isObject(own) ? own : own === undefined ? event : { content: own };
  const object: Record<string, JsonValue> = { role, ...base };
  if (object["tool_calls"] === undefined && event["tool_calls"] !== undefined)
    object["tool_calls"] = event["tool_calls"];
  const calls = object["tool_calls"];
  if (isArray(calls)) object["tool_calls"] = calls.map((call) => unfold(call));
  if (role === "tool" && object["tool_call_id"] === undefined && object["id"] !== undefined)
    object["tool_call_id"] = object["id"];
  delete object["message"];
  return object["content"] === undefined && calls === undefined && Object.keys(base).length === 0
    ? []
    : object;
}
