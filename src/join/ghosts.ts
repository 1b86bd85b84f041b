import type { Call } from "../adapt/call.ts";
import type { Seams } from "./seams.ts";

/**
 * The call that a lone call in a trace of its own repeats: the client library's span beside the framework's, which are not
 * tied to each other. They share the response's id; or one lies within the other, with the same count of output tokens.
 */
export function originalOf(ghost: Seams, others: Iterable<Seams>): Call | undefined {
  const [call, ...more] = ghost.fragment.calls;
  if (call === undefined || more.length > 0 || !ghost.isBare) return undefined;
  if (ghost.fragment.pieces.some(({ role }) => role === "tool")) return undefined;
  for (const other of others) {
    if (other === ghost) continue;
    const original = other.fragment.calls.find((one) => isCopy(call, one));
    if (original !== undefined && (!other.isBare || outranks(original, call))) return original;
  }
  return undefined;
}

function isCopy(call: Call, original: Call): boolean {
  if (call.piece.span.scopeName === original.piece.span.scopeName) return false;
  const id = call.field("responseId");
  if (id !== undefined && id === original.field("responseId")) return true;
  const within = call.start >= original.start - 1 && call.end <= original.end + 1;
  const around = call.start <= original.start + 1 && call.end >= original.end - 1;
  if (!within && !around) return false;
  const tokens = call.counts.output;
  return tokens !== undefined && (original.counts.output === undefined || tokens === original.counts.output);
}

/** Of two calls in traces of their own, the one with more content is the original. */
function outranks(original: Call, call: Call): boolean {
  const weight = (one: Call) => one.inputs.length + one.outputs.length;
  if (weight(original) !== weight(call)) return weight(original) > weight(call);
  return original.end - original.start >= call.end - call.start;
}
