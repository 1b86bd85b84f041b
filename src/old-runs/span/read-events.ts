import { key } from "../../model/telemetry/attribute-key.ts";
import { isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Message, MessageRole } from "../../model/message.ts";
import type { AttributesView, EventView, LogView, SpanView } from "../../model/telemetry/span-view.ts";
import type { Field } from "../../../adapters/field-names.ts";
import type { UndeclaredEvent } from "../undeclared/undeclared-events.ts";
import { readMessage } from "../messages/read-message.ts";
import { messagesWithin, readMessages } from "../messages/read-messages.ts";
import { unfold } from "../messages/unfold.ts";
import { countsInLine, type TokenCounts } from "./read-usage.ts";
import type { FieldReader, Reading } from "./span-reading.ts";

/** What a span's events and log records say: messages, and further fields in their attributes. */
export interface Attached {
  readonly inputs: readonly Message[];
  readonly outputs: readonly Message[];
  readonly readings: readonly Reading[];
  /** Bodies of log records that are a field of the span. */
  readonly bodies: readonly { readonly field: Field; readonly value: JsonValue }[];
  /** Token counts in lines that a client library logged. */
  readonly counts: TokenCounts | undefined;
  /** All that carry no message. */
  readonly uncorrelated: readonly UndeclaredEvent[];
}

const nothingAttached: Attached = {
  inputs: [],
  outputs: [],
  readings: [],
  bodies: [],
  counts: undefined,
  uncorrelated: [],
};

const messageEvents: ReadonlyMap<string, MessageRole> = new Map<string, MessageRole>([
  ["gen_ai.system.message", "system"],
  ["gen_ai.user.message", "user"],
  ["gen_ai.assistant.message", "assistant"],
  ["gen_ai.tool.message", "tool"],
]);
const choiceEvent = "gen_ai.choice";
/** The same under another prefix: what is spoken is named at the end. */
const spoken = /[._](?:(system|user|assistant|tool)[._]message|(choice))$/;
/** Events whose attributes are named like the span's own. */
const sameAttributes: ReadonlySet<string> = new Set([
  "gen_ai.client.inference.operation.details",
  "gen_ai.content.prompt",
  "gen_ai.content.completion",
  "gen_ai.usage",
]);

const EVENT_NAME = key("event_name");
const MESSAGE_INDEX = [key("gen_ai.message.index"), key("CHAT_MESSAGE_INDEX")];

export function readAttached(span: SpanView, reader: FieldReader): Attached {
  if (span.events.length === 0 && span.logs.length === 0) return nothingAttached;
  const collected = new Collector(reader);
  for (const event of span.events) collected.add(event.name, event, undefined);
  for (const log of inOrder(span.logs)) collected.add(nameOf(log), log, log.body);
  return collected;
}

function nameOf(log: LogView): string {
  if (log.eventName !== "") return log.eventName;
  return log.text(EVENT_NAME) ?? (typeof log.body === "string" ? log.body.slice(0, 80) : "");
}

/** Some producers number a call's messages; the others send them in order. */
function inOrder(logs: readonly LogView[]): readonly LogView[] {
  const index = (log: LogView) =>
    MESSAGE_INDEX.map((name) => log.number(name)).find((at) => at !== undefined);
  if (!logs.some((log) => index(log) !== undefined)) return logs;
  return logs.toSorted((a, b) => (index(a) ?? Infinity) - (index(b) ?? Infinity) || 0);
}

class Collector implements Attached {
  readonly inputs: Message[] = [];
  readonly outputs: Message[] = [];
  readonly readings: Reading[] = [];
  readonly bodies: { field: Field; value: JsonValue }[] = [];
  counts: TokenCounts | undefined;
  readonly uncorrelated: UndeclaredEvent[] = [];
  readonly #reader: FieldReader;

  constructor(reader: FieldReader) {
    this.#reader = reader;
  }

