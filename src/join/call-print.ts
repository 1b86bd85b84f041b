import type { Call } from "../adapt/call.ts";
import type { Seams } from "./seams.ts";

/** What is needed to recognise a call in another trace as a copy: no content, no reference to its span. */
export interface CallPrint {
  readonly start: number;
  readonly end: number;
  readonly scope: string;
  readonly responseId: string | undefined;
  readonly output: number | undefined;
}

export function printOf(call: Call): CallPrint {
  return {
    start: call.start,
    end: call.end,
    scope: call.piece.span.scopeName,
    responseId: call.field("responseId"),
    output: call.counts.output,
  };
}

/** A model call that is a trace of its own: the client library's span beside the framework's, which are not tied together. */
export function loneCall(seams: Seams): Call | undefined {
  const [call, ...more] = seams.fragment.calls;
  if (call === undefined || more.length > 0 || !seams.isBare) return undefined;
  return seams.fragment.pieces.some(({ role }) => role === "tool") ? undefined : call;
}

/** They share the response's id; or one lies within the other, with the same count of output tokens. */
export function isCopy(call: CallPrint, original: CallPrint): boolean {
  if (call.scope === original.scope) return false;
  if (call.responseId !== undefined && call.responseId === original.responseId) return true;
  const within = call.start >= original.start - 1 && call.end <= original.end + 1;
  const around = call.start <= original.start + 1 && call.end >= original.end - 1;
  if (!within && !around) return false;
  return call.output !== undefined && (original.output === undefined || call.output === original.output);
}
