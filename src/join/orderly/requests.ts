import type { Call } from "../../adapt/call.ts";
import { goesOnAt, requestsIn, type SeenRequest } from "../../adapt/messages/glance.ts";
import type { RequestedCall } from "../../model/message.ts";

/** What the calls of a run asked for. */
export interface Requests {
  /** In order; `asking`: the call that did. */
  readonly byId: ReadonlyMap<string, { readonly name: string; readonly asking: Call }>;
  /** The last call asked for something. */
  readonly isOpen: boolean;
}

type Asked = Requests["byId"];

/**
 * What the calls asked for; undefined where a request has no id or comes twice, where a history holds one that no call made, and where it
 * says that a tool failed. Messages in the conventions' own notation are looked through without being parsed, others are read.
 */
export function requestsOf(calls: readonly Call[]): Requests | undefined {
  const byId = new Map<string, { name: string; asking: Call }>();
  let isOpen = false;
  let before = "";
  let answer = "";
  for (const [index, call] of calls.entries()) {
    if (index > 0) {
      const text = plainText(call, "inputMessages");
      if (!isSeenThrough(text, before, answer, byId) && !isKnown(call, byId)) return undefined;
      before = text ?? "";
    }
    const said = plainText(call, "outputMessages");
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
function plainText({ piece }: Call, field: "inputMessages" | "outputMessages"): string | undefined {
  const text = piece.text(field);
  return text !== undefined && isAlone(piece) && begins.test(text) ? text : undefined;
}

const begins = /^\[\{"role": ?"/;

/** Its events add nothing but plain words. */
function isAlone({ attached }: Call["piece"]): boolean {
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

function isKnown(call: Call, asked: Asked): boolean {
  if (saysNothing(call, "inputMessages")) return true;
  const { inputs } = call;
  const isOld = ({ id }: RequestedCall): boolean => id !== null && asked.has(id);
  return inputs.every(
    (message) => message.calls.every(isOld) && message.results.every(({ isError }) => !isError),
  );
}

/** Neither the span nor an event has messages of the kind. */
function saysNothing({ piece }: Call, field: "inputMessages" | "outputMessages"): boolean {
  return piece.span.events.length === 0 && !piece.has(field);
}

const nothing: readonly SeenRequest[] = [];

/** `text`: the one that holds the call's answer, if one does. */
function requestsOfCall(call: Call, text: string | undefined): readonly SeenRequest[] | undefined {
  if (saysNothing(call, "outputMessages")) return nothing;
  const seen = text === undefined || hasSeveral(text) ? undefined : requestsIn(text, 0, false);
  if (seen !== undefined) return seen;
  for (const { results } of call.outputs) if (results.length > 0) return undefined;
  const read: SeenRequest[] = [];
  for (const { id, name, arguments: given } of call.requests) {
    if (id === null || name === null || given === undefined) return undefined;
    read.push({ id, name });
  }
  return read;
}

/** More than the one message that a model answers with. */
function hasSeveral(text: string): boolean {
  return text.indexOf('"role"', 3) >= 0;
}
