import { isObject, type JsonValue } from "../../model/json.ts";
import { key } from "../../model/telemetry/attribute-key.ts";
import type { AttributesView, LogView } from "../../model/telemetry/span-view.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import { unfold } from "../notations/parse-text.ts";
import { KIND, meaningOfName, VALUE } from "./attribute-words.ts";
import type { FieldTable } from "./field-table.ts";
import { F } from "./fields.ts";
import { mayBe } from "./value-looks.ts";
import type { SpanFacts } from "./span-facts.ts";

/** So many events and log records of a span are looked through, and so many attributes of each. */
const MOST_EVENTS = 64;
const MOST_ATTRIBUTES = 64;
const EVENT_NAME = key("event_name");

/** Events whose attributes are named like the span's own. */
const sameAttributes: ReadonlySet<string> = new Set([
  "gen_ai.client.inference.operation.details",
  "gen_ai.content.prompt",
  "gen_ai.content.completion",
  "gen_ai.usage",
]);
/** Events that are one message each: what is spoken is named at the end. */
const spoken = /[._](?:(?:system|user|assistant|tool)[._]message|choice)$/;
export const isMessageEvent = remembered((name) => spoken.test(name));
/** Fields that an event which no adapter declares may hold, by its name and its attributes'. */
const inEvents: ReadonlySet<number> = new Set([
  F.inputMessages,
  F.outputMessages,
  F.input,
  F.output,
  F.inputTokens,
  F.outputTokens,
  F.totalTokens,
  F.cachedTokens,
  F.reasoningTokens,
  F.usage,
  F.model,
  F.requestModel,
  F.responseModel,
  F.arguments,
  F.result,
  F.tool,
  F.callId,
  F.finish,
]);
const cutOff = /(?:\.\.\.|…|\[truncated\])$/;

/** The name of a log record: of its event, else the beginning of its body. */
export function nameOfRecord(log: LogView): string {
  if (log.eventName !== "") return log.eventName;
  return log.text(EVENT_NAME) ?? (typeof log.body === "string" ? log.body.slice(0, 80) : "");
}

/** Adds what events and log records say in attributes that an adapter declares. Returns whether any was added. */
export function addDeclaredEvents(facts: SpanFacts, table: FieldTable): boolean {
  const { events, logs } = facts.span;
  let added = false;
  for (const event of events.length > MOST_EVENTS ? events.slice(0, MOST_EVENTS) : events)
    if (addDeclared(facts, table, event.name, event, undefined)) added = true;
  for (const log of logs.length > MOST_EVENTS ? logs.slice(0, MOST_EVENTS) : logs)
    if (addDeclared(facts, table, nameOfRecord(log), log, log.body)) added = true;
  return added;
}

/** Adds the fields that one event or record holds by an adapter's rule, or under the names of the span's own attributes. */
export function addDeclared(
  facts: SpanFacts,
  table: FieldTable,
  name: string,
  view: AttributesView,
  body: JsonValue | undefined,
): boolean {
  const declared = table.eventRule(name);
  if (declared === undefined && !sameAttributes.has(name)) return false;
  const found: { field: number; rank: number; value: JsonValue }[] = [];
  const trees: string[] = [];
  for (let place = 0; place < view.size && place < 4 * MOST_ATTRIBUTES; place++) {
    const attribute = view.nameAt(place);
    const index = attribute.search(/\.\d+\./);
    const tree = index < 0 ? null : attribute.slice(0, index);
    const use = declared?.uses.get(tree ?? attribute);
    if (tree !== null && (use !== undefined || declared === undefined)) {
      if (trees.includes(tree)) continue;
      trees.push(tree);
    }
    const value = tree === null || use === undefined ? view.valueAt(place) : view.tree(tree);
    if (value === undefined || value === null) continue;
    if (use !== undefined) found.push({ ...use, value });
    else if (declared === undefined)
      for (const one of table.entryOf(attribute).uses) {
        const whole = tree === null ? value : view.tree(tree);
        if (whole !== undefined) found.push({ ...one, value: whole });
      }
  }
  found.sort((a, b) => a.rank - b.rank);
  for (const { field, value } of found) facts.add(field, value);
  if (declared?.rule.body !== undefined && body !== undefined) facts.add(fieldOfBody(declared.rule.body), body);
  return found.length > 0 || body !== undefined;
}

function fieldOfBody(field: keyof typeof F): number {
  return F[field];
}

/** Adds what events and records say that no adapter declares, where the span itself has no value of it. */
export function inferFromEvents(facts: SpanFacts, table: FieldTable): boolean {
  const { events, logs } = facts.span;
  const last = new Map<number, JsonValue>();
  for (const event of events.slice(0, MOST_EVENTS)) inferFromEvent(facts, table, event.name, event, last);
  for (const log of logs.slice(0, MOST_EVENTS)) {
    inferFromEvent(facts, table, nameOfRecord(log), log, last);
    const body = log.body === undefined || isMessageEvent(nameOfRecord(log)) ? undefined : unfold(log.body);
    // AWS's distribution moves all content of a span into one record with both sides.
    if (!isObject(body)) continue;
    if (body["input"] !== undefined) last.set(F.input, body["input"]);
    if (body["output"] !== undefined) last.set(F.output, body["output"]);
  }
  for (const [field, value] of last) facts.add(field, value);
  return last.size > 0;
}

function inferFromEvent(
  facts: SpanFacts,
  table: FieldTable,
  name: string,
  view: AttributesView,
  last: Map<number, JsonValue>,
): void {
  if (name === "exception" || isMessageEvent(name) || table.eventRule(name) !== undefined) return;
  for (let place = 0; place < view.size && place < MOST_ATTRIBUTES; place++) {
    const attribute = view.nameAt(place);
    const declared = table.entryOf(attribute).uses[0]?.field;
    const field = declared ?? meaningOfName(name.includes(" ") ? attribute : `${name}.${attribute}`).field;
    if (field === KIND || field === VALUE || !inEvents.has(field)) continue;
    const value = view.valueAt(place);
    if (value === undefined || !mayBe(field, value) || (typeof value === "string" && cutOff.test(value)))
      continue;
    // What was said last is the output.
    if (last.has(field) && field !== F.output && field !== F.outputMessages) continue;
    if (facts.nthRaw(field, 0) === undefined) last.set(field, value);
  }
}
