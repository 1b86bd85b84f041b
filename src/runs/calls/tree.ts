import type { Trace } from "../../assemble/trace.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";

/** Whether the span is ignored: it only duplicates another span, or only passes on a value. */
function isNone({ role }: SpanFacts): boolean {
  return role === "copy" || role === "message";
}

/**
 * Links each span to its nearest ancestor, without ignored spans (`isNone`).
 * @param all all spans of the trace, by start
 * @returns spans that count, by start; an enclosing span comes before a span with an equal start
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

/** Parent index of each span; -1 if the parent is not in the trace. */
function parentsOf({ parents, spans }: Trace): Int32Array {
  if (parents !== undefined) return Int32Array.from(parents);
  const byId = new Map(spans.map(({ spanId }, index) => [spanId, index]));
  return Int32Array.from(spans, ({ parentSpanId: id }, index) => {
    const parent = id === undefined ? undefined : byId.get(id);
    return parent === undefined || parent === index ? -1 : parent;
  });
}

/** Removes cycles among parents, which untrusted ids can form: the first span of a cycle gets no parent. */
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

/** Index of the span itself or its nearest ancestor that is not ignored; -1 if there is none. Results are memoised for all spans passed. */
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

/** Sorts parents before children that start at the same time, which millisecond clocks cause. */
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

/**
 * Corrects inferred roles that contradict declared ones. A span may have the inferred role `tool`, for example because of a name in its
 * events. It becomes a step if it contains declared model calls or tools and has no tool call of its own. A span with the inferred role
 * `call` becomes a step if it contains declared tools, because a model requests tools and does not run them.
 */
export function correctInferred(nodes: readonly SpanFacts[]): void {
  for (const node of nodes) {
    if (node.isRoleInferred || (node.role !== "call" && node.role !== "tool")) continue;
    for (let at = node.parent; at !== null; at = at.parent) {
      // The outer loop also visits the declared call or tool at `at`, and then corrects the spans above it.
      if (!at.isRoleInferred && (at.role === "call" || at.role === "tool")) break;
      const isWrong = at.role === "call" ? node.role === "tool" : at.role === "tool" && !isCalled(at);
      if (at.isRoleInferred && isWrong) at.role = "step";
    }
  }
}

function isCalled(node: SpanFacts): boolean {
  return (
    node.callId !== null || node.hasField(F.arguments) || node.hasField(F.result) || node.hasField(F.output)
  );
}

/**
 * Maximum number of ancestors that are visited. Senders control the depth of a trace; without a limit, visiting the ancestors of each span
 * would take quadratic time.
 */
const MOST_HOPS = 1_000;

/** Returns the nearest ancestor that passes a test; null if there is none, or if `stops` matches first. */
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

/**
 * Returns the value of the nearest span that has one: the span itself or an ancestor. Results are cached, so each ancestor is visited once.
 */
export class NearestValue<Value> {
  readonly #known = new Map<SpanFacts, Value | null>();
  readonly #valueAt: (facts: SpanFacts) => Value | null;

  constructor(valueAt: (facts: SpanFacts) => Value | null) {
    this.#valueAt = valueAt;
  }

  of(facts: SpanFacts | null): Value | null {
    const passed: SpanFacts[] = [];
    let value: Value | null | undefined;
    for (let at = facts; at !== null && value == null; at = at.parent) {
      value = this.#known.get(at);
      if (value !== undefined) break;
      passed.push(at);
      value = this.#valueAt(at);
    }
    for (const at of passed) this.#known.set(at, value ?? null);
    return value ?? null;
  }
}

export function isTool({ role }: SpanFacts): boolean {
  return role === "tool";
}

export function isAgent({ role }: SpanFacts): boolean {
  return role === "agent";
}

/**
 * Whether a span other than a failed one or a guardrail's is within the agent, so that the agent did work. A guardrail or a failed step may
 * have stopped the agent before its first call.
 */
export function tookSteps({ children }: SpanFacts): boolean {
  return children.some(({ role, failure }) => role !== "guardrail" && failure === null);
}

/**
 * Whether a span is inside a guardrail, evaluation or memory span, with no tool between them. Such a span checks or supports the agent, and
 * is no step of its work.
 */
export function isBesideAgent(node: SpanFacts): boolean {
  return (
    above(node, ({ role }) => role === "guardrail" || role === "evaluation" || role === "memory", isTool) !==
    null
  );
}

export function isAgentOrTool({ role }: SpanFacts): boolean {
  return role === "agent" || role === "tool";
}

/** Whether a span is part of an agent run. Spans with the role `session`, `setup`, `message` or `unknown` are not. */
export function isAbout({ role }: SpanFacts): boolean {
  return role !== "unknown" && role !== "session" && role !== "setup" && role !== "message";
}

/** A span that may contain a run: an agent, a workflow, or a step with children. */
export function isOwner({ role, children }: SpanFacts): boolean {
  return role === "agent" || role === "workflow" || (role === "step" && children.length > 0);
}

/** Returns a span and its descendants. */
export function under(facts: SpanFacts): SpanFacts[] {
  const all = [facts];
  for (const one of all) for (const child of one.children) all.push(child);
  return all;
}

/** Gives the role `call` to failed spans of unknown role whose name and scope are those of a model call in the trace. */
export function markLikeCalls(nodes: readonly SpanFacts[]): void {
  let names: Set<string> | null = null;
  for (const node of nodes) {
    if (node.role !== "unknown" || node.failure === null) continue;
    names ??= new Set(nodes.flatMap((one) => (one.role === "call" ? keyOf(one) : [])));
    if (names.has(keyOf(node))) node.role = "call";
  }
}

function keyOf({ span }: SpanFacts): string {
  return `${span.scopeName}\u0000${span.name}`;
}
