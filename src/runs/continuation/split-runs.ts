import { hidesRequest, type LlmCall } from "../calls/llm-call.ts";
import { readToolSpan } from "../calls/tool-span.ts";
import { isAbout, isOwner, under } from "../calls/tree.ts";
import { plainName } from "../notations/names.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { groupBy } from "../../support/structures/group-by.ts";
import { isStopped, type RunSpans } from "./is-run.ts";
import { isUnderway, type Opening, openingOf, opensTurn, sentTo } from "./opening.ts";
import { ProducedTexts } from "./produced-texts.ts";

/**
 * Maximum number of a trace's outermost agents, workflows and steps (owners) that are compared. Each owner beyond this number is a separate
 * run.
 */
const MOST_OWNERS = 1000;

/**
 * Splits the spans of a trace into runs. Most traces have one run: the spans under the outermost agent. Sibling agents under a server or
 * application are one run in these cases:
 * - One agent handed over to the other, or continues from the other's texts or requests.
 * - Both have the same missing parent.
 * - The telemetry contains no texts, and the earlier agent ended with a tool request.
 * Other siblings are separate runs.
 * @param calls the model calls among the spans, by start
 */
export function splitRuns(
  nodes: readonly SpanFacts[],
  calls: readonly LlmCall[],
  maxPauseMs: number,
): RunSpans[] {
  const topOf = outermostOf(nodes);
  const tops = nodes.filter((node) => topOf.get(node) === node);
  const [first] = tops;
  if (first === undefined)
    return isStopped(nodes) ? nodes.map((root) => ({ root, nodes, calls, isTurn: false })) : [];
  const owners = tops.filter(isOwner);
  const root = owners[0] ?? tops.find((top) => !isSearch(top)) ?? first;
  const whole = [{ root, nodes, calls, isTurn: false }];
  if (owners.length < 2) return whole;
  const callsOf = groupBy(calls, ({ node }) => topOf.get(node) ?? node);
  const grouper = new Grouper(maxPauseMs);
  const groupOf = owners.map((owner, at) => grouper.group(owner, callsOf.get(owner) ?? [], at < MOST_OWNERS));
  if (groupOf.every((group) => group === 0)) return whole;
  // A top span that does not own a run, such as a single model call, belongs to the run of the previous owner.
  const groupOfTop = new Map<SpanFacts, number>();
  let current = 0;
  for (const top of tops) {
    const owner = owners.indexOf(top);
    if (owner >= 0) current = groupOf[owner] ?? 0;
    groupOfTop.set(top, current);
  }
  const groupOfNode = (node: SpanFacts): number | undefined => {
    const top = topOf.get(node) ?? null;
    return top === null ? undefined : groupOfTop.get(top);
  };
  const nodesOf = groupBy(nodes, groupOfNode);
  const ownCallsOf = groupBy(calls, ({ node }) => groupOfNode(node));
  return owners.flatMap((root, at) => {
    const group = groupOf[at] as number;
    if (groupOf.indexOf(group) !== at) return [];
    return [{ root, nodes: nodesOf.get(group) ?? [], calls: ownCallsOf.get(group) ?? [], isTurn: false }];
  });
}

/** Whether a span only retrieves data for a later model call. */
function isSearch({ role }: SpanFacts): boolean {
  return role === "embedding" || role === "retriever" || role === "reranker";
}

/**
 * Returns, for each span, the outermost span around it that is part of an agent run (`isAbout`), or the span itself; null if there is none.
 * Works in any order of the spans, because a span may begin before its parent.
 */
function outermostOf(nodes: readonly SpanFacts[]): Map<SpanFacts, SpanFacts | null> {
  const topOf = new Map<SpanFacts, SpanFacts | null>();
  const path: SpanFacts[] = [];
  for (const node of nodes) {
    let at: SpanFacts | null = node;
    for (; at !== null && !topOf.has(at); at = at.parent) path.push(at);
    let top = at === null ? null : (topOf.get(at) ?? null);
    for (let one = path.pop(); one !== undefined; one = path.pop()) {
      top ??= isAbout(one) ? one : null;
      topOf.set(one, top);
    }
  }
  return topOf;
}

