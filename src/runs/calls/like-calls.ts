import type { SpanFacts } from "../facts/span-facts.ts";

/** A failed span without fields counts as a failed call if it has the name and scope of a sibling model call. */
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
