import type { Fragment } from "../adapt/fragment.ts";
import type { AgentRun, CloseReason } from "../model/run.ts";
import { AssembledRun } from "./assembled-run.ts";
import { printOf } from "./call-print.ts";
import { CallPrints } from "./call-prints.ts";
import { Evidence } from "./evidence.ts";
import type { Group } from "./group-fragments.ts";
import type { JoinOptions } from "./join-options.ts";
import { KeptAttributes } from "./kept-attributes.ts";
import { OrderlyRun } from "./orderly/orderly-run.ts";
import { type OrderlyFacts, orderlyFacts } from "./orderly/orderly-uses.ts";
import { Seams } from "./seams.ts";
import { Shelf } from "./shelf.ts";

const defaults: Omit<JoinOptions, "kept"> = {
  quietMs: 10_000,
  lateMs: 120_000,
  maxFragments: 20_000,
};

/** A whole run, with what is known of it when it is an orderly one. */
interface Ready {
  readonly fragment: Fragment;
  readonly facts: OrderlyFacts | undefined;
}

/** Released runs' calls are remembered, to know a copy of one that comes later. */
const maxPrints = 50_000;

/**
 * Puts together the fragments of runs that are spread over several traces. Time is handed in. A fragment that is a whole run,
 * as nearly all are, goes out with the next `release`; pieces of runs wait for a quiet time. What comes out depends on the
 * fragments, not on the order in which they were added.
 */
export class Joiner {
  readonly #options: JoinOptions;
  #ready: Ready[] = [];
  readonly #shelves = new Map<string | null, Shelf>();
  readonly #prints = new Map<string | null, CallPrints>();
  #faint: Fragment[] = [];
  #isAllFaint = true;

  /** `attributes`: names of attributes to keep on runs besides the usual ones; one that ends in `*` is a prefix. */
  constructor(
    options: Partial<Omit<JoinOptions, "kept">> & { readonly attributes?: readonly string[] } = {},
  ) {
    const { attributes, ...others } = options;
    this.#options = { ...defaults, ...others, kept: new KeptAttributes(attributes) };
    this.#isAllFaint = others.elsewhere?.isAnyRun !== true;
  }

  /** Takes the fragments of one trace; of a trace that comes again they replace the earlier ones. */
  add(fragments: readonly Fragment[], nowMs: number): void {
    const [first] = fragments;
    if (first === undefined) return;
    this.#shelves.get(first.service)?.removeTrace(first.traceId);
    for (const fragment of fragments) this.#add(fragment, nowMs);
  }

  #add(fragment: Fragment, nowMs: number): void {
    const { setAside } = this.#options;
    if (fragment.isFaint && setAside !== undefined) {
      setAside(fragment);
      return;
    }
    if (fragment.isFaint) {
      if (this.#isAllFaint && this.#faint.length < 1000) this.#faint.push(fragment);
      return;
    }
    this.#isAllFaint = false;
    this.#faint = [];
    const facts = orderlyFacts(fragment);
    if (facts?.isClosed === true) {
      this.#ready.push({ fragment, facts });
      return;
    }
    const seams = new Seams(fragment);
    if (seams.isWhole && !seams.mayContinue) this.#ready.push({ fragment, facts: undefined });
    else if (setAside !== undefined) setAside(fragment);
    else this.#shelf(fragment.service).add(seams, nowMs);
  }