  add(name: string, view: EventView | LogView, body: JsonValue | undefined): void {
    const other = messageEvents.has(name) ? null : spoken.exec(name);
    const role = messageEvents.get(name) ?? (other?.[1] as MessageRole | undefined);
    if (role !== undefined) this.#message(name, view, eventMessages(view, body, role));
    else if (name === choiceEvent || other?.[2] !== undefined)
      this.outputs.push(...eventMessages(view, body, "assistant"));
    else if (sameAttributes.has(name)) this.#same(view, body, name);
    else this.#other(name, view, body);
  }

  #message(name: string, view: EventView | LogView, messages: readonly Message[]): void {
    this.inputs.push(...messages);
    if (messages.length === 0) this.uncorrelated.push({ name, view });
  }

  #same(view: AttributesView, body: JsonValue | undefined, name: string): void {
    this.readings.push(this.#reader.attributes(view));
    if (body === undefined) return;
    const whole = name.endsWith("completion") ? "assistant" : "user";
    (whole === "assistant" ? this.outputs : this.inputs).push(...messagesWithin(body, whole));
  }

  #other(name: string, view: AttributesView, body: JsonValue | undefined): void {
    if (name !== "exception" && view.size > 0) this.uncorrelated.push({ name, view });
    const rule = this.#reader.events.get(name);
    if (rule !== undefined) {
      this.readings.push(rule.reader.attributes(view));
      if (rule.body !== undefined && body !== undefined) this.bodies.push({ field: rule.body, value: body });
      return;
    }
    const value = body === undefined ? undefined : unfold(body);
    if (typeof value === "string") this.counts ??= countsInLine(value);
    if (!isObject(value)) return;
    // AWS's distribution moves all content of a span into one record with both sides.
    this.inputs.push(...messagesWithin(value["input"], "user"));
    this.outputs.push(...messagesWithin(value["output"], "assistant"));
  }
}

const CONTENT = key("content");
const MESSAGE = key("message");
const TOOL_CALLS = key("tool_calls");
const FUNCTION_CALLS = key("function_calls");
const ID = key("id");
const ROLE = key("role");
/** Azure's clients keep the whole message in here. */
const EVENT_CONTENT = key("gen_ai.event.content");

/** The message of one event: from its body, or from its attributes. */
function eventMessages(
  view: AttributesView,
  body: JsonValue | undefined,
  role: MessageRole,
): readonly Message[] {
  const whole = body ?? view.json(EVENT_CONTENT);
  const value = whole === undefined ? undefined : unfold(whole);
  if (isObject(value) && Object.keys(value).length > 0) return fromObject(value, role);
  if (typeof value === "string" && value !== "") return readMessages(value, role);
  const object = Object.create(null) as Record<string, JsonValue>;
  for (const [name, attribute] of [
    ["content", CONTENT],
    ["message", MESSAGE],
    ["tool_calls", TOOL_CALLS],
    ["tool_calls", FUNCTION_CALLS],
    ["id", ID],
    ["role", ROLE],
  ] as const) {
    const given = view.json(attribute);
    if (given !== undefined) object[name] = given;
  }
  return Object.keys(object).length === 0 ? [] : fromObject(object, role);
}

function fromObject(object: JsonObject, role: MessageRole): readonly Message[] {
  const message = object["message"];
  const inner = message === undefined ? object : beside(message, object);
  if (isObject(inner)) {
    const calls = inner["tool_calls"];
    const unfolded = Array.isArray(calls)
      ? { ...inner, tool_calls: calls.map((call: JsonValue) => unfold(call)) }
      : inner;
    return [readMessage(withContent(unfolded), role)];
  }
  return readMessages(inner, role);
}

/** A choice's message, with what stands next to it in the event. */
function beside(message: JsonValue, event: JsonObject): JsonValue {
  const value = unfold(message);
  if (!isObject(value)) return value;
  return value["tool_calls"] === undefined && event["tool_calls"] !== undefined
    ? { ...value, tool_calls: event["tool_calls"] }
    : value;
}

function withContent(object: JsonObject): JsonObject {
  const content = object["content"];
  const value = content === undefined ? undefined : unfold(content, 1);
  return Array.isArray(value) ? { ...object, content: value } : object;
}
