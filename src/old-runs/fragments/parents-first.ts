import type { SpanNode } from "../span/span-node.ts";

/**
 * Spans in order of their start, with what encloses a span before it where both start at once: clocks that count milliseconds make such ties
 * of most calls. Spans that start at once and do not enclose one another stay as they are.
 * @param nodes by start, connected with their parents
 */
export function parentsFirst(nodes: readonly SpanNode[]): readonly SpanNode[] {
  if (!nodes.some((node, at) => node.start === nodes[at - 1]?.start)) return nodes;
  const ordered: SpanNode[] = [];
  const taken = new Set<SpanNode>();
  const enclosing: SpanNode[] = [];
  for (const node of nodes) {
    for (
      let outer: SpanNode | undefined = node;
      outer !== undefined && outer.start === node.start && !taken.has(outer);
      outer = outer.parent
    ) {
      taken.add(outer);
      enclosing.push(outer);
    }
    for (let outer = enclosing.pop(); outer !== undefined; outer = enclosing.pop()) ordered.push(outer);
  }
  return ordered;
}
