import { append } from "../../support/structures/long-lists.ts";
import type { PlacedStep } from "../../model/run.ts";
import type { Evidence } from "../evidence.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { ToolUse } from "../ledger/tool-use.ts";
import { sameAgent } from "../who/agent-name.ts";
import type { FoundHandoff } from "../who/handoffs.ts";
import { usesOfTools } from "./tools.ts";

/** A step that is not a model call, before its position among the calls is known. */
interface Unplaced extends PlacedStep {
  /** Index of the model call before the step; -1 if unknown. */
  readonly after: number;
  /** Index of the model call that received the step's result; calls after it cannot precede the step. */
  readonly before: number;
}

/**
 * Returns the order of model calls and other steps. Model calls keep their order. A step with a time is placed by its time among the calls.
 * Even if clocks are wrong, the step never precedes the call that requested it, and never follows the call that received its result. A step
 * without a time follows the call that requested it.
 */
export function stepOrder(
  { allCalls, nodes, retrieverNodes, guardrailNodes }: Evidence,
  uses: readonly ToolUse[],
  handoffs: readonly FoundHandoff[],
): readonly PlacedStep[] {
  const others: Unplaced[] = [];
  const add = (
    kind: PlacedStep["kind"],
    index: number,
    node: SpanFacts | undefined,
    after: number | null = null,
    before: number | null = null,
  ): void => {
    const startUnixMs = node === undefined || node.start === 0 ? null : node.start;
    others.push({ kind, index, startUnixMs, after: after ?? -1, before: before ?? Infinity });
  };
  usesOfTools(uses).forEach(({ executions, call, usedBy }, index) =>
    add("tool", index, executions[0]?.node, call, usedBy),
  );
  const asked = uses.filter(({ target, executions }) => target !== null && executions.length === 0);
  handoffs.forEach(({ spanId, to }, index) => {
    const node = spanId === null ? undefined : nodes.find(({ span }) => span.spanId === spanId);
    const use =
      node === undefined ? asked.find(({ target }) => target !== null && sameAgent(target, to)) : undefined;
    add("handoff", index, node, use?.call);
  });
  retrieverNodes.forEach((node, index) => add("retrieval", index, node));
  guardrailNodes.forEach((node, index) => add("guardrail", index, node));
  const slots: Unplaced[][] = Array.from({ length: allCalls.length + 1 }, () => []);
  for (const step of others) {
    let slot = step.after + 1;
    if (step.startUnixMs !== null) {
      const { startUnixMs } = step;
      const next = allCalls.findIndex((call) => call.isTimed && call.start > startUnixMs);
      slot = Math.max(slot, next < 0 ? allCalls.length : next);
    }
    slots[Math.min(slot, step.before, allCalls.length)]?.push(step);
  }
  const ordered: PlacedStep[] = [];
  for (const [slot, steps] of slots.entries()) {
    const call = allCalls[slot - 1];
    if (call !== undefined)
      ordered.push({ kind: "model", index: slot - 1, startUnixMs: call.isTimed ? call.start : null });
    append(ordered, inTime(steps));
  }
  return ordered;
}

/** Sorts the steps between two model calls by time. A step without a time stays directly after its predecessor. */
function inTime(steps: readonly Unplaced[]): readonly PlacedStep[] {
  if (steps.length === 0) return steps;
  let time = -Infinity;
  return steps
    .map((step) => ({ step, time: (time = step.startUnixMs ?? time) }))
    .sort((a, b) => a.time - b.time)
    .map(({ step: { kind, index, startUnixMs } }) => ({ kind, index, startUnixMs }));
}
