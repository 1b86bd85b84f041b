import { append } from "../../support/structures/long-lists.ts";
import type { AgentRun, CloseReason } from "../../model/run.ts";
import { AssembledRun } from "../assembled-run.ts";
import { Evidence } from "../evidence.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { type Fragment, spanKey } from "../fragment.ts";
import { defaultMaxPauseMs } from "../fragment-reader.ts";
import { KeptAttributes } from "../results/kept-attributes.ts";
import { FragmentBoundary } from "./fragment-boundary.ts";
import { EmittedCalls } from "./copies.ts";
import type { Group } from "./group-fragments.ts";
import { HeldAccount, PendingFragments } from "./pending-fragments.ts";
import type { StitchOptions } from "./stitch-options.ts";
import { TracedSessions } from "./traced-sessions.ts";

const defaults: Omit<StitchOptions, "kept"> = {
  quietMs: 10_000,
  maxPauseMs: defaultMaxPauseMs,
  lateMs: 120_000,
  maxFragments: 20_000,
};

/** Number of services above which services without fragments are forgotten, with their remembered calls. */
const MOST_SERVICES = 5_000;

/** Maximum number of retained error-only fragments. They become runs if the complete input has no other run. */
const maxErrorOnly = 1000;

/**
 * Joins the fragments of runs that span several traces. The caller passes the current time. The next `emit` returns fragments that are
 * complete runs, and groups of linked fragments whose last fragment is complete. All other fragments wait for `quietMs`. Fragments of
 * emitted runs are retained for `lateMs`: a late fragment causes the joined run to be emitted again. Within `lateMs`, the order of
 * fragments does not matter.
 */
export class RunStitcher {
  readonly #options: StitchOptions;
  /** Fragments that are complete runs. */
  #whole: Fragment[] = [];
  readonly #pendingByService = new Map<string | null, PendingFragments>();
  readonly #emittedByService = new Map<string | null, EmittedCalls>();
  readonly #held = new HeldAccount();
  readonly #traced = new TracedSessions();
  #errorOnly: Fragment[] = [];
  #isAllErrorOnly = true;

  /** `attributes`: names of further attributes to copy onto runs. A name that ends in `*` is a prefix. */
  constructor(
    options: Partial<Omit<StitchOptions, "kept">> & { readonly attributes?: readonly string[] } = {},
  ) {
    const { attributes, ...others } = options;
    this.#options = { ...defaults, ...others, kept: new KeptAttributes(attributes) };
    this.#isAllErrorOnly = others.elsewhere?.isAnyRun !== true;
  }

  /** Adds the fragments of one trace. They replace the trace's earlier fragments. */
  add(fragments: readonly Fragment[], nowMs: number): void {
    const [first] = fragments;
    if (first === undefined) return;
    this.#pendingByService.get(first.service)?.removeTrace(first.traceId);
    for (const fragment of fragments) this.#add(fragment, nowMs);
  }

  #add(fragment: Fragment, nowMs: number): void {
    const { setAside } = this.#options;
    if (fragment.isErrorOnly) {
      if (setAside !== undefined) setAside(fragment);
      else if (this.#isAllErrorOnly && this.#errorOnly.length < maxErrorOnly) this.#errorOnly.push(fragment);
      return;
    }
    const boundary = new FragmentBoundary(fragment);
    const mayBeNone = fragment.isBesideSpans || fragment.isAsideCall || fragment.isPromptOnly;
    if (!mayBeNone) {
      this.#isAllErrorOnly = false;
      this.#errorOnly = [];
    }
    this.#traced.add(boundary);
    // Fragments of a trace that was closed to free memory are emitted without waiting.
    const waits =
      mayBeNone ||
      (fragment.closeReason !== "memory" &&
        (!boundary.isWhole ||
          boundary.mayContinue ||
          boundary.seeksTools ||
          boundary.isIsolated ||
          boundary.delegations.length > 0));
    if (!waits) this.#whole.push(fragment);
    else if (setAside !== undefined) setAside(fragment);
    else this.#pendingOf(fragment.service).add(boundary, nowMs);
  }

