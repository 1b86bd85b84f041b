import type { Call } from "../adapt/call.ts";
import type { Piece } from "../adapt/piece.ts";
import { exceptionsOf } from "../adapt/read-failure.ts";
import type { Message } from "../model/message.ts";

/**
 * Tells calls that were answered from attempts that failed; calls that left nothing behind (cancelled before they were
 * sent) are dropped, and so are calls that two instrumentations show side by side.
 */
export interface SortedCalls {
  /** Answered, by start. */
  readonly served: readonly Call[];
  /** Attempts that failed, by start. */
  readonly failed: readonly Call[];
  /** Both, by start. */
  readonly all: readonly Call[];
}

export function sortCalls(calls: readonly Call[]): SortedCalls {
  const served: Call[] = [];
  const failed: Call[] = [];
  const ordered = isOrdered(calls) ? calls : calls.toSorted((a, b) => a.start - b.start);
  for (const call of ordered) {
    if (isFailed(call)) failed.push(call);
    else if (!isNothing(call)) served.push(call);
  }
  const kept = withoutTwins(served);
  return {
    served: kept,
    failed,
    all: failed.length === 0 ? kept : ordered.filter((one) => kept.includes(one) || failed.includes(one)),
  };
}

function isOrdered(calls: readonly Call[]): boolean {
  return calls.every((call, at) => at === 0 || (calls[at - 1]?.start ?? 0) <= call.start);
}

/** A failed call that has output was answered all the same: something after it failed. */
function isFailed(call: Call): boolean {
  const { failure } = call;
  if (failure === null && call.counts.output !== undefined) return false;
  if (!call.outputs.every(isEmpty) || (call.counts.output ?? 0) !== 0) return false;
  return failure !== null || exceptionsOf(call.piece.span).length > 0 || failedAround(call.piece);
}

/** Nothing came back, and what is around failed when it ended: some producers note the failure only there. */
function failedAround(piece: Piece): boolean {
  for (let at = piece.parent; at !== undefined && at.role !== "tool"; at = at.parent) {
    if (at.failure !== null)
      return !at.children.some((other) => other.role === "call" && other.start > piece.end);
  }
  return false;
}

function isEmpty({ text, calls }: Message): boolean {
  return (text === null || text === "") && calls.length === 0;
}

function isNothing(call: Call): boolean {
  const { reading } = call.piece;
  return (
    !reading.has("requestModel") &&
    !reading.has("responseModel") &&
    !reading.has("model") &&
    call.counts.input === undefined &&
    call.counts.output === undefined &&
    call.inputs.length === 0 &&
    call.outputs.length === 0
  );
}

/** One response id, or one scope's call within another scope's with the same output: the richer of the two stays. */
function withoutTwins(calls: Call[]): Call[] {
  const scope = calls[0]?.piece.span.scopeName;
  if (calls.every((call) => call.piece.span.scopeName === scope)) return calls;
  const kept: Call[] = [];
  for (const call of calls) {
    const twin = kept.findIndex((other) => isSameCall(other, call));
    const other = kept[twin];
    if (other === undefined) kept.push(call);
    else if (other.inputs.length + other.outputs.length < call.inputs.length + call.outputs.length)
      kept[twin] = call;
  }
  return kept;
}

function isSameCall(a: Call, b: Call): boolean {
  if (a.piece.span.scopeName === b.piece.span.scopeName) return false;
  const id = a.field("responseId");
  if (id !== undefined && id === b.field("responseId")) return true;
  const [outer, inner] = a.end - a.start >= b.end - b.start ? [a, b] : [b, a];
  const within = inner.start >= outer.start && inner.end <= outer.end;
  return within && a.counts.output !== undefined && a.counts.output === b.counts.output;
}