  /** Traces whose pieces may yet become part of a run; with `released`, also of a later reading of one that was given out. */
  openTraceIds(released = true): Set<string> {
    const ids = [...this.#shelves.values()].flatMap((shelf) => shelf.traceIds(released));
    return new Set([...ids, ...this.#readyIds(), ...this.#faint.map(({ traceId }) => traceId)]);
  }

  /** Traces of which pieces still wait to be given out as part of a run. */
  awaitedTraceIds(): Set<string> {
    const ids = [...this.#shelves.values()].flatMap((shelf) => shelf.traceIds(false));
    return new Set([...ids, ...this.#readyIds()]);
  }

  #readyIds(): string[] {
    return this.#ready.map(({ fragment }) => fragment.traceId);
  }

  /** The runs that wait for nothing more. */
  release(nowMs: number): AgentRun[] {
    const runs = this.#releaseReady();
    for (const shelf of this.#shelves.values()) {
      for (const group of shelf.due(nowMs)) runs.push(this.#run(group));
      if (shelf.size > this.#options.maxFragments) {
        for (const group of shelf.shrink(this.#options.maxFragments / 2))
          runs.push(this.#run(group, "memory"));
      }
    }
    return inOrder(runs);
  }

  /** For want of memory: forgets what was given out, and gives out the oldest of what waits, at most so many pieces. */
  relieve(most: number): AgentRun[] {
    const runs: AgentRun[] = [];
    let left = most;
    for (const shelf of this.#shelves.values()) {
      const pieces = Math.min(left, shelf.waiting);
      left -= pieces;
      for (const group of shelf.shrink(shelf.waiting - pieces)) runs.push(this.#run(group, "memory"));
    }
    return inOrder(runs);
  }

  /** Everything else, as it is. */
  drain(closeReason?: CloseReason): AgentRun[] {
    const runs = this.#releaseReady(closeReason);
    for (const shelf of this.#shelves.values()) {
      for (const group of shelf.drain()) runs.push(this.#run(group, closeReason));
    }
    for (const fragment of this.#faint) runs.push(this.#single(fragment, closeReason));
    this.#faint = [];
    return inOrder(runs);
  }

  #releaseReady(closeReason?: CloseReason): AgentRun[] {
    if (this.#ready.length === 0) return [];
    const runs = this.#ready.map(({ fragment, facts }) => {
      const prints = this.#printsOf(fragment.service);
      if (facts === undefined) {
        prints.add(fragment.calls.map(printOf));
        return this.#single(fragment, closeReason);
      }
      prints.add(facts.orderly.calls);
      return new OrderlyRun(fragment, facts, this.#options, closeReason ?? fragment.closeReason);
    });
    this.#ready = [];
    return this.#options.elsewhere === undefined ? runs : [];
  }

  #single(fragment: Fragment, closeReason: CloseReason | undefined): AgentRun {
    return new AssembledRun(new Evidence([fragment]), this.#options, closeReason ?? fragment.closeReason);
  }

  #run({ members, copies }: Group, closeReason?: CloseReason): AgentRun {
    const [first, ...rest] = members;
    if (rest.length === 0 && copies.size === 0) {
      const { fragment } = first;
      const facts = orderlyFacts(fragment);
      const reason = closeReason ?? fragment.closeReason;
      if (facts !== undefined) return new OrderlyRun(fragment, facts, this.#options, reason);
    }
    const fragments: [Fragment, ...Fragment[]] = [first.fragment, ...rest.map(({ fragment }) => fragment)];
    const last = members[members.length - 1] ?? first;
    const reason = closeReason ?? last.fragment.closeReason;
    const isSpread = first.beginsElsewhere || (last.isBare && last.isOpen);
    return new AssembledRun(new Evidence(fragments, copies, isSpread), this.#options, reason);
  }

  #shelf(service: string | null): Shelf {
    let shelf = this.#shelves.get(service);
    if (shelf === undefined) {
      shelf = new Shelf(this.#options, this.#printsOf(service));
      this.#shelves.set(service, shelf);
    }
    return shelf;
  }

  #printsOf(service: string | null): CallPrints {
    let prints = this.#prints.get(service);
    if (prints === undefined) {
      prints = new CallPrints(maxPrints);
      this.#prints.set(service, prints);
    }
    return prints;
  }
}

function inOrder(runs: AgentRun[]): AgentRun[] {
  if (runs.length < 2) return runs;
  return runs.sort(
    (a, b) => a.startUnixMs - b.startUnixMs || (a.runId < b.runId ? -1 : a.runId > b.runId ? 1 : 0),
  );
}
