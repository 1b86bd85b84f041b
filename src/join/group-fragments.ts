import type { Call } from "../adapt/call.ts";
import { originalOf } from "./ghosts.ts";
import { predecessorOf } from "./link-rules.ts";
import type { Seams } from "./seams.ts";

/** Fragments of one run, by start, and the copies of its calls found in other traces. */
export interface Group {
  readonly members: readonly [Seams, ...Seams[]];
  readonly copies: ReadonlyMap<Call, readonly Call[]>;
}

/** Puts the fragments of one service into runs. The order given does not matter. */
export function groupFragments(fragments: readonly Seams[]): Group[] {
  const sorted = fragments.toSorted(byStart);
  const { kept, copies } = setCopiesApart(sorted);
  const groupOf = new Map<Seams, Seams[]>();
  const groups: Seams[][] = [];
  const earlier: Seams[] = [];
  for (const one of kept) {
    const before = predecessorOf(one, earlier);
    earlier.push(one);
    const group = before === undefined ? undefined : groupOf.get(before);
    if (group === undefined) groups.push([one]);
    else group.push(one);
    groupOf.set(one, group ?? groups[groups.length - 1] ?? []);
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

function setCopiesApart(sorted: readonly Seams[]): { kept: Seams[]; copies: Map<Call, Call[]> } {
  const copies = new Map<Call, Call[]>();
  const kept: Seams[] = [];
  for (const one of sorted) {
    const original = originalOf(one, sorted);
    const [call] = one.fragment.calls;
    if (original === undefined || call === undefined) kept.push(one);
    else copies.set(original, [...(copies.get(original) ?? []), call]);
  }
  return { kept, copies };
}
