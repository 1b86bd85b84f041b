import { type Group, groupFragments } from "./group-fragments.ts";
import type { EmittedCalls } from "./copies.ts";
import type { StitchOptions } from "./stitch-options.ts";
import { LinkIndex } from "./link-index.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";
import { SetIndex } from "./set-index.ts";
import type { TracedSessions } from "./traced-sessions.ts";
import { Multiset } from "../../support/structures/multiset.ts";

interface Waiting {
  readonly boundary: FragmentBoundary;
  readonly addedMs: number;
  /** Estimated memory in bytes of the fragment and of its share of the request body. */
  readonly bytes: number;
  /** Time when a run with the fragment was last emitted, or when the fragment was marked as a duplicate; undefined if neither happened. */
  doneMs: number | undefined;
  /** The group of linked fragments that was examined last without a due fragment; undefined if there is none. */
  rest: Rest | undefined;
}

/** Measured memory of the objects of a fragment, in bytes. */
const FRAGMENT_BYTES = 500;
/** Memory of a span in bytes, if no estimate is given. */
const SPAN_BYTES = 2_000;
/** Estimated memory in bytes, and the traces, of all services' pending and retained fragments. */
export class HeldAccount {
  bytes = 0;
  readonly traces = new Multiset<string>();
  /** Trace ids of fragments that have not been emitted. */
  readonly awaitedTraces = new Multiset<string>();
}

/**
 * A group of linked fragments, and the earliest time at which one of them can be due without new input. The group is not examined again
 * before.
 */
interface Rest {
  untilMs: number;
}

/** Fragments of one service that may belong together: pending fragments, and retained fragments of emitted runs. */
export class PendingFragments {
  readonly #options: StitchOptions;
  readonly #emitted: EmittedCalls;
  readonly #held: HeldAccount;
  readonly #traced: TracedSessions;
  /** Only `due` needs this index. */
  readonly #links = new LinkIndex();
  /** Fragments that are not in the index yet. */
  readonly #unindexed = new Set<FragmentBoundary>();
  /** All fragments, in the order added. */
  readonly #all = new Map<FragmentBoundary, Waiting>();
  readonly #byTrace = new SetIndex<string, Waiting>();
  /** Pending fragments, in order of arrival. */
  readonly #open = new Set<Waiting>();
  /** Fragments whose run was emitted, oldest first. */
  readonly #done = new Set<Waiting>();
  /** Fragments that may complete a run as soon as they arrive. */
  readonly #closing = new Set<Waiting>();

  /**
   * @param held memory account to which these fragments are added, including retained fragments of emitted runs
   * @param traced sessions that are named by spans
   */
  constructor(options: StitchOptions, emitted: EmittedCalls, held: HeldAccount, traced: TracedSessions) {
    this.#options = options;
    this.#traced = traced;
    this.#emitted = emitted;
    this.#held = held;
  }

  /** Number of fragments: pending fragments and retained fragments of emitted runs. */
  get held(): number {
    return this.#all.size;
  }

  /** Number of pending fragments. */
  get waiting(): number {
    return this.#open.size;
  }

  add(boundary: FragmentBoundary, nowMs: number): void {
    const bytes = this.#bytesOf(boundary);
    const one: Waiting = { boundary, addedMs: nowMs, bytes, doneMs: undefined, rest: undefined };
    this.#held.bytes += bytes;
    this.#held.traces.add(boundary.fragment.traceId);
    this.#held.awaitedTraces.add(boundary.fragment.traceId);
    this.#all.set(boundary, one);
    this.#open.add(one);
    this.#byTrace.add(boundary.fragment.traceId, one);
    this.#unindexed.add(boundary);
    if (boundary.isWhole) this.#closing.add(one);
  }

