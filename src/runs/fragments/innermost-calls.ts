import { LlmCall } from "./llm-call.ts";
import { CallLayers, isCounted } from "./call-layers.ts";
import type { SpanNode } from "../span/span-node.ts";
import { StateMessages } from "./state-messages.ts";

/**
 * The model calls among the spans of a trace. Of call spans within each other the innermost counts, and those around it that
 * hold just this one call lend it what it lacks; agents and tools between two call spans make them two calls.
 */
export function innermostCalls(nodes: readonly SpanNode[]): LlmCall[] {
  const spans = nodes.filter((node) => node.role === "call");
  if (spans.length === 0) return [];
  const layers = new CallLayers();
  const isPart = (node: SpanNode): boolean => !isCounted(node) && layers.isWithinCounted(node);
  const whole = spans.filter((node) => !isPart(node));
  const outer = new Set<SpanNode>();
  // Once one is known to be an outer one, so are all above it.
  for (const node of whole)
    for (let at = layers.above(node); at !== undefined && !outer.has(at); at = layers.above(at))
      outer.add(at);
  const leaves = whole.filter((node) => !outer.has(node));
  const held = countHeld(leaves, layers);
  const state = new StateMessages(nodes);
  return leaves.map((leaf) => new LlmCall(leaf, aroundOnly(leaf, held, layers), layers, state));
}

/** For each call span around others how many it holds, where it is more than one: two. */
function countHeld(leaves: readonly SpanNode[], layers: CallLayers): Map<SpanNode, number> {
  const held = new Map<SpanNode, number>();
  for (const leaf of leaves) {
    for (let at = layers.above(leaf); at !== undefined; at = layers.above(at)) {
      const known = held.get(at) ?? 0;
      // What is further out holds at least as many.
      if (known > 1) break;
      held.set(at, known + 1);
    }
  }
  return held;
}

/** The spans around a call that hold no other. */
function aroundOnly(leaf: SpanNode, held: ReadonlyMap<SpanNode, number>, layers: CallLayers): SpanNode[] {
  const around: SpanNode[] = [];
  for (let at = layers.above(leaf); at !== undefined && held.get(at) === 1; at = layers.above(at))
    around.push(at);
  return around;
}
