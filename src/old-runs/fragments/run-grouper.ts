import type { LlmCall } from "./llm-call.ts";
import { EndNames } from "./end-names.ts";
import { IdleAgents } from "./idle-agents.ts";
import { innermostCalls } from "./innermost-calls.ts";
import { isUnderway, type Opening, openingOf, opensTurn, sentTo } from "./opening.ts";
import { ProducedTexts } from "./produced-texts.ts";
import type { Message } from "../../model/message.ts";
import { plainName } from "../messages/pick.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";

/**
 * Finds the group of owners to which a later owner belongs: the one whose requests or words its history goes on from, else the first with an
 * earlier owner that lost the same parent, in whose time it worked, or that handed over to it. An owner that answers new words of a user
 * after an answer belongs to none. Owners lie beside each other, and come by start. Each is looked at once, not once for every pair.
 */
export class RunGrouper {
  readonly #owners: readonly SpanNode[];
  readonly #maxPauseMs: number;
  readonly #byLostParent = new Map<string, number>();
  readonly #idle = new IdleAgents();
  readonly #byName = new Map<string, number>();
  readonly #produced = new ProducedTexts();
  readonly #asked = new Set<string>();
  readonly #ends: number[] = [];
  readonly #calls = new Map<SpanNode, readonly LlmCall[]>();
  readonly #top = new Nearest((node) => (node.parent === undefined ? node : undefined));
  /** Added, and not looked into yet for whether they did anything, and for what they asked. */
  readonly #unread: (readonly [owner: SpanNode, group: number])[] = [];
  readonly #judgeSkipPolicy: (readonly [owner: SpanNode, group: number])[] = [];
  #names: EndNames | undefined;

  /** `maxPauseMs`: what begins so long after a group's end, or later, does not go on from it. */
  constructor(owners: readonly SpanNode[], maxPauseMs: number) {
    this.#owners = owners;
    this.#maxPauseMs = maxPauseMs;
  }

  add(owner: SpanNode, group: number): void {
    const { parentSpanId } = owner.span;
    if (parentSpanId !== undefined && owner.parent === undefined)
      atMost(this.#byLostParent, parentSpanId, group);
    if (owner.role === "agent") this.#unread.push([owner, group]);
    this.#judgeSkipPolicy.push([owner, group]);
    this.#ends[group] = Math.max(this.#ends[group] ?? -Infinity, owner.end);
  }

  groupOf(later: SpanNode): number | undefined {
    if (this.#ends.length === 0) return undefined;
    const idled = this.#thatIdled(later);
    if (idled === 0) return idled;
    this.#ask();
    const [first] = this.#callsUnder(later);
    const isProduced = (message: Message): boolean => this.#produced.partOf(message) !== undefined;
    const opening = openingOf(first === undefined ? [] : sentTo(first), isProduced);
    const continued = this.#continuedBy(later, opening);
    if (continued !== undefined) return continued;
    const least = Math.min(idled, this.#thatLostParent(later), this.#thatHandedOver(later));
    if (least === Infinity) return undefined;
    return opensTurn(opening, this.#asked) && this.#produced.latestIn(opening.before) !== undefined
      ? undefined
      : least;
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
    const group = this.#byName.get(nameOf(later)) ?? Infinity;
    return this.#isNear(later, group) ? group : Infinity;
  }

  /** The group that asked for what its history has since the user's last words, or that said it. */
  #continuedBy(later: SpanNode, opening: Opening): number | undefined {
    if (!isUnderway(opening)) return undefined;
    for (const message of opening.since.toReversed()) {
      const ids = [...message.calls.map(({ id }) => id), ...message.results.map(({ callId }) => callId)];
      const parts = ids.map((id) => (id === null ? undefined : this.#produced.partOfRequest(id)));
      const group = [...parts, this.#produced.partOf(message)].find((part) => part !== undefined);
      if (group !== undefined) return this.#isNear(later, group) ? group : undefined;
    }
    return undefined;
  }

  #isNear(later: SpanNode, group: number): boolean {
    return later.start - (this.#ends[group] ?? Infinity) < this.#maxPauseMs;
  }

  #ask(): void {
    const names = (this.#names ??= new EndNames(this.#owners.map(nameOf)));
    for (const [owner, group] of this.#judgeSkipPolicy.splice(0)) {
      const towards = (text: string | null | undefined): void => {
        if (text === null || text === undefined) return;
        for (const name of names.of(plainName(text))) atMost(this.#byName, name, group);
      };
      const calls = this.#callsUnder(owner);
      const [first] = calls;
      const { asked } = openingOf(first === undefined ? [] : sentTo(first));
      if (asked !== undefined) this.#asked.add(asked);
      for (const call of calls) {
        for (const { name } of call.requests) towards(name);
        this.#produced.addCall(call, group);
      }
      for (const node of under(owner)) {
        if (node.role === "handoff") towards(node.text("handoffTo"));
        if (node.role === "tool") this.#produced.addTool(node, group);
      }
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