  /** Whether fragments of the trace are pending, or retained after their run was emitted, so that the run can still change. */
  isOpen(traceId: string): boolean {
    if (this.#held.traces.has(traceId)) return true;
    return [this.#whole, this.#errorOnly].some((fragments) => hasTrace(fragments, traceId));
  }

  /** Whether fragments of the trace have not been emitted yet. */
  isAwaited(traceId: string): boolean {
    return this.#held.awaitedTraces.has(traceId) || hasTrace(this.#whole, traceId);
  }

  /** Whether any fragments have not been emitted yet. */
  get hasAwaited(): boolean {
    return this.#held.awaitedTraces.size > 0 || this.#whole.length > 0;
  }

  /** Whether the last call of `emit` left further due runs. */
  isBehind = false;

  /**
   * Returns the runs that are complete, or waited long enough.
   * @param most for each service, about this many of the runs that waited are emitted; `isBehind` is true if more are due. With 0, only
   * fragments that are complete runs are emitted, and `isBehind` stays unchanged
   */
  emit(nowMs: number, most = Infinity): AgentRun[] {
    const runs = this.#emitWhole();
    if (most === 0) return inOrder(runs);
    this.isBehind = false;
    for (const pending of this.#pendingByService.values()) {
      for (const group of pending.due(nowMs, most)) runs.push(this.#run(group));
      if (pending.held > this.#options.maxFragments) {
        const limit = Math.max(this.#options.maxFragments / 2, pending.held - 4 * most);
        for (const group of pending.shrink(limit)) runs.push(this.#run(group, "memory"));
      }
      if (pending.isBehind || pending.held > this.#options.maxFragments) this.isBehind = true;
    }
    return inOrder(runs);
  }

  /** Estimated memory of pending and retained fragments, in bytes. */
  get heldBytes(): number {
    return this.#held.bytes;
  }

  /** Forgets the retained fragments of emitted runs. A later fragment of such a run becomes a separate run. */
  forgetReleased(): void {
    for (const pending of this.#pendingByService.values()) pending.forgetReleased();
  }

  /** Frees memory: emits the oldest pending fragments, at most `most`, of the service that has the most fragments. */
  evict(most: number): AgentRun[] {
    let largest: PendingFragments | undefined;
    for (const pending of this.#pendingByService.values()) {
      if (pending.waiting > (largest?.waiting ?? 0)) largest = pending;
    }
    if (largest === undefined) return [];
    return inOrder(largest.shrink(largest.waiting - most).map((group) => this.#run(group, "memory")));
  }

  /** Emits all pending fragments as runs, without waiting for more fragments. */
  drain(closeReason?: CloseReason): AgentRun[] {
    const runs = this.#emitWhole(closeReason);
    for (const pending of this.#pendingByService.values()) {
      for (const group of pending.drain()) runs.push(this.#run(group, closeReason));
    }
    for (const fragment of this.#errorOnly) runs.push(this.#single(fragment, closeReason));
    this.#errorOnly = [];
    return inOrder(runs);
  }

  #emitWhole(closeReason?: CloseReason): AgentRun[] {
    if (this.#whole.length === 0) return [];
    const runs = this.#whole.map((fragment) => {
      this.#emittedOf(fragment.service).add(fragment.calls);
      return this.#single(fragment, closeReason);
    });
    this.#whole = [];
    return this.#options.elsewhere === undefined ? runs : [];
  }

  #single(fragment: Fragment, closeReason = fragment.closeReason): AgentRun {
    return new AssembledRun(new Evidence([fragment]), this.#options, closeReason);
  }

  #run({ members, isPart }: Group, closeReason?: CloseReason): AgentRun {
    placeBelowTools(members);
    const [first, ...rest] = members;
    const fragments: [Fragment, ...Fragment[]] = [first.fragment, ...rest.map(({ fragment }) => fragment)];
    // The separate trace of a tool does not end a run, because its agent may still be at work.
    const isComplete = first.fragment.isBesideSpans || first.seeksTools;
    const last = members.findLast((one) => !(one.isLoneTool && isComplete)) ?? first;
    const isSpread = isPart || first.beginsElsewhere || (last.hasNoAgentSpan && last.isOpen);
    return new AssembledRun(
      new Evidence(fragments, isSpread),
      this.#options,
      closeReason ?? last.fragment.closeReason,
    );
  }

  #pendingOf(service: string | null): PendingFragments {
    let pending = this.#pendingByService.get(service);
    if (pending === undefined) {
      pending = new PendingFragments(this.#options, this.#emittedOf(service), this.#held, this.#traced);
      this.#pendingByService.set(service, pending);
    }
    return pending;
  }

  #emittedOf(service: string | null): EmittedCalls {
    let emitted = this.#emittedByService.get(service);
    if (emitted === undefined) {
      if (this.#emittedByService.size >= MOST_SERVICES) this.#forgetIdleServices();
      emitted = new EmittedCalls();
      this.#emittedByService.set(service, emitted);
    }
    return emitted;
  }

  #forgetIdleServices(): void {
    for (const service of this.#emittedByService.keys()) {
      if ((this.#pendingByService.get(service)?.held ?? 0) > 0) continue;
      this.#pendingByService.delete(service);
      this.#emittedByService.delete(service);
    }
  }
}

function hasTrace(fragments: readonly Fragment[], traceId: string): boolean {
  return fragments.some((fragment) => fragment.traceId === traceId);
}

function inOrder(runs: AgentRun[]): AgentRun[] {
  if (runs.length < 2) return runs;
  return runs.sort(
    (a, b) => a.startUnixMs - b.startUnixMs || (a.runId < b.runId ? -1 : a.runId > b.runId ? 1 : 0),
  );
}

/**
 * Makes the tool that started a sub-agent the parent of the sub-agent's trace. The sub-agent's calls and tools are then read like those of
 * a nested agent. The tool must be in an earlier fragment of the run: senders control the links, and a cycle of parents would be an endless
 * loop.
 */
function placeBelowTools(members: readonly FragmentBoundary[]): void {
  const tools: SpanFacts[] = [];
  for (const { delegations, fragment } of members) {
    const { root, linkedSpans } = fragment;
    const tool =
      linkedSpans.length === 0 ? undefined : tools.find(({ span }) => linkedSpans.includes(spanKey(span)));
    const top = topOf(root);
    // Two agents below one span have the same top, which may already have its place below a tool.
    if (tool !== undefined && topOf(tool) !== top) {
      top.parent = tool;
      tool.children.push(top);
    }
    append(tools, delegations);
  }
}

function topOf(node: SpanFacts): SpanFacts {
  let top = node;
  while (top.parent !== null) top = top.parent;
  return top;
}
