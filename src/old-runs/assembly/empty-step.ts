import type { SpanNode } from "../span/span-node.ts";
import type { Evidence } from "./evidence.ts";

/** The steps of one name: what those are like that hold a model call. */
interface StepKind {
  shortestMs: number;
  readonly inner: Set<string>;
  hasTools: boolean;
  holding: number;
  empty: SpanNode[];
}

/**
 * A step that holds no model call although steps of its name do, and that lasted as if it had: with nothing in it but what is in those, too,
 * or the only one without a call among several. A node of a graph that is only passed through takes no time; one that runs tools where none
 * with a call does has other work, and only the name in common.
 */
export function emptyStep({ nodes, allCalls }: Evidence): SpanNode | undefined {
  const holding = new Set<SpanNode>();
  for (const { node } of allCalls)
    for (let at = node.parent; at !== undefined && !holding.has(at); at = at.parent) holding.add(at);
  const kinds = kindsOf(holding);
  if (kinds.size === 0) return undefined;
  for (const node of nodes) {
    const kind = isStep(node) && !holding.has(node) ? kinds.get(node.span.name) : undefined;
    if (kind === undefined || node.end - node.start < kind.shortestMs / 4 || isOfAnother(node)) continue;
    if (!kind.hasTools && node.children.some(({ role }) => role === "tool")) continue;
    kind.empty.push(node);
    if (node.children.every(({ span }) => kind.inner.has(span.name))) return node;
  }
  for (const { empty, holding: many } of kinds.values()) if (empty.length === 1 && many > 1) return empty[0];
  return undefined;
}

function kindsOf(holding: ReadonlySet<SpanNode>): Map<string, StepKind> {
  const kinds = new Map<string, StepKind>();
  for (const node of holding) {
    if (!isStep(node)) continue;
    let kind = kinds.get(node.span.name);
    if (kind === undefined) {
      kind = { shortestMs: Infinity, inner: new Set(), hasTools: false, holding: 0, empty: [] };
      kinds.set(node.span.name, kind);
    }
    kind.holding++;
    kind.shortestMs = Math.min(kind.shortestMs, node.end - node.start);
    for (const { span, role } of node.children) {
      kind.inner.add(span.name);
      kind.hasTools ||= role === "tool";
    }
  }
  return kinds;
}

/** Within a step of its own name, or the first of an agent that goes on with a tool it had asked for before. */
function isOfAnother(node: SpanNode): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent)
    if (at.span.name === node.span.name) return true;
  return node.parent?.children[0] === node && node.children.some(({ role }) => role === "tool");
}

function isStep({ role }: SpanNode): boolean {
  return role === "step" || role === "unknown";
}
