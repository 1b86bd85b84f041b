import { fieldIndex } from "../../adapt/fields.ts";
import { goesOnAt, requestsIn, type SeenRequest } from "../../adapt/messages/glance.ts";
import type { PlainCall } from "../../adapt/orderly/plain-call.ts";
import type { RequestedCall } from "../../model/message.ts";

/** What the calls of a run asked for. */
export interface Requests {
  /** In order; `asking`: the call that did. */
  readonly byId: ReadonlyMap<string, { readonly name: string; readonly asking: PlainCall }>;
  /** The last call asked for something. */
  readonly isOpen: boolean;
}

type Asked = Requests["byId"];

const INPUT_MESSAGES = fieldIndex("inputMessages");
const OUTPUT_MESSAGES = fieldIndex("outputMessages");

/**
 * What the calls asked for; undefined where a request has no id or comes twice, where a history holds one that no call made, and where it
 * says that a tool failed. Messages in the conventions' own notation are looked through without being parsed, others are read.
 */
export function requestsOf(calls: readonly PlainCall[]): Requests | undefined {
  const byId = new Map<string, { name: string; asking: PlainCall }>();
  let isOpen = false;
  let before = "";
  let answer = "";
  for (const [index, call] of calls.entries()) {
    if (index > 0) {
      const text = plainText(call, INPUT_MESSAGES);
      if (!isSeenThrough(text, before, answer, byId) && !isKnown(call, byId)) return undefined;
      before = text ?? "";
    }
    const said = plainText(call, OUTPUT_MESSAGES);
    const requests = requestsOfCall(call, said);
    if (requests === undefined) return undefined;
    answer = said ?? "";
    isOpen = requests.length > 0;
    for (const { id, name } of requests) {
      if (byId.has(id)) return undefined;
      byId.set(id, { name, asking: call });
    }
  }
  return { byId, isOpen };
}

/** The one text that holds a call's messages, where nothing else does. */
function plainText(call: PlainCall, field: number): string | undefined {
  const text = call.text(field);
  return text !== undefined && isAlone(call) && begins.test(text) ? text : undefined;
}

const begins = /^\[\{"role": ?"/;

/** Its events add nothing but plain words. */
function isAlone(call: PlainCall): boolean {
  if (call.isBare) return true;
  const { attached } = call.piece;
  if (attached.inputs.length > 0 || attached.outputs.length > 0 || attached.bodies.length > 0) return false;
  return attached.readings.every(
    (one) =>
      !one.has("inputMessages") &&
      !one.has("outputMessages") &&
      !one.has("output") &&
      !one.has("outputText") &&
      !one.has("outputCalls") &&
      one.all("input").every((value) => typeof value === "string") &&
      one.guess() === undefined,
  );
}

function isSeenThrough(text: string | undefined, before: string, answer: string, asked: Asked): boolean {
  if (text === undefined) return false;
  const found = requestsIn(text, goesOnAt(text, before, answer), true);
  return found !== undefined && found.every(({ id }) => asked.has(id));
}

function isKnown(call: PlainCall, asked: Asked): boolean {
  if (saysNothing(call, INPUT_MESSAGES)) return true;
  const { inputs } = call.call;
  const isOld = ({ id }: RequestedCall): boolean => id !== null && asked.has(id);
  return inputs.every(
    (message) => message.calls.every(isOld) && message.results.every(({ isError }) => !isError),
  );
}

/** Neither the span nor an event has messages of the kind. */
function saysNothing(call: PlainCall, field: number): boolean {
  return call.span.events.length === 0 && !call.has(field);
}

const nothing: readonly SeenRequest[] = [];

/** `text`: the one that holds the call's answer, if one does. */
function requestsOfCall(call: PlainCall, text: string | undefined): readonly SeenRequest[] | undefined {
  if (saysNothing(call, OUTPUT_MESSAGES)) return nothing;
  const seen = text === undefined || hasSeveral(text) ? undefined : requestsIn(text, 0, false);
  if (seen !== undefined) return seen;
  for (const { results } of call.call.outputs) if (results.length > 0) return undefined;
  const read: SeenRequest[] = [];
  for (const { id, name, arguments: given } of call.call.requests) {
    if (id === null || name === null || given === undefined) return undefined;
    read.push({ id, name });
  }
  return read;
}

/** More than the one message that a model answers with. */
function hasSeveral(text: string): boolean {
  return text.indexOf('"role"', 3) >= 0;
}
