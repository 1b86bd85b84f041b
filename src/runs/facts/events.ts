import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import { key } from "../../model/telemetry/attribute-key.ts";
import type { AttributesView, LogView } from "../../model/telemetry/span-view.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import { unfold } from "../notations/parse-text.ts";
import { KIND, meaningOfName } from "./attribute-words.ts";
import type { SpanRole } from "../../../adapters/span-roles.ts";
import type { FieldPlans } from "./field-plan.ts";
import type { FieldTable, FieldUse } from "./field-table.ts";
import { F, indexesOf } from "./fields.ts";
import { isOfHousekeeping } from "./housekeeping-names.ts";
import { mayBe } from "./value-looks.ts";
import { RecordView } from "./record-view.ts";
import { SpanFacts } from "./span-facts.ts";

/** Maximum number of events of a span that are read, and of log records from which undeclared fields are inferred. */
const MOST_EVENTS = 64;
/**
 * Number of leading attributes of an event or log record from which fields are inferred. Declared fields are read from four times as many.
 */
const MOST_ATTRIBUTES = 64;
/** Maximum number of log records of a span whose declared fields are read. */
const MOST_RECORDS = 500;
const EVENT_NAME = key("event_name");

/** Names of events whose attributes have the same names as span attributes. */
const sameAttributes: ReadonlySet<string> = new Set([
  "gen_ai.client.inference.operation.details",
  "gen_ai.content.prompt",
  "gen_ai.content.completion",
  "gen_ai.usage",
]);
/** Matches names of events with one message each. The last part of the name is the role. */
const spoken = /[._](?:(?:system|user|assistant|tool)[._]message|choice)$/;
export const isMessageEvent = remembered((name) => spoken.test(name));
const numbered = /[._](?:prompt|completion|message|input|output|choice)s?[._]\d+$/;
/** Whether an event's name ends with a number, which is the position of the event's message: `gen_ai.prompt.0`. */
export const isNumberedMessage = remembered((name) => numbered.test(name));
/** Fields that may be inferred from the name and attributes of an undeclared event. */
const inEvents: ReadonlySet<number> = new Set(
  indexesOf(`
  inputMessages outputMessages input output inputTokens outputTokens totalTokens cachedTokens
  reasoningTokens usage model requestModel responseModel arguments result tool callId finish
`),
);
const contentsInEvents: ReadonlySet<number> = new Set(indexesOf("inputMessages outputMessages input output"));
const cutOff = /(?:\.\.\.|…|\[truncated\])$/;

/** Event name of a log record, otherwise the start of its body. */
export function nameOfRecord(log: LogView): string {
  if (log.eventName !== "") return log.eventName;
  return log.text(EVENT_NAME) ?? (typeof log.body === "string" ? log.body.slice(0, 80) : "");
}

/**
 * Reads declared attributes of events and log records. Two kinds become entries of `facts.records`. The first describes a model call or
 * tool call other than the span's own. The second describes a call that a harness makes for itself. The values of all other declared events
 * and records are added to the span's fields.
 */
export function addDeclaredEvents(facts: SpanFacts, plans: FieldPlans, role: SpanRole | undefined): void {
  const { events, logs, resource, scopeName, spanId, traceId } = facts.span;
  const host = { resource, scopeName, spanId, traceId };
  const records: SpanFacts[] = [];
  let isAdded = false;
  const read = (name: string, view: AttributesView, body: JsonValue | undefined, atMs: number): void => {
    const { table } = plans;
    if (table.eventRule(name) === undefined && !sameAttributes.has(name)) return;
    const own = new RecordView(view, name, host, atMs);
    const plan = plans.of(own);
    const record = new SpanFacts(own, plan, plan.dialectsOf(scopeName), facts.values);
    addDeclared(record, table, name, view, body);
    record.readScalars();
    const ofTool = record.callId !== null;
    const ofCall =
      (record.model ?? record.requestModel ?? record.responseModel) !== null &&
      (record.outputTokens !== null || isContent(record));
    const isNoCall = role !== undefined && role !== "call";
    // Fields of a model's request or response belong to the model call, not to the agent or tool around the call.
    const isOthers = role !== "tool" || (facts.callId !== null && record.callId !== facts.callId);
    if (isOfHousekeeping(own) || (ofTool ? isOthers : ofCall && isNoCall)) records.push(record);
    else {
      addDeclared(facts, table, name, view, body);
      isAdded = true;
    }
  };
  for (const event of events.slice(0, MOST_EVENTS)) read(event.name, event, undefined, event.timeUnixMs);
  for (const log of logs.slice(0, MOST_RECORDS)) read(nameOfRecord(log), log, log.body, log.timeUnixMs);
  if (records.length > 0) facts.records = records;
  if (isAdded) facts.readScalars();
}

function isContent(record: SpanFacts): boolean {
  return (
    record.hasField(F.outputText) || record.hasField(F.outputMessages) || record.hasField(F.inputMessages)
  );
}

/** Adds the fields of one event or record, by an adapter's rule or by the attribute names of spans. */
export function addDeclared(
  facts: SpanFacts,
  table: FieldTable,
  name: string,
  view: AttributesView,
  body: JsonValue | undefined,
): void {
  const declared = table.eventRule(name);
  const found: { field: number; rank: number; value: JsonValue; attribute: string }[] = [];
  const trees: string[] = [];
  for (let place = 0; place < view.size && place < 4 * MOST_ATTRIBUTES; place++) {
    const attribute = view.nameAt(place);
    const index = attribute.search(/\.\d+\./);
    const tree = index < 0 ? null : attribute.slice(0, index);
    const use = declared?.uses.get(tree ?? attribute);
    const uses = use !== undefined ? [use] : declared === undefined ? table.entryOf(attribute).uses : noUses;
    if (uses.length === 0 || (tree !== null && trees.includes(tree))) continue;
    if (tree !== null) trees.push(tree);
    const value = tree === null ? view.valueAt(place) : view.tree(tree);
    if (value !== undefined && value !== null)
      for (const one of uses) found.push({ ...one, value, attribute });
  }
  found.sort((a, b) => a.rank - b.rank);
  for (const { field, value, attribute } of found) facts.add(field, value, attribute);
  if (declared?.rule.body !== undefined && body !== undefined)
    facts.add(F[declared.rule.body], body, `body of ${name}`);
}

