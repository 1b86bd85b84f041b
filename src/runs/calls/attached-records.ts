import { F } from "../facts/fields.ts";
import { isOfHousekeeping } from "../facts/housekeeping-names.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { ruleIsOn } from "../rules.ts";

/**
 * Longest time in ms between a record and the call that it describes. Producers write the record when they send the call's request or when
 * its response is complete. A record further away describes another call.
 */
const MOST_MS_APART = 2000;
const MOST_RECORDS = 2000;
const outputs = [F.outputMessages, F.outputText, F.output];
const inputs = [F.inputMessages, F.input];

/**
 * Adds the input or output in an event or log record to a model call: to the call whose start or end is nearest in time, if its span lacks
 * this field. Some producers attach such records to another span, for example the agent's.
 */
export function attachRecords(nodes: readonly SpanFacts[]): void {
  let calls: readonly SpanFacts[] | null = null;
  let left = MOST_RECORDS;
  for (const { records } of nodes)
    for (const record of records) {
      if (record.callId !== null || record.outputTokens !== null || left-- <= 0) continue;
      if (isOfHousekeeping(record.span)) continue;
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
  for (const field of fields) if (record.isEmptyAt(field)) return field;
  return null;
}

/** Returns the call whose start (`isStart`) or end is nearest to a time; null if none is less than `MOST_MS_APART` away. */
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

/**
 * Adds the value of a record to `call`, unless the call's span already has one of `fields`. `call-messages.ts` later chooses among records
 * that describe the same messages.
 */
function fill(call: SpanFacts | null, field: number, fields: readonly number[], record: SpanFacts): void {
  if (call === null || fields.some((one) => call.plan.hasField(one))) return;
  const value = record.valueAt(field) ?? (record.isEmptyAt(field) ? "" : undefined);
  if (value !== undefined) call.add(field, value, record.span.name);
}