  #bytesOf({ fragment: { nodes } }: FragmentBoundary): number {
    const { memoryOfSpan } = this.#options;
    let bytes = FRAGMENT_BYTES;
    for (const { span } of nodes) bytes += memoryOfSpan?.(span) ?? SPAN_BYTES;
    return bytes;
  }

  /** Removes the fragments of a trace, because the trace arrives again. */
  removeTrace(traceId: string): void {
    for (const one of this.#byTrace.get(traceId)) {
      if (one.rest !== undefined) one.rest.untilMs = -Infinity;
      this.#remove(one);
    }
  }

  /** Whether the last call of `due` left further due groups. */
  isBehind = false;

  /** Returns groups that are due, about `most` in one call. */
  due(nowMs: number, most = Infinity): Group[] {
    this.#forget(nowMs, most);
    for (const boundary of this.#unindexed) this.#links.add(boundary);
    this.#unindexed.clear();
    const groups: Group[] = [];
    const seen = new Set<FragmentBoundary>();
    for (const one of this.#closing) {
      if (groups.length >= most) {
        this.isBehind = true;
        return groups;
      }
      this.#closing.delete(one);
      this.#addDue(one, nowMs, seen, groups);
    }
    this.isBehind = this.#addQuiet(nowMs, most, seen, groups);
    return groups;
  }

  /**
   * Adds the groups of fragments that waited long enough, if a linked fragment may be due. Fragments are in order of arrival, so the search
   * ends at the first that did not wait long enough. A growing run is thus not grouped again for each new fragment. Returns whether further
   * groups are due.
   */
  #addQuiet(nowMs: number, most: number, seen: Set<FragmentBoundary>, groups: Group[]): boolean {
    for (const one of this.#open) {
      if (!this.#isQuiet(one, nowMs)) return false;
      if (one.rest !== undefined && one.rest.untilMs > nowMs) continue;
      if (this.#awaitsRecords(one.boundary)) {
        one.rest = { untilMs: nowMs + this.#options.quietMs };
        continue;
      }
      if (groups.length >= most) return true;
      this.#addDue(one, nowMs, seen, groups);
    }
    return false;
  }

  #addDue({ boundary }: Waiting, nowMs: number, seen: Set<FragmentBoundary>, groups: Group[]): void {
    if (seen.has(boundary) || !this.#all.has(boundary)) return;
    const linked = this.#links.linkedTo(boundary);
    for (const one of linked) seen.add(one);
    groups.push(...this.#dueAmong(linked, nowMs));
  }

  #group(fragments: readonly FragmentBoundary[]): Group[] {
    return groupFragments(fragments, this.#emitted, this.#options.maxPauseMs, this.#traced);
  }

  /** Whether the fragment may join log records of its session that have not arrived yet. */
  #awaitsRecords(boundary: FragmentBoundary): boolean {
    const { fragment, conversation, isSessionPart } = boundary;
    if (!isSessionPart || conversation === null || this.#traced.has(boundary)) return false;
    return this.#options.isSessionOpen?.(fragment.service, conversation) === true;
  }

  #dueAmong(linked: ReadonlySet<FragmentBoundary>, nowMs: number): Group[] {
    const rest: Rest = { untilMs: Infinity };
    // If one fragment waits for the log records of its session, all fragments linked to it wait.
    if ([...linked].some((boundary) => this.#awaitsRecords(boundary))) {
      rest.untilMs = nowMs + this.#options.quietMs;
      for (const boundary of linked) this.#setRest(boundary, rest);
      return [];
    }
    const groups = this.#group([...linked]);
    const copies = new Set(linked);
    const waitFor = (members: readonly Waiting[]): void => {
      const last = members.reduce((latest, { addedMs }) => Math.max(latest, addedMs), -Infinity);
      rest.untilMs = Math.min(rest.untilMs, last + this.#options.quietMs);
    };
    const due = groups.filter((group) => {
      for (const boundary of group.members) copies.delete(boundary);
      const members = group.members.flatMap((boundary) => this.#all.get(boundary) ?? []);
      if (members.every(({ doneMs }) => doneMs !== undefined)) return false;
      if (!members.every((one) => this.#isQuiet(one, nowMs)) && !isClosed(group)) {
        waitFor(members);
        return false;
      }
      for (const one of members) this.#finish(one, nowMs);
      return true;
    });
    for (const boundary of copies) {
      const copy = this.#all.get(boundary);
      if (copy === undefined) continue;
      if (this.#isQuiet(copy, nowMs)) this.#finish(copy, nowMs);
      else waitFor([copy]);
    }
    for (const boundary of linked) this.#setRest(boundary, rest);
    return due;
  }

  #setRest(boundary: FragmentBoundary, rest: Rest): void {
    const one = this.#all.get(boundary);
    if (one !== undefined) one.rest = rest;
  }

  /** Returns all groups that have a pending fragment, without waiting, and forgets all fragments. */
  drain(): Group[] {
    const groups = this.#group([...this.#all.keys()]);
    const fresh = groups.filter(({ members }) => members.some((boundary) => this.#isOpen(boundary)));
    for (const one of this.#all.values()) this.#remove(one);
    return fresh;
  }

  forgetReleased(): void {
    for (const one of this.#done) this.#remove(one);
  }

  /**
   * Removes the retained fragments of emitted runs, and then the oldest pending fragments until at most `limit` fragments remain. Returns
   * the removed pending fragments, grouped only with each other.
   */
  shrink(limit: number): Group[] {
    this.forgetReleased();
    const count = this.#open.size - limit;
    const old: Waiting[] = [];
    for (const one of this.#open) {
      if (old.length >= count) break;
      old.push(one);
    }
    const groups = this.#group(old.map(({ boundary }) => boundary));
    for (const one of old) this.#remove(one);
    return groups;
  }

  #isOpen(boundary: FragmentBoundary): boolean {
    return this.#all.get(boundary)?.doneMs === undefined;
  }

  #isQuiet({ addedMs }: Waiting, nowMs: number): boolean {
    return nowMs - addedMs >= this.#options.quietMs;
  }

  #finish(one: Waiting, nowMs: number): void {
    one.doneMs = nowMs;
    this.#closeOne(one);
    this.#done.delete(one);
    this.#done.add(one);
  }

  #forget(nowMs: number, most: number): void {
    let left = most;
    for (const one of this.#done) {
      if (nowMs - (one.doneMs ?? nowMs) < this.#options.lateMs || left-- <= 0) break;
      this.#remove(one);
    }
  }

  /**
   * Removes a fragment. The remaining fragments of its group wait at most until the same time as before, because regrouping them after each
   * eviction would be too expensive.
   */
  #remove(one: Waiting): void {
    const { traceId } = one.boundary.fragment;
    if (this.#all.delete(one.boundary)) {
      this.#held.bytes -= one.bytes;
      this.#held.traces.remove(traceId);
    }
    this.#closeOne(one);
    this.#done.delete(one);
    this.#byTrace.delete(traceId, one);
    this.#closing.delete(one);
    if (!this.#unindexed.delete(one.boundary)) this.#links.delete(one.boundary);
  }

  #closeOne(one: Waiting): void {
    if (this.#open.delete(one)) this.#held.awaitedTraces.remove(one.boundary.fragment.traceId);
  }
}

/**
 * Whether a run needs no further fragment: its last fragment is complete, and each sub-agent that one of its tools started has a fragment.
 */
function isClosed({ members }: Group): boolean {
  const last = members[members.length - 1];
  if (last?.isWhole !== true || last.seeksTools) return false;
  const started = members.filter(({ fragment }) => fragment.linkedSpans.length > 0).length;
  return started >= members.reduce((sum, { delegations }) => sum + delegations.length, 0);
}