/** Longest pause in ms before a client repeats a refused call. After a longer pause, a person asks again. */
export const LONGEST_BACKOFF_MS = 120_000;

/** An owner whose model requests were all refused. A later owner may repeat these requests. */
interface Refused {
  readonly question: string;
  /** Number of messages before the question. */
  readonly before: number;
  readonly conversation: string;
  readonly name: string;
  readonly group: number;
  readonly end: number;
}

/** The owners under one parent that have been read so far. */
interface Siblings {
  readonly end: number;
  readonly isParallel: boolean;
  /** Group of the latest owner, if its last call requested tools, and the requests are not recorded. */
  readonly unfinished: number | undefined;
}

/**
 * Finds the group (run) of each further owner. Owners are sibling agents, workflows or steps, sorted by start. The rules, in order:
 * 1. The group whose requests or texts the owner's history continues.
 * 2. The first group with an owner under the same missing parent, or with a request for the owner's agent.
 * 3. An owner that asks the same question as a refused owner of the same conversation is a new attempt, and joins its group.
 * 4. An owner whose history has texts or tool requests of earlier groups, and ends with a new user message, starts a new group.
 * 5. If contents are not recorded, an owner whose last call requested tools continues in the next owner under its parent.
 */
class Grouper {
  readonly #maxPauseMs: number;
  readonly #byLostParent = new Map<string, number>();
  readonly #towards: { readonly name: string; readonly group: number }[] = [];
  readonly #produced = new ProducedTexts();
  readonly #questions = new Set<string>();
  readonly #ends: number[] = [];
  readonly #siblings = new Map<SpanFacts | string, Siblings>();
  #refused: Refused[] = [];

  constructor(maxPauseMs: number) {
    this.#maxPauseMs = maxPauseMs;
  }

