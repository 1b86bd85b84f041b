import type { LlmCall } from "./llm-call.ts";
import type { SpanNode } from "../span/span-node.ts";

/**
 * Some producers report with each call of a tool loop the usage of all calls of the loop so far. Where one of them is at work, and the
 * counts can be sums, each call counts what it adds to the one before. `calls`: by start; `nodes`: all of the trace's spans.
 */
export function withoutEarlierUsage(
  calls: readonly LlmCall[],
  nodes: readonly SpanNode[],
): readonly LlmCall[] {
  const [first] = calls;
  if (first === undefined || (calls.length < 2 && loopLength(first) < 2)) return calls;
  if (!mayAddUp(first.node, nodes)) return calls;
  const loops = new Map<SpanNode | undefined, LlmCall[]>();
  for (const call of calls) {
    const loop = loops.get(call.node.parent);
    if (loop === undefined) loops.set(call.node.parent, [call]);
    else loop.push(call);
  }
  const before = new Map<LlmCall, LlmCall>();
  for (const loop of loops.values()) {
    if (!areSums(loop)) continue;
    for (const [at, call] of loop.entries()) if (at > 0) before.set(call, loop[at - 1] as LlmCall);
  }
  return calls.map((call) => {
    const earlier = before.get(call);
    const completions = loopLength(call);
    const one = completions > 1 ? call.standingFor(completions) : call;
    return earlier === undefined ? one : one.including(earlier);
  });
}

/** Streamed, such a loop calls itself: each call lies within the one before, and all have the sum in the end. */
function loopLength({ node, around }: LlmCall): number {
  let length = 1;
  for (const { span, counts } of around) {
    const isLoop = span.name === node.span.name && span.scopeName === node.span.scopeName;
    if (isLoop && counts.input === node.counts.input && counts.output === node.counts.output) length++;
  }
  return length;
}

/** By the nearest spans around that say whose they are, else by those beside it. */
function mayAddUp(node: SpanNode, nodes: readonly SpanNode[]): boolean {
  for (
    let at: SpanNode | undefined = node, hops = 0;
    at !== undefined && hops < MOST_HOPS;
    at = at.parent, hops++
  ) {
    const habit = habitOf(at);
    if (habit !== undefined) return habit;
  }
  if (node.parent !== undefined) return node.parent.children.some((beside) => habitOf(beside) === true);
  const { parentSpanId } = node.span;
  // The span above was never received: those that name the same one lie beside.
  if (parentSpanId === undefined) return false;
  return nodes.some((beside) => beside.span.parentSpanId === parentSpanId && habitOf(beside) === true);
}

const MOST_HOPS = 16;

function habitOf({ reading }: SpanNode): boolean | undefined {
  for (const adapter of reading.dialects.withHabits) {
    const adds = adapter.cumulative?.(reading);
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
