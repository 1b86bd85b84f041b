import { mayRepeat } from "../calls/sort-calls.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { LONGEST_BACKOFF_MS } from "../continuation/split-runs.ts";
import { type EmittedCalls, isCopy, isOverlapping } from "./copies.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";
import { leavesOf, takesOf } from "./links.ts";
import { membersOf } from "./session-parts.ts";
import { seekerOf } from "./sought-tools.ts";
import type { TracedSessions } from "./traced-sessions.ts";

/** Fragments of one run, by start. */
export interface Group {
  readonly members: readonly [FragmentBoundary, ...FragmentBoundary[]];
  /** Whether the run has more fragments than `MOST_MEMBERS`, so that this group has only some of them. */
  readonly isPart: boolean;
}

/** Maximum number of fragments in a run. Senders control how many fragments are linked. */
const MOST_MEMBERS = 1_000;
/** Number of calls before a call, and after it, that are searched for its duplicate. */
const NEARBY = 50;

/**
 * Groups the fragments of one service into runs, independent of their order. A trace that contains only duplicates of calls is dropped.
 * Fields of a duplicate complete the original call, unless the original is in `emitted`.
 * @param emitted calls of runs that were released
 * @param traced sessions that are named by spans
 */
export function groupFragments(
  fragments: readonly FragmentBoundary[],
  emitted: EmittedCalls,
  maxPauseMs: number,
  traced: Pick<TracedSessions, "has" | "lacks">,
): Group[] {
  const sorted = withoutCopies(fragments.toSorted(byStart), emitted).filter(
    (one) => !one.fragment.isBesideSpans || !traced.has(one),
  );
  const latest = new Map<string, { readonly boundary: FragmentBoundary; readonly place: number }>();
  const groupOf = new Map<FragmentBoundary, FragmentBoundary[]>();
  const groups: FragmentBoundary[][] = [];
  const parts = new Set<FragmentBoundary[]>();
  const seekers: FragmentBoundary[] = [];
  for (const [place, one] of sorted.entries()) {
    let before: FragmentBoundary | null = null;
    for (const links of takesOf(one)) {
      // The links of a tool's trace only select candidates; `seekerOf` decides among them.
      if (links[0]?.startsWith("ran ") === true) continue;
      let found: { readonly boundary: FragmentBoundary; readonly place: number } | null = null;
      for (const link of links) {
        const left = latest.get(link);
        if (left === undefined || left.place <= (found?.place ?? -1)) continue;
        if (inHistory.test(link) && isOtherConversation(left.boundary, one)) continue;
        found = left;
      }
      const longestMs = links[0]?.startsWith("attempt ") === true ? LONGEST_BACKOFF_MS : maxPauseMs;
      if (found === null || one.fragment.start - found.boundary.fragment.end >= longestMs) continue;
      before = found.boundary;
      break;
    }
    if (before === null && one.isLoneTool) before = seekerOf(one, seekers, maxPauseMs);
    if (one.seeksTools) seekers.push(one);
    let group = before === null ? undefined : groupOf.get(before);
    const isFull = group?.length === MOST_MEMBERS;
    if (group !== undefined && isFull) parts.add(group);
    // The group is full, and its log records already describe the work of this span, so the span is dropped.
    if (isFull && before?.fragment.isBesideSpans === true) continue;
    if (group === undefined || isFull) {
      group = [];
      groups.push(group);
      if (isFull) parts.add(group);
    }
    group.push(one);
    groupOf.set(one, group);
    for (const link of leavesOf(one)) latest.set(link, { boundary: one, place });
  }
  return groups.flatMap((group) => {
    const isSession =
      group.length === 1 && group.every((one) => one.fragment.isBesideSpans && traced.lacks(one));
    const [first, ...rest] = isSession ? group : membersOf(group);
    return first === undefined ? [] : [{ members: [first, ...rest], isPart: parts.has(group) }];
  });
}

function byStart({ fragment: a }: FragmentBoundary, { fragment: b }: FragmentBoundary): number {
  return (
    a.start - b.start || compare(a.traceId, b.traceId) || compare(a.root.span.spanId, b.root.span.spanId)
  );
}

/**
 * Matches the links that a fragment takes from the history of its first call. Only these links need a check of the conversation, because
 * ids such as `call_1` occur in every conversation.
 */
const inHistory = /^(?:id|results of|question|call|call with id) /;

/** Whether a fragment's history belongs to another conversation than the earlier fragment. */
function isOtherConversation(
  earlier: FragmentBoundary,
  { conversation, thisTurn }: FragmentBoundary,
): boolean {
  if (thisTurn.length === 0 || conversation === null || earlier.conversation === null) return false;
  return conversation !== earlier.conversation;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function withoutCopies(
  sorted: readonly FragmentBoundary[],
  emitted: EmittedCalls,
): readonly FragmentBoundary[] {
  const bare = new Set(sorted.flatMap(({ bareCalls, isIsolated }) => (isIsolated ? [] : bareCalls)));
  const isolated = new Set(sorted.flatMap(({ bareCalls, isIsolated }) => (isIsolated ? bareCalls : [])));
  if (bare.size + isolated.size === 0) return sorted;
  const calls = sorted
    .flatMap(({ fragment }) => (fragment.isBesideSpans || fragment.isAsideCall ? [] : fragment.calls))
    .sort((a, b) => a.start - b.start);
  const mayBeCopies = mayRepeat(calls);
  const places = new Map(calls.map((call, place) => [call, place]));
  const dropped = new Set<LlmCall>();
  // Several calls without an agent are duplicates only of an agent's calls. Without such originals, the calls may be the run itself.
  const originalOf = (copy: LlmCall, isOnly: boolean): LlmCall | undefined => {
    const place = places.get(copy) ?? -1;
    for (let at = Math.max(0, place - NEARBY); at < Math.min(place + NEARBY, calls.length); at++) {
      const one = calls[at] as LlmCall;
      if (at === place || dropped.has(one)) continue;
      const isView = isolated.has(copy);
      if (isView ? bare.has(one) || isolated.has(one) : !isOnly && bare.has(one)) continue;
      if (isView ? isOverlapping(copy, one) : isCopy(copy, one)) return one;
    }
    return undefined;
  };
  return sorted.filter(({ bareCalls }) => {
    if (bareCalls.length === 0) return true;
    const originals = new Map<LlmCall, LlmCall>();
    for (const copy of bareCalls) {
      if (emitted.has(copy)) continue;
      const original = mayBeCopies ? originalOf(copy, bareCalls.length === 1) : undefined;
      if (original === undefined) return true;
      originals.set(copy, original);
    }
    for (const [copy, original] of originals) {
      dropped.add(copy);
      original.addLayers([copy.node, ...copy.around]);
    }
    return false;
  });
}
