import type { LlmCall } from "../calls/llm-call.ts";
import { isSame } from "../calls/sort-calls.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";
import { SetIndex } from "./set-index.ts";

/**
 * Whether a call is a duplicate of `original` from another instrumentation. Either both have the same response id, or the time of one
 * contains the time of the other and their outputs are equal. Of two duplicates, the original is the one with more messages; with equal
 * numbers, the longer one.
 */
export function isCopy(call: LlmCall, original: LlmCall): boolean {
  const weight = call.inputs.length + call.outputs.length - original.inputs.length - original.outputs.length;
  const longer = call.end - call.start - (original.end - original.start);
  if (weight > 0 || (weight === 0 && (longer > 0 || (longer === 0 && call.start < original.start))))
    return false;
  return isOverlapping(call, original);
}

/** Whether two calls are duplicates. It does not matter which of the two is the original. */
export function isOverlapping(call: LlmCall, other: LlmCall): boolean {
  if (call.responseId !== null && call.responseId === other.responseId) return isSame(call, other);
  const isWithin = call.start >= other.start - 1 && call.end <= other.end + 1;
  const isAround = call.start <= other.start + 1 && call.end >= other.end - 1;
  return (isWithin || isAround) && (isSame(call, other) || isSame(other, call));
}

/** Length of the time intervals by which calls are indexed. */
const INTERVAL_MS = 4_000;
/** Maximum number of intervals by which a call is indexed. Of a call longer than ten minutes, only the first ten minutes are indexed. */
const MOST_INTERVALS = 150;

/**
 * Finds fragments whose calls may be duplicates of a fragment's calls. Duplicates have the same response id, or they overlap and have
 * different scopes. Parallel sessions of one producer have the same scope, so they are not compared with each other.
 */
export class CopyIndex {
  /** Fragments by time interval, and within an interval by the instrumentation scopes of their calls. */
  readonly #byTime = new Map<number, SetIndex<string, FragmentBoundary>>();
  readonly #byResponse = new SetIndex<string, FragmentBoundary>();
  readonly #places = new Map<FragmentBoundary, Places>();

  add(boundary: FragmentBoundary): void {
    const { times, responses } = placesOf(boundary);
    this.#places.set(boundary, { times, responses });
    for (const [time, scopes] of times) {
      let byScope = this.#byTime.get(time);
      if (byScope === undefined) this.#byTime.set(time, (byScope = new SetIndex()));
      for (const scope of scopes) byScope.add(scope, boundary);
    }
    for (const id of responses) this.#byResponse.add(id, boundary);
  }

  delete(boundary: FragmentBoundary): void {
    const { times, responses } = this.#places.get(boundary) ?? nowhere;
    this.#places.delete(boundary);
    for (const [time, scopes] of times) {
      const byScope = this.#byTime.get(time);
      for (const scope of scopes) byScope?.delete(scope, boundary);
      if (byScope?.isEmpty === true) this.#byTime.delete(time);
    }
    for (const id of responses) this.#byResponse.delete(id, boundary);
  }

  /** Yields the fragments with possible duplicates of an indexed fragment. A fragment may be yielded several times. */
  *candidates(boundary: FragmentBoundary): Generator<FragmentBoundary> {
    const { times, responses } = this.#places.get(boundary) ?? nowhere;
    for (const [time, scopes] of times)
      for (const [scope, fragments] of this.#byTime.get(time)?.entries() ?? [])
        if (scopes.size > 1 || !scopes.has(scope)) yield* fragments;
    for (const id of responses) yield* this.#byResponse.get(id);
  }
}

interface Places {
  readonly times: ReadonlyMap<number, ReadonlySet<string>>;
  readonly responses: ReadonlySet<string>;
}

const nowhere: Places = { times: new Map(), responses: new Set() };

/**
 * Returns the response ids of a fragment's calls, and the time intervals in which it has calls, with the scopes of these calls. A call and
 * its duplicate have at least one interval in common.
 */
function placesOf({ fragment: { isBesideSpans, isAsideCall, calls } }: FragmentBoundary): Places {
  if (isBesideSpans || isAsideCall) return nowhere;
  const times = new Map<number, Set<string>>();
  const responses = new Set<string>();
  for (const { start, end, node, responseId } of calls) {
    if (responseId !== null) responses.add(responseId);
    const first = Math.floor((start - 1) / INTERVAL_MS);
    const last = Math.min(Math.floor((end + 1) / INTERVAL_MS), first + MOST_INTERVALS);
    for (let at = first; at <= last; at++) {
      const scopes = times.get(at);
      if (scopes === undefined) times.set(at, new Set([node.span.scopeName]));
      else scopes.add(node.span.scopeName);
    }
  }
  return { times, responses };
}

/** Whether one of two fragments is a trace that contains only duplicates of calls in the other. */
export function areCopies(a: FragmentBoundary, b: FragmentBoundary): boolean {
  if (a === b) return false;
  const isViewOf = (
    { bareCalls, isIsolated }: FragmentBoundary,
    { fragment: { calls } }: FragmentBoundary,
  ): boolean =>
    bareCalls.length > 0 &&
    bareCalls.every((copy) => calls.some((call) => (isIsolated ? isOverlapping : isCopy)(copy, call)));
  return isViewOf(a, b) || isViewOf(b, a);
}

interface EmittedCall {
  readonly traceId: string;
  readonly start: number;
  readonly end: number;
  readonly scope: string;
  /** Output tokens; null for a call without a count. */
  readonly output: number | null;
  readonly isFailed: boolean;
  readonly responseId: string | null;
}

/** Number of the latest calls of emitted runs that are always retained. Up to about twice as many are retained. */
const MOST_CALLS = 2_000;
/** Tolerance in milliseconds for the overlap of a call and its duplicate. */
const CLOCK_MS = 1;

/** Model calls of emitted runs. A duplicate of such a call, from another instrumentation, may arrive later in a separate trace. */
export class EmittedCalls {
  #current: EmittedCall[] = [];
  #previous: EmittedCall[] = [];

  add(calls: readonly LlmCall[]): void {
    for (const { start, end, node, usage, responseId } of calls)
      this.#current.push({
        traceId: node.span.traceId,
        start,
        end,
        scope: node.span.scopeName,
        output: usage.output,
        isFailed: node.failure !== null,
        responseId,
      });
    if (this.#current.length < MOST_CALLS) return;
    this.#previous = this.#current;
    this.#current = [];
  }

  /**
   * Whether `call` duplicates a call of an emitted run. A duplicate has another scope and trace, and either the same response id, or the
   * same time and output count.
   */
  has(call: LlmCall): boolean {
    const { start, end, node, responseId } = call;
    const { scopeName, traceId } = node.span;
    for (const calls of [this.#current, this.#previous])
      for (const one of calls) {
        const isShared = responseId !== null && one.responseId === responseId;
        const isWithin = start >= one.start - CLOCK_MS && end <= one.end + CLOCK_MS;
        const isAround = start <= one.start + CLOCK_MS && end >= one.end - CLOCK_MS;
        if (!isShared && !isWithin && !isAround) continue;
        if (one.scope === scopeName || one.traceId === traceId) continue;
        const { output } = call.usage;
        const isEqual =
          output === null ? one.isFailed && node.failure !== null : (one.output ?? output) === output;
        if (isShared || isEqual) return true;
      }
    return false;
  }
}
