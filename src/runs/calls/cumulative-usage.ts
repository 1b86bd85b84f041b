import type { SpanFacts } from "../facts/span-facts.ts";
import type { LlmCall } from "./llm-call.ts";

const MOST_HOPS = 16;

/**
 * Some producers report with each call of a tool loop the usage of all calls of the loop so far. Where one of them is at work, and the counts
 * can be sums, each call counts what it adds to the one before. `calls`: by start; `nodes`: all of the trace's spans.
 */
export function markCumulative(calls: readonly LlmCall[], nodes: readonly SpanFacts[]): void {
  const [first] = calls;
  if (first === undefined || (calls.length < 2 && loopLength(first) < 2) || !mayAddUp(first.node, nodes))
    return;
  const loops = new Map<SpanFacts | null, LlmCall[]>();
  for (const call of calls) {
    const completions = loopLength(call);
    if (completions > 1) call.completions = completions;
    call.isCountedLater = call.isNested;
    const loop = loops.get(call.node.parent);
    if (loop === undefined) loops.set(call.node.parent, [call]);
    else loop.push(call);
  }
  for (const loop of loops.values())
    if (areSums(loop))
      for (let at = 1; at < loop.length; at++) (loop[at] as LlmCall).before = loop[at - 1] as LlmCall;
}

/** Streamed, such a loop calls itself: each call lies within the one before, and all have the sum in the end. */
function loopLength({ node, around }: LlmCall): number {
  let length = 1;
  for (const layer of around) {
    const isLoop = layer.span.name === node.span.name && layer.span.scopeName === node.span.scopeName;
    if (isLoop && layer.inputTokens === node.inputTokens && layer.outputTokens === node.outputTokens)
      length++;
  }
  return length;
}

/** By the nearest spans around that say whose they are, else by those beside it. */
function mayAddUp(node: SpanFacts, nodes: readonly SpanFacts[]): boolean {
  for (let at: SpanFacts | null = node, hops = 0; at !== null && hops < MOST_HOPS; at = at.parent, hops++) {
    const habit = habitOf(at);
    if (habit !== undefined) return habit;
  }
  if (node.parent !== null) return node.parent.children.some((beside) => habitOf(beside) === true);
  const { parentSpanId } = node.span;
  // The span above was never received: those that name the same one lie beside.
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

/** Each call sends what the one before sent and more: of sums the differences grow, too, and every answer adds to the output. */
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