const noUses: readonly FieldUse[] = [];

interface EventValue {
  readonly value: JsonValue;
  readonly name: string;
}

/** Adds undeclared fields of events and records, if the span has no value for them. */
export function inferFromEvents(facts: SpanFacts, table: FieldTable, role: SpanRole): boolean {
  // A step encloses other work, so the tools and models in its events may be those of other spans. Only contents are inferred.
  const fields = role === "call" || role === "tool" || role === "unknown" ? inEvents : contentsInEvents;
  const { events, logs, scopeName } = facts.span;
  const last = new Map<number, EventValue>();
  if (!table.declaresAllEvents(scopeName))
    for (const event of events.slice(0, MOST_EVENTS))
      inferFromEvent(facts, table, event.name, event, fields, last);
  for (const log of logs.slice(0, MOST_EVENTS)) {
    if (table.declaresAllEvents(log.scopeName)) continue;
    inferFromEvent(facts, table, nameOfRecord(log), log, fields, last);
    const body = log.body === undefined || isMessageEvent(nameOfRecord(log)) ? undefined : unfold(log.body);
    // The AWS distribution of OpenTelemetry moves all content of a span into one log record with `input` and `output`.
    if (!isObject(body)) continue;
    const { input, output } = body;
    if (input !== undefined) last.set(F.input, { value: withoutEvents(input), name: "body.input" });
    if (output !== undefined) last.set(F.output, { value: withoutEvents(output), name: "body.output" });
  }
  for (const [field, { value, name }] of last) facts.add(field, value, name);
  return last.size > 0;
}

/**
 * Unwraps the messages in a record of the AWS distribution. A message in the record is `{ role, content: { content: "…" } }`, or for a
 * choice `{ content: { message: "…" } }`; the result has the inner text as `content`. A single event with an id is the input or result of a
 * tool. If one message is a choice, the other messages are its history.
 */
function withoutEvents(value: JsonValue): JsonValue {
  const messages = isObject(value) && isArray(value["messages"]) ? value["messages"].filter(isObject) : [];
  const events = messages.map((message) => {
    const event = isObject(message["content"]) ? message["content"] : {};
    const given = event["message"] ?? event["content"];
    return { message, event, content: typeof given === "string" ? unfold(given) : undefined };
  });
  const [first] = events;
  if (events.length === 1 && first?.event["id"] !== undefined) return first.content ?? value;
  if (events.every(({ content }) => content === undefined)) return value;
  const choices = events.filter(({ event }) => event["message"] !== undefined);
  return (choices.length > 0 ? choices : events).map(({ message, event, content }) =>
    content === undefined ? message : { ...message, content, finish_reason: event["finish_reason"] ?? null },
  );
}

/**
 * Whether an adapter's rule for this event name applies to the event. Another dialect may use the same name, so the event needs an
 * attribute of the rule, if the rule has any.
 */
function isByRule(view: AttributesView, uses: ReadonlyMap<string, FieldUse>): boolean {
  if (uses.size === 0) return true;
  for (let place = 0; place < view.size && place < MOST_ATTRIBUTES; place++)
    if (uses.has(view.nameAt(place))) return true;
  return false;
}

function inferFromEvent(
  facts: SpanFacts,
  table: FieldTable,
  name: string,
  view: AttributesView,
  fields: ReadonlySet<number>,
  last: Map<number, EventValue>,
): void {
  if (isMessageEvent(name) || isNumberedMessage(name)) return;
  const rule = table.eventRule(name);
  if (rule !== undefined && isByRule(view, rule.uses)) return;
  const trees = new Set<string>();
  for (let place = 0; place < view.size && place < MOST_ATTRIBUTES; place++) {
    const attribute = view.nameAt(place);
    // The text of an error is not content.
    if (attribute.startsWith("exception.")) continue;
    const declared = table.entryOf(attribute).uses[0]?.field;
    const prefix = name.includes(" ") ? "" : `${name}.`;
    const meaning = meaningOfName(prefix + attribute);
    const field = declared ?? meaning?.field ?? KIND;
    if (field === KIND || !fields.has(field)) continue;
    // Indexed keys with one prefix are parts of one value, which is read once.
    const tree = declared !== undefined ? undefined : meaning?.tree?.slice(prefix.length);
    if (tree !== undefined && trees.has(tree)) continue;
    if (tree !== undefined) trees.add(tree);
    const value = tree === undefined ? view.valueAt(place) : view.tree(tree);
    // A number in an attribute such as `response_text` is a text.
    const isText = typeof value === "string" && value !== "" && attribute.endsWith("_text");
    if (value === undefined || (!isText && !mayBe(field, value))) continue;
    if (typeof value === "string" && cutOff.test(value)) continue;
    // If several events have an output, the last one with a text counts.
    if (last.has(field) && (value === "" || (field !== F.output && field !== F.outputMessages))) continue;
    if (facts.nthRaw(field, 0) === undefined) last.set(field, { value, name: attribute });
  }
}
