import type { SpanFacts } from "../facts/span-facts.ts";
import type { LlmCall } from "./llm-call.ts";

/**
 * Sets `turns` and `completions` of calls whose span covers a complete tool loop, as some clients write. The tools of the loop are children
 * of the span, or, if the call has no sibling call, sibling spans within its time. Each message in the call's history that requested these
 * tools is one completion. If the span has an output or a finish reason and did not fail, the output is one more completion. If the history
 * lacks the request of one of these tools, the call stays unchanged.
 */
export function markToolLoops(calls: readonly LlmCall[]): void {
  const callsByParent = new Map<SpanFacts | null, number>();
  for (const { node } of calls) callsByParent.set(node.parent, (callsByParent.get(node.parent) ?? 0) + 1);
  for (const call of calls) {
    if (call.completions > 1 || call.isNested || !call.isTimed) continue;
    const { parent } = call.node;
    const beside = parent !== null && callsByParent.get(parent) === 1 ? parent.children : [];
    const isWithin = ({ start, end }: SpanFacts): boolean => start >= call.start && end <= call.end;
    const ran = new Set(
      [...call.node.children, ...beside.filter(isWithin)].flatMap(({ role, callId }) =>
        role === "tool" ? (callId ?? []) : [],
      ),
    );
    if (ran.size === 0) continue;
    const turns: number[] = [];
    const requested = new Set<string>();
    for (const [at, message] of call.inputs.entries()) {
      const own = message.calls.flatMap(({ id }) => (id !== null && ran.has(id) ? id : []));
      if (own.length > 0) turns.push(at);
      for (const id of own) requested.add(id);
    }
    const isAnswered = call.failure === null && (call.outputs.length > 0 || call.finish !== null);
    if (requested.size < ran.size) continue;
    call.completions = turns.length + (isAnswered ? 1 : 0);
    call.turns = turns;
  }
}
