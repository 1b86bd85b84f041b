import type { LlmCall } from "../fragments/llm-call.ts";
import { groupBy } from "../../support/structures/group-by.ts";
import { Nearest } from "../span/nearest.ts";
import { type ToolUse, nameOfUse } from "./tool-use.ts";

/**
 * Whether a tool ran that no model call in the data asked for, after one whose own requests had all run, and before another call: a call
 * between the two is not in the data. Tools that a program runs by itself come before the first request, or after words.
 * @param uses in order
 * @param calls answered and failed, by start
 */
export function ranUnrequested(uses: readonly ToolUse[], calls: readonly LlmCall[]): boolean {
  if (!uses.some(({ requested }) => requested === undefined)) return false;
  const callsByParent = groupBy(calls, ({ node }) => node.span.parentSpanId ?? "");
  const agents = new Nearest((node) => (node.role === "agent" ? node : undefined));
  const callsByAgent = groupBy(calls, ({ node }) => agents.of(node.parent));
  const known = new Set(uses.map((use) => (use.requested === undefined ? null : nameOfUse(use))));
  const usesByCall = groupBy(uses, ({ requested }) => requested?.call);
  const placeOf = new Map(calls.map((call, place) => [call, place]));
  const ranAllBefore = (call: LlmCall, time: number): boolean => {
    const own = usesByCall.get(placeOf.get(call) ?? -1) ?? [];
    return own.length === call.requests.length && own.every(({ executions }) => endOf(executions) <= time);
  };
  return uses.some((use) => {
    const {
      requested,
      executions: [span],
    } = use;
    if (requested !== undefined || span === undefined) return false;
    const [node] = span.nodes;
    const { start, end } = node;
    // Calls that lie elsewhere in the agent's span count for tools that models are known to ask for.
    const beside =
      (known.has(nameOfUse(use)) ? callsByAgent.get(agents.of(node.parent) ?? node) : undefined) ??
      callsByParent.get(node.span.parentSpanId ?? "") ??
      [];
    const next = firstFrom(beside, end);
    const before = beside[next - 1];
    return (
      next < beside.length &&
      before !== undefined &&
      before.requests.length > 0 &&
      ranAllBefore(before, start)
    );
  });
}

/** The first of the calls, which are in order, that starts at that time or later. */
function firstFrom(calls: readonly LlmCall[], time: number): number {
  let [low, high] = [0, calls.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((calls[middle]?.start ?? Infinity) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function endOf(spans: ToolUse["executions"]): number {
  return spans.length === 0 ? Infinity : Math.max(...spans.map(({ nodes }) => nodes[0].end));
}
