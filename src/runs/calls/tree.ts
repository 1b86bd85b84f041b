import type { Trace } from "../../assemble/trace.ts";
import type { SpanFacts } from "../facts/span-facts.ts";

/** It shows what another span shows, or passes it on. */
function isNone({ role }: SpanFacts): boolean {
  return role === "copy" || role === "message";
}

/**
 * Links each span to the nearest one above it that counts.
 * @param all one for each of the trace's spans, by start
 * @returns those that count, by start; what encloses a span comes before it where both start at once
 */
export function connect(trace: Trace, all: readonly SpanFacts[]): readonly SpanFacts[] {
  const parents = parentsOf(trace);
  let isOrdered = true;
  let hasNone = false;
  let hasTies = false;
  for (let index = 0; index < all.length; index++) {
    if ((parents[index] as number) >= index) isOrdered = false;
    const facts = all[index] as SpanFacts;
    if (isNone(facts)) hasNone = true;
    if (index > 0 && facts.start === (all[index - 1] as SpanFacts).start) hasTies = true;
  }
  if (!isOrdered) breakCircles(parents);
  for (let index = 0; index < all.length; index++) {
    const facts = all[index] as SpanFacts;
    const above = parents[index] as number;
    facts.parentCame = above >= 0;
    const at = hasNone ? countedFrom(above, all, parents) : above;
    if (at < 0) continue;
    const parent = all[at] as SpanFacts;
    facts.parent = parent;
    if (facts.role !== "copy") parent.children.push(facts);
  }
  const counting = hasNone ? all.filter((facts) => !isNone(facts)) : all;
  return hasTies ? parentsFirst(counting) : counting;
}

/** For each span of a trace the index of its parent, -1 where it has none here. */
function parentsOf({ parents, spans }: Trace): Int32Array {
  if (parents !== undefined) return Int32Array.from(parents);
  const byId = new Map(spans.map(({ spanId }, index) => [spanId, index]));
  return Int32Array.from(spans, ({ parentSpanId: id }, index) => {
    const parent = id === undefined ? undefined : byId.get(id);
    return parent === undefined || parent === index ? -1 : parent;
  });
}

/** Ids are untrusted input: of spans that are each other's ancestors, the first in order has none. */
function breakCircles(parents: Int32Array): void {
  const walk = new Int32Array(parents.length);
  for (let index = 0; index < parents.length; index++) {
    let at = index;
    let before = -1;
    while (at >= 0 && walk[at] === 0) {
      walk[at] = index + 1;
      before = at;
      at = parents[at] as number;
    }
    if (at >= 0 && walk[at] === index + 1) {
      let least = before;
      for (let on = at; on !== before; on = parents[on] as number) least = Math.min(least, on);
      parents[least] = -1;
    }
  }
}

/** The nearest span that counts, from one upwards; -1 for none. What is passed is remembered, so that no chain is walked twice. */
function countedFrom(index: number, all: readonly SpanFacts[], parents: Int32Array): number {
  let at = index;
  while (at >= 0 && isNone(all[at] as SpanFacts)) at = parents[at] as number;
  for (let passed = index; passed >= 0 && passed !== at;) {
    const next = parents[passed] as number;
    parents[passed] = at;
    passed = next;
  }
  return at;
}

/** Clocks that count milliseconds start a span and what it encloses at once: the enclosing one comes first. */
function parentsFirst(counting: readonly SpanFacts[]): readonly SpanFacts[] {
  const ordered: SpanFacts[] = [];
  const taken = new Set<SpanFacts>();
  const enclosing: SpanFacts[] = [];
  for (const facts of counting) {
    for (
      let outer: SpanFacts | null = facts;
      outer !== null && outer.start === facts.start && !taken.has(outer);
      outer = outer.parent
    ) {
      taken.add(outer);
      enclosing.push(outer);
    }
    for (let outer = enclosing.pop(); outer !== undefined; outer = enclosing.pop()) ordered.push(outer);
  }
  return ordered;
}

const MOST_HOPS = 10_000;

/** The nearest span above that passes a test, the span itself excluded; null where `stops` comes first, or none does. */
export function above(
  facts: SpanFacts,
  test: (facts: SpanFacts) => boolean,
  stops?: (facts: SpanFacts) => boolean,
): SpanFacts | null {
  let at = facts.parent;
  for (let hops = 0; at !== null && hops < MOST_HOPS; hops++, at = at.parent) {
    if (test(at)) return at;
    if (stops?.(at) === true) return null;
  }
  return null;
}

export function isTool({ role }: SpanFacts): boolean {
  return role === "tool";
}

export function isAgent({ role }: SpanFacts): boolean {
  return role === "agent";
}

/** Whether a span lies in the work of a guardrail or an evaluator: it speaks about the agent, not for it. */
export function isBesideAgent(node: SpanFacts): boolean {
  return above(node, ({ role }) => role === "guardrail" || role === "evaluation", isTool) !== null;
}

export function isAgentOrTool({ role }: SpanFacts): boolean {
  return role === "agent" || role === "tool";
}

/** A span of an agent's work. What holds sessions, and what is not about agents, is none. */
export function isAbout({ role }: SpanFacts): boolean {
  return role !== "unknown" && role !== "session" && role !== "setup" && role !== "message";
}

/** A span that may hold a run: of an agent, of a workflow, or of a step with spans below it. */
export function isOwner({ role, children }: SpanFacts): boolean {
  return role === "agent" || role === "workflow" || (role === "step" && children.length > 0);
}

/** A span and all below it. */
export function under(facts: SpanFacts): SpanFacts[] {
  const all = [facts];
  for (const one of all) for (const child of one.children) all.push(child);
  return all;
}
