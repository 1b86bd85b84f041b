import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { ruleIsOn } from "../rules.ts";

/** A record is written when its request is sent, or its response is complete: a later one is about something else. */
const MOST_MS_APART = 2000;
const MOST_RECORDS = 2000;
const outputs = [F.outputMessages, F.outputText, F.output];
const inputs = [F.inputMessages, F.input];

/**
 * Gives records of what a model was sent, and of what it answered, to the call in whose time they were written, where they stand on the span
 * of the agent or the tool around it. They fill what that call's span lacks.
 */
export function attachRecords(nodes: readonly SpanFacts[]): void {
  let calls: readonly SpanFacts[] | null = null;
  let left = MOST_RECORDS;
  for (const { records } of nodes)
    for (const record of records) {
      if (record.callId !== null || record.outputTokens !== null || left-- <= 0) continue;
      if (calls === null) {
        if (!ruleIsOn("attached-records")) return;
        calls = nodes.filter(({ role }) => role === "call");
      }
      const field = fieldOf(record, outputs);
      if (field !== null) fill(nearest(calls, record.end, false), field, outputs, record);
      else {
        const sent = fieldOf(record, inputs);
        if (sent !== null) fill(nearest(calls, record.end, true), sent, inputs, record);
      }
    }
}

function fieldOf(record: SpanFacts, fields: readonly number[]): number | null {
  for (const field of fields) if (record.valueAt(field) !== undefined) return field;
  return null;
}

/** The call that begins, or ends, nearest to a time. */
function nearest(calls: readonly SpanFacts[], atMs: number, isStart: boolean): SpanFacts | null {
  let best: SpanFacts | null = null;
  let least = MOST_MS_APART;
  for (const call of calls) {
    const apart = Math.abs((isStart ? call.start : call.end) - atMs);
    if (apart >= least) continue;
    least = apart;
    best = call;
  }
  return best;
}

/** Of several records about the same, a list of messages says more than a text: the call's reader compares them. */
function fill(call: SpanFacts | null, field: number, fields: readonly number[], record: SpanFacts): void {
  if (call === null || fields.some((one) => call.plan.hasField(one))) return;
  const value = record.valueAt(field);
  if (value !== undefined) call.add(field, value, record.span.name);
}
