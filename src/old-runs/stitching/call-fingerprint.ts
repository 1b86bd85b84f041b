import type { LlmCall } from "../fragments/llm-call.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";

/** What is needed to recognise a call in another trace as a copy: no content, no reference to its span. */
export interface CallFingerprint {
  readonly start: number;
  readonly end: number;
  readonly scope: string;
  readonly responseId: string | undefined;
  readonly output: number | undefined;
}

export function fingerprintOf(call: LlmCall): CallFingerprint {
  return {
    start: call.start,
    end: call.end,
    scope: call.node.span.scopeName,
    responseId: call.field("responseId"),
    output: call.counts.output,
  };
}

/** A model call that is a trace of its own: the client library's span beside the framework's, which are not tied together. */
export function loneCall(boundary: FragmentBoundary): LlmCall | undefined {
  const [call, ...more] = boundary.fragment.calls;
  if (call === undefined || more.length > 0 || !boundary.hasNoAgentSpan) return undefined;
  return boundary.fragment.nodes.some(({ role }) => role === "tool") ? undefined : call;
}

/** They share the response's id; or one lies within the other, with the same count of output tokens. */
export function isCopy(call: CallFingerprint, original: CallFingerprint): boolean {
  if (call.scope === original.scope) return false;
  if (call.responseId !== undefined && call.responseId === original.responseId) return true;
  const within = call.start >= original.start - 1 && call.end <= original.end + 1;
  const around = call.start <= original.start + 1 && call.end >= original.end - 1;
  if (!within && !around) return false;
  return call.output !== undefined && (original.output === undefined || call.output === original.output);
}
