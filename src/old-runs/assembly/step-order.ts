import type { Handoff, PlacedStep } from "../../model/run.ts";
import type { Evidence } from "./evidence.ts";
import { FirstAtLeast } from "../search/first-at-least.ts";
import { sameAgent } from "../span/agent-name.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { Step } from "./step.ts";
import { startOf } from "./times.ts";

/** A step besides model calls, before its place is known. */
interface Unplaced extends PlacedStep {
  /** Behind which model call it comes, by its place in the run; -1 where none is known. */
  readonly after: number;
  /** Before which model call it comes, which was sent its result. */
  readonly before: number;
}

/**
 * All steps of a run in order. Model calls come as the run has them. A step with a time of its own stands between the calls around that time,
 * but never before the call that asked for it or behind the one that used its result, whatever the clocks of its service say; one without
 * follows the call that asked for it.
 */
export function stepOrder(
  evidence: Evidence,
  toolSteps: readonly Step[],
  handoffs: readonly Handoff[],
): readonly PlacedStep[] {
  const { allCalls } = evidence;
  const calls = allCalls.map((call, index): PlacedStep => {
    return { kind: "model", index, startUnixMs: call.isTimed ? call.start : null };
  });
  const others = [
    ...placedTools(toolSteps),
    ...placedHandoffs(evidence, toolSteps, handoffs),
    ...placedSpans("retrieval", evidence.retrieverNodes),
    ...placedSpans("guardrail", evidence.guardrailNodes),
  ];
  const slots: Unplaced[][] = Array.from({ length: calls.length + 1 }, () => []);
  const starts = new FirstAtLeast(calls.map(({ startUnixMs }) => startUnixMs ?? -Infinity));
  for (const step of others) {
    const byTime = step.startUnixMs === null ? step.after + 1 : starts.placeAbove(step.startUnixMs);
    const slot = Math.min(Math.max(byTime, step.after + 1), step.before, calls.length);
    slots[slot]?.push(step);
  }
  return slots.flatMap((steps, slot) => [
    ...(slot === 0 ? [] : [calls[slot - 1] as PlacedStep]),
    ...inTime(steps),
  ]);
}

function placedTools(steps: readonly Step[]): Unplaced[] {
  return steps
    .filter(({ target, isControl }) => target === undefined && !isControl)
    .map(({ use: { requested, executions } }, index) => ({
      kind: "tool",
      index,
      startUnixMs: executions[0] === undefined ? null : startOf(executions[0].nodes[0]),
      after: requested?.call ?? -1,
      before: requested?.usedBy ?? Infinity,
    }));
}

/** A hand-off that a model asked for and that has no span follows that model's call. */
function placedHandoffs(
  { nodes }: Evidence,
  steps: readonly Step[],
  handoffs: readonly Handoff[],
): Unplaced[] {
  const ids = new Set(handoffs.map(({ spanId }) => spanId));
  const starts = new Map<string | null, number | null>();
  for (const node of nodes) if (ids.has(node.span.spanId)) starts.set(node.span.spanId, startOf(node));
  const asked = steps.filter(({ target, use }) => target !== undefined && use.executions.length === 0);
  return handoffs.map(({ spanId, to }, index) => {
    const step =
      spanId === null ? asked.find(({ target }) => target !== undefined && sameAgent(target, to)) : undefined;
    const after = step?.use.requested?.call ?? -1;
    return { kind: "handoff", index, startUnixMs: starts.get(spanId) ?? null, after, before: Infinity };
  });
}

function placedSpans(kind: "retrieval" | "guardrail", nodes: readonly SpanNode[]): Unplaced[] {
  return nodes.map((node, index) => ({
    kind,
    index,
    startUnixMs: startOf(node),
    after: -1,
    before: Infinity,
  }));
}

/** Steps between two model calls in order of time; one without a time stays behind the one that it was listed behind. */
function inTime(steps: readonly Unplaced[]): readonly PlacedStep[] {
  let time = -Infinity;
  return steps
    .map((step) => ({ step, time: (time = step.startUnixMs ?? time) }))
    .sort((a, b) => a.time - b.time)
    .map(({ step: { kind, index, startUnixMs } }) => ({ kind, index, startUnixMs }));
}
