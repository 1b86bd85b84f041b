import type { Call } from "../adapt/call.ts";
import { type CallPrint, isCopy, loneCall, printOf } from "./call-print.ts";
import type { CallPrints } from "./call-prints.ts";
import { EarlierFragments } from "./earlier-fragments.ts";
import { predecessorOf } from "./link-rules.ts";
import type { Seams } from "./seams.ts";

/** Fragments of one run, by start, and the copies of its calls found in other traces. */
export interface Group {
  readonly members: readonly [Seams, ...Seams[]];
  readonly copies: ReadonlyMap<Call, readonly Call[]>;
}

/**
 * Puts the fragments of one service into runs; copies of calls are set apart. The order given does not matter. `released`:
 * the calls of runs that are no longer here.
 */
export function groupFragments(fragments: readonly Seams[], released: CallPrints): Group[] {
  const { kept, copies } = setCopiesApart(fragments.toSorted(byStart), released);
  const earlier = new EarlierFragments();
  const groupOf = new Map<Seams, Seams[]>();
  const groups: Seams[][] = [];
  for (const one of kept) {
    const before = predecessorOf(one, earlier);
    let group = before === undefined ? undefined : groupOf.get(before);
    if (group === undefined) {
      group = [];
      groups.push(group);
    }
    group.push(one);
    groupOf.set(one, group);
    earlier.add(one);
  }
  return groups.flatMap(([first, ...rest]) =>
    first === undefined ? [] : [{ members: [first, ...rest], copies }],
  );
}

export function byStart(a: Seams, b: Seams): number {
  const [x, y] = [a.fragment, b.fragment];
  return (
    x.start - y.start || compare(x.traceId, y.traceId) || compare(x.root.span.spanId, y.root.span.spanId)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface Placed {
  readonly call: Call;
  readonly print: CallPrint;
  readonly isLone: boolean;
}

function setCopiesApart(
  sorted: readonly Seams[],
  released: CallPrints,
): { kept: Seams[]; copies: Map<Call, Call[]> } {
  const copies = new Map<Call, Call[]>();
  const lone = new Map(sorted.map((one) => [one, loneCall(one)]));
  if (![...lone.values()].some((call) => call !== undefined)) return { kept: [...sorted], copies };
  const placed = sorted
    .flatMap((one) =>
      one.fragment.calls.map((call) => ({ call, print: printOf(call), isLone: lone.get(one) === call })),
    )
    .sort((a, b) => a.print.start - b.print.start);
  const places = new Map(placed.map(({ call }, place) => [call, place]));
  const kept = sorted.filter((one) => {
    const call = lone.get(one);
    if (call === undefined) return true;
    const print = printOf(call);
    if (released.hasOriginalOf(print)) return false;
    const original = originalOf(call, print, placed, places.get(call) ?? 0);
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

function originalOf(call: Call, print: CallPrint, placed: readonly Placed[], at: number): Call | undefined {
  const near = placed.slice(Math.max(0, at - nearby), at + nearby);
  return near.find(
    (one) => one.call !== call && isCopy(print, one.print) && (!one.isLone || outranks(one.call, call)),
  )?.call;
}

/** Of two calls in traces of their own, the one with more content is the original. */
function outranks(original: Call, call: Call): boolean {
  const weight = (one: Call) => one.inputs.length + one.outputs.length;
  if (weight(original) !== weight(call)) return weight(original) > weight(call);
  const [longer, shorter] = [original.end - original.start, call.end - call.start];
  if (longer !== shorter) return longer > shorter;
  // One of two that are equal has to stay.
  return original.start !== call.start ? original.start < call.start : traceOf(original) < traceOf(call);
}

function traceOf({ piece }: Call): string {
  return piece.span.traceId;
}
