import type { LlmCall } from "../fragments/llm-call.ts";
import { type CallFingerprint, isCopy, loneCall, fingerprintOf } from "./call-fingerprint.ts";
import type { FingerprintTable } from "./fingerprint-table.ts";
import { EarlierFragments } from "./earlier-fragments.ts";
import { predecessorOf } from "./link-rules.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";

/** Fragments of one run, by start, and the copies of its calls found in other traces. */
export interface Group {
  readonly members: readonly [FragmentBoundary, ...FragmentBoundary[]];
  readonly copies: ReadonlyMap<LlmCall, readonly LlmCall[]>;
  /** A run of more fragments than are put together: this group is a part of it. */
  readonly isPart: boolean;
}

/** Fragments of one run that are put together. Work on a run grows faster than its size, and a sender decides how many fragments are linked. */
const MOST_MEMBERS = 1_000;

/**
 * Puts the fragments of one service into runs; copies of calls are set apart. The order given does not matter. `emitted`:
 * the calls of runs that are no longer here. `maxPauseMs`: what begins so long after the end of another, or later, does not go on from it.
 */
export function groupFragments(
  fragments: readonly FragmentBoundary[],
  emitted: FingerprintTable,
  maxPauseMs: number,
): Group[] {
  const { kept, copies } = setCopiesApart(fragments.toSorted(byStart), emitted);
  const earlier = new EarlierFragments();
  const groupOf = new Map<FragmentBoundary, FragmentBoundary[]>();
  const groups: FragmentBoundary[][] = [];
  const parts = new Set<FragmentBoundary[]>();
  for (const one of kept) {
    const before = predecessorOf(one, earlier, maxPauseMs);
    let group = before === undefined ? undefined : groupOf.get(before);
    const isFull = group?.length === MOST_MEMBERS;
    if (group !== undefined && isFull) parts.add(group);
    if (group === undefined || isFull) {
      group = [];
      groups.push(group);
      if (isFull) parts.add(group);
    }
    group.push(one);
    groupOf.set(one, group);
    earlier.add(one);
  }
  return groups.flatMap((group) => {
    const [first, ...rest] = group;
    return first === undefined ? [] : [{ members: [first, ...rest], copies, isPart: parts.has(group) }];
  });
}

function byStart(a: FragmentBoundary, b: FragmentBoundary): number {
  const [x, y] = [a.fragment, b.fragment];
  return (
    x.start - y.start || compare(x.traceId, y.traceId) || compare(x.root.span.spanId, y.root.span.spanId)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface Placed {
  readonly call: LlmCall;
  readonly fingerprint: CallFingerprint;
  readonly isLone: boolean;
}

function setCopiesApart(
  sorted: readonly FragmentBoundary[],
  emitted: FingerprintTable,
): { kept: FragmentBoundary[]; copies: Map<LlmCall, LlmCall[]> } {
  const copies = new Map<LlmCall, LlmCall[]>();
  const lone = new Map(sorted.map((one) => [one, loneCall(one)]));
  if (![...lone.values()].some((call) => call !== undefined)) return { kept: [...sorted], copies };
  const placed = sorted
    .flatMap((one) =>
      one.fragment.calls.map((call) => ({
        call,
        fingerprint: fingerprintOf(call),
        isLone: lone.get(one) === call,
      })),
    )
    .sort((a, b) => a.fingerprint.start - b.fingerprint.start);
  const places = new Map(placed.map(({ call }, place) => [call, place]));
  const kept = sorted.filter((one) => {
    const call = lone.get(one);
    if (call === undefined) return true;
    const fingerprint = fingerprintOf(call);
    if (emitted.hasOriginalOf(fingerprint)) return false;
    const original = originalOf(call, fingerprint, placed, places.get(call) ?? 0);
    if (original === undefined) return true;
    const known = copies.get(original);
    if (known === undefined) copies.set(original, [call]);
    else known.push(call);
    return false;
  });
  return { kept, copies };
}

/** How many calls before and after one are looked at. */
const nearby = 100;

function originalOf(
  call: LlmCall,
  fingerprint: CallFingerprint,
  placed: readonly Placed[],
  at: number,
): LlmCall | undefined {
  const near = placed.slice(Math.max(0, at - nearby), at + nearby);
  return near.find(
    (one) =>
      one.call !== call && isCopy(fingerprint, one.fingerprint) && (!one.isLone || outranks(one.call, call)),
  )?.call;
}

/** Of two calls in traces of their own, the one with more content is the original. */
function outranks(original: LlmCall, call: LlmCall): boolean {
  const weight = (one: LlmCall) => one.inputs.length + one.outputs.length;
  if (weight(original) !== weight(call)) return weight(original) > weight(call);
  const [longer, shorter] = [original.end - original.start, call.end - call.start];
  if (longer !== shorter) return longer > shorter;
  // One of two that are equal has to stay.
  return original.start !== call.start ? original.start < call.start : traceOf(original) < traceOf(call);
}

function traceOf({ node }: LlmCall): string {
  return node.span.traceId;
}
