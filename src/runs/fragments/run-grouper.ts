import type { LlmCall } from "./llm-call.ts";
import { innermostCalls } from "./innermost-calls.ts";
import { plainName } from "../messages/pick.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";

/**
 * Tells to which group of owners a later one belongs: the first with an earlier owner that lost the same parent, in whose time it worked,
 * that handed over to it, or whose calls are in its history. Owners lie beside each other, and come by start. Each is looked at once,
 * not once for every pair.
 */
export class RunGrouper {
  readonly #owners: readonly SpanNode[];
  readonly #byLostParent = new Map<string, number>();
  readonly #idle = new Idle();
  readonly #byName = new Map<string, number>();
  readonly #byRequest = new Map<string, number>();
  readonly #calls = new Map<SpanNode, readonly LlmCall[]>();
  readonly #top = new Nearest((node) => (node.parent === undefined ? node : undefined));
  /** Added, and not looked into yet for whether they did anything, and for what they asked. */
  readonly #unread: (readonly [owner: SpanNode, group: number])[] = [];
  readonly #unasked: (readonly [owner: SpanNode, group: number])[] = [];
  #names: EndNames | undefined;
  #isEmpty = true;

  constructor(owners: readonly SpanNode[]) {
    this.#owners = owners;
  }

  add(owner: SpanNode, group: number): void {
    this.#isEmpty = false;
    const { parentSpanId } = owner.span;
    if (parentSpanId !== undefined && owner.parent === undefined)
      atMost(this.#byLostParent, parentSpanId, group);
    if (owner.role === "agent") this.#unread.push([owner, group]);
    this.#unasked.push([owner, group]);
  }

  groupOf(later: SpanNode): number | undefined {
    if (this.#isEmpty) return undefined;
    let least = this.#thatLostParent(later);
    if (least !== 0) least = Math.min(least, this.#thatIdled(later));
    if (least !== 0) least = Math.min(least, this.#thatHandedOver(later), this.#inHistory(later));
    return least === Infinity ? undefined : least;
  }

  #thatLostParent({ span: { parentSpanId } }: SpanNode): number {
    return (parentSpanId === undefined ? undefined : this.#byLostParent.get(parentSpanId)) ?? Infinity;
  }

  /** An agent called from afar, of whose work nothing arrived but what lost its way up: the later one, in the earlier one's time. */
  #thatIdled(later: SpanNode): number {
    if (this.#top.of(later)?.span.parentSpanId === undefined) return Infinity;
    for (const [owner, group] of this.#unread.splice(0)) {
      const worked = under(owner).some(({ role }) => role === "call" || role === "tool");
      if (!worked) this.#idle.add(group, owner.end);
    }
    return this.#idle.until(later.end) ?? Infinity;
  }

  #thatHandedOver(later: SpanNode): number {
    this.#ask();
    return this.#byName.get(nameOf(later)) ?? Infinity;
  }

  #inHistory(later: SpanNode): number {
    let least = Infinity;
    for (const message of this.#callsUnder(later)[0]?.inputs ?? []) {
      for (const { id } of message.calls) {
        if (id !== null) least = Math.min(least, this.#byRequest.get(id) ?? Infinity);
      }
    }
    return least;
  }

  #ask(): void {
    const names = (this.#names ??= new EndNames(this.#owners.map(nameOf)));
    for (const [owner, group] of this.#unasked.splice(0)) {
      const towards = (text: string | null | undefined): void => {
        if (text === null || text === undefined) return;
        for (const name of names.of(plainName(text))) atMost(this.#byName, name, group);
      };
      for (const { requests } of this.#callsUnder(owner)) {
        for (const { id, name } of requests) {
          towards(name);
          if (id !== null) atMost(this.#byRequest, id, group);
        }
      }
      for (const node of under(owner)) if (node.role === "handoff") towards(node.text("handoffTo"));
    }
  }

  #callsUnder(owner: SpanNode): readonly LlmCall[] {
    let calls = this.#calls.get(owner);
    if (calls === undefined) this.#calls.set(owner, (calls = innermostCalls(under(owner))));
    return calls;
  }
}

function nameOf(owner: SpanNode): string {
  return plainName(owner.text("agent") ?? owner.span.name);
}

function atMost(groups: Map<string, number>, key: string, group: number): void {
  const known = groups.get(key);
  if (known === undefined || group < known) groups.set(key, group);
}

function under(node: SpanNode): SpanNode[] {
  const all = [node];
  for (const one of all) for (const child of one.children) all.push(child);
  return all.sort((a, b) => a.start - b.start);
}

/** Groups with an agent that did nothing itself, each with the latest end of one: only where it is later than in all groups before. */
class Idle {
  readonly #groups: number[] = [];
  readonly #ends: number[] = [];

  add(group: number, end: number): void {
    const at = firstOf(this.#groups, group);
    const covering = this.#groups[at] === group ? at : at - 1;
    if ((this.#ends[covering] ?? -Infinity) >= end) return;
    let until = at;
    while ((this.#ends[until] ?? Infinity) <= end) until++;
    this.#groups.splice(at, until - at, group);
    this.#ends.splice(at, until - at, end);
  }

  /** The first with one that ended at this time or later. */
  until(end: number): number | undefined {
    return this.#groups[firstOf(this.#ends, end)];
  }
}

/** The place of the first of the ascending numbers that is not below. */
function firstOf(ascending: readonly number[], least: number): number {
  let from = 0;
  for (let to = ascending.length; from < to;) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] ?? Infinity) < least) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Finds which of some names a text ends with. */
class EndNames {
  readonly #names: ReadonlySet<string>;
  readonly #lengths: readonly number[];
  readonly #known = new Map<string, readonly string[]>();

  constructor(names: readonly string[]) {
    this.#names = new Set(names.filter((name) => name !== ""));
    this.#lengths = [...new Set(Array.from(this.#names, ({ length }) => length))].sort((a, b) => a - b);
  }

  of(text: string): readonly string[] {
    let ends = this.#known.get(text);
    if (ends === undefined) this.#known.set(text, (ends = [...this.#endsOf(text)]));
    return ends;
  }

  *#endsOf(text: string): Generator<string> {
    for (const length of this.#lengths) {
      if (length > text.length) return;
      const end = text.slice(text.length - length);
      if (this.#names.has(end)) yield end;
    }
  }
}
