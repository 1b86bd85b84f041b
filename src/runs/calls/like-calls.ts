import type { SpanFacts } from "../facts/span-facts.ts";

/** A span that failed, says nothing of itself, and has the name and scope of a model call beside it is a call that failed. */
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
