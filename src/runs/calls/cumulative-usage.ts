import type { SpanFacts } from "../facts/span-facts.ts";
import type { LlmCall } from "./llm-call.ts";

const MOST_HOPS = 16;

/**
 * Sets `before` of each call whose reported usage includes the usage of the previous call of its tool loop. Some producers report such
 * cumulative counts. A loop is the calls with one parent span; `areSums` checks the counts. `calls`: by start; `nodes`: all spans of the
 * trace.
 */
export function markCumulative(calls: readonly LlmCall[], nodes: readonly SpanFacts[]): void {
  const [first] = calls;
  if (first === undefined || calls.length < 2 || !mayAddUp(first.node, nodes)) return;
  const loops = new Map<SpanFacts | null, LlmCall[]>();
  for (const call of calls) {
    call.isCountedLater = call.isNested;
    const loop = loops.get(call.node.parent);
    if (loop === undefined) loops.set(call.node.parent, [call]);
    else loop.push(call);
  }
  for (const loop of loops.values())
    if (areSums(loop))
      for (let at = 1; at < loop.length; at++) (loop[at] as LlmCall).before = loop[at - 1] as LlmCall;
}

/**
 * Whether the producer of a span may report cumulative usage. The nearest enclosing span with a known producer decides; without one, the
 * sibling spans decide.
 */
function mayAddUp(node: SpanFacts, nodes: readonly SpanFacts[]): boolean {
  for (let at: SpanFacts | null = node, hops = 0; at !== null && hops < MOST_HOPS; at = at.parent, hops++) {
    const habit = habitOf(at);
    if (habit !== undefined) return habit;
  }
  if (node.parent !== null) return node.parent.children.some((beside) => habitOf(beside) === true);
  const { parentSpanId } = node.span;
  // If the parent was never received, spans with the same parent id are siblings.
  if (parentSpanId === undefined) return false;
  return nodes.some((beside) => beside.span.parentSpanId === parentSpanId && habitOf(beside) === true);
}

function habitOf(facts: SpanFacts): boolean | undefined {
  for (const adapter of facts.dialects.withHabits) {
    const adds = adapter.cumulative?.(facts);
    if (adds !== undefined) return adds;
  }
  return undefined;
}

/**
 * Whether the counts of a loop can be cumulative. Each call sends a longer history than the previous call, so the differences of cumulative
 * input counts grow. The differences of output counts are positive, because every answer adds tokens.
 */
function areSums(loop: readonly LlmCall[]): boolean {
  if (loop.length < 2) return false;
  let [input, output, step] = [0, 0, 0];
  for (const { counts } of loop) {
    if (counts.input === undefined || counts.output === undefined) return false;
    const added = counts.input - input;
    if (added < step || counts.output <= output) return false;
    [input, output, step] = [counts.input, counts.output, added];
  }
  return true;
}