  /** Group number of an owner. Owners of one run have the number of the run's first owner. */
  group(owner: SpanFacts, calls: readonly LlmCall[], isCompared: boolean): number {
    const group = (isCompared ? this.#groupOf(owner, calls) : undefined) ?? this.#ends.length;
    this.#add(owner, group, calls);
    return group;
  }

  #add(owner: SpanFacts, group: number, calls: readonly LlmCall[]): void {
    const { parentSpanId } = topOf(owner).span;
    if (parentSpanId !== undefined && !this.#byLostParent.has(parentSpanId))
      this.#byLostParent.set(parentSpanId, group);
    this.#ends[group] = Math.max(this.#ends[group] ?? -Infinity, owner.end);
    this.#addSibling(owner, group, calls.at(-1));
    const [first] = calls;
    const opening = openingOf(first === undefined ? [] : sentTo(first));
    const { question } = opening;
    if (question !== null) this.#questions.add(question);
    const conversation = conversationOf(owner, calls);
    if (!calls.every(isRefused)) this.#refused = this.#refused.filter((one) => one.group !== group);
    else if (question !== null && conversation !== null && !isUnderway(opening)) {
      const { length: before } = opening.before;
      this.#refused.push({ question, before, conversation, name: owner.span.name, group, end: owner.end });
    }
    for (const call of calls) {
      for (const { name } of call.requests)
        if (name !== null) this.#towards.push({ name: plainName(name), group });
      this.#produced.addCall(call, agentAbove(call.node), group);
    }
    for (const node of under(owner))
      if (node.role === "tool") this.#produced.addTool(readToolSpan(node), group);
  }

  #addSibling(owner: SpanFacts, group: number, last: LlmCall | undefined): void {
    const parent = owner.parent ?? owner.span.parentSpanId;
    if (parent === undefined) return;
    const before = this.#siblings.get(parent);
    this.#siblings.set(parent, {
      end: Math.max(before?.end ?? -Infinity, owner.end),
      isParallel: before !== undefined && (before.isParallel || owner.start < before.end),
      unfinished: last !== undefined && hidesRequest(last) ? group : undefined,
    });
  }

  #groupOf(later: SpanFacts, calls: readonly LlmCall[]): number | undefined {
    if (this.#ends.length === 0) return undefined;
    const [first] = calls;
    if (first !== undefined && first.inputs.length === 0) {
      const unfinished = this.#unfinishedBefore(later);
      if (unfinished !== undefined) return unfinished;
    }
    const opening = openingOf(
      first === undefined ? [] : sentTo(first),
      (message) => this.#produced.partOf(message) !== undefined,
    );
    const continued = this.#continuedBy(later, opening);
    if (continued !== undefined) return continued;
    const repeated = isUnderway(opening) ? undefined : this.#repeatedBy(later, calls, opening);
    if (repeated !== undefined) return repeated;
    const isNew =
      opensTurn(opening, this.#questions) && this.#produced.latestIn(opening.before) !== undefined;
    const group = Math.min(this.#thatLostParent(later), this.#thatHandedOver(later));
    return isNew || group === Infinity ? undefined : group;
  }

  /**
   * Returns the group of the sibling before `later`, if the sibling's last call requested tools and no siblings overlap; otherwise
   * undefined.
   */
  #unfinishedBefore(later: SpanFacts): number | undefined {
    const siblings = this.#siblings.get(later.parent ?? later.span.parentSpanId ?? "");
    if (siblings?.unfinished === undefined || siblings.isParallel || later.start < siblings.end)
      return undefined;
    return this.#isNear(later, siblings.unfinished) ? siblings.unfinished : undefined;
  }

  #thatLostParent(later: SpanFacts): number {
    const { parentSpanId } = topOf(later).span;
    return (parentSpanId === undefined ? undefined : this.#byLostParent.get(parentSpanId)) ?? Infinity;
  }

  #thatHandedOver(later: SpanFacts): number {
    const own = plainName(later.agent ?? later.span.name);
    if (own === "") return Infinity;
    const found = this.#towards.find(({ name }) => name.endsWith(own))?.group ?? Infinity;
    return this.#isNear(later, found) ? found : Infinity;
  }

  /**
   * Returns the group that made the latest tool request or text in the history after the user's last message. Undefined if there is none,
   * or if that group ended `maxPauseMs` or more before the owner began.
   */
  #continuedBy(later: SpanFacts, opening: Opening): number | undefined {
    if (!isUnderway(opening)) return undefined;
    for (let at = opening.since.length - 1; at >= 0; at--) {
      const message = opening.since[at];
      if (message === undefined) continue;
      let group: number | undefined;
      for (const { id } of message.calls) if (id !== null) group ??= this.#produced.partOfRequest(id);
      for (const { callId } of message.results)
        if (callId !== null) group ??= this.#produced.partOfRequest(callId);
      group ??= this.#produced.partOf(message);
      if (group !== undefined) return this.#isNear(later, group) ? group : undefined;
    }
    return undefined;
  }

  /** Returns the group of the latest refused owner that asked the same question; undefined if there is none. */
  #repeatedBy(
    later: SpanFacts,
    calls: readonly LlmCall[],
    { question, before }: Opening,
  ): number | undefined {
    const conversation = conversationOf(later, calls);
    return this.#refused.findLast(
      (one) =>
        one.question === question &&
        one.before === before.length &&
        one.conversation === conversation &&
        one.name === later.span.name &&
        later.start >= one.end &&
        later.start - one.end <= LONGEST_BACKOFF_MS,
    )?.group;
  }

  #isNear(later: SpanFacts, group: number): boolean {
    return later.start - (this.#ends[group] ?? Infinity) < this.#maxPauseMs;
  }
}

function isRefused({ node, outputs }: LlmCall): boolean {
  return node.failure !== null && outputs.length === 0;
}

function conversationOf({ conversation }: SpanFacts, [first]: readonly LlmCall[]): string | null {
  return conversation ?? first?.node.conversation ?? null;
}

/** The outermost ancestor of the span that was received; the span itself if it has no parent. */
function topOf(node: SpanFacts): SpanFacts {
  let top = node;
  while (top.parent !== null) top = top.parent;
  return top;
}

/** Name of the nearest agent whose span is `node` or encloses it; null if there is none. */
export function agentAbove(node: SpanFacts): string | null {
  for (let at: SpanFacts | null = node; at !== null; at = at.parent)
    if (at.role === "agent" && at.agentName !== null) return at.agentName;
  return null;
}
