import type { ToolCall } from "../../model/run.ts";
import { deepEqual } from "./deep-equal.ts";

/** EvalView's behaviour anomalies, as counts over the calls of a run. A call without a name is like no other. */

/** Excessive retries: calls that failed and were made again. */
export function retries(calls: readonly ToolCall[]): number {
  return calls.filter(({ retried }) => retried).length;
}

/** Brittle recovery: tools whose last call ended in an error, so that nothing made up for it. */
export function unrecoveredErrors(calls: readonly ToolCall[]): number {
  const failed = new Map<string | ToolCall, boolean>();
  for (const call of calls) failed.set(call.name ?? call, call.error !== null);
  return [...failed.values()].filter(Boolean).length;
}

/** Beyond these a call is no longer compared with all before it. */
const MOST_COMPARED = 200;

/**
 * Progress stalls: calls of a tool with the arguments of an earlier call that had succeeded, wherever it stands, so that they could bring
 * nothing new. Null when the arguments of two calls of one tool are not known.
 */
export function stalledCalls(calls: readonly ToolCall[]): number | null {
  const before = new Map<string, ToolCall[]>();
  let stalled = 0;
  for (const call of calls) {
    if (call.name === null) continue;
    const alike = before.get(call.name) ?? [];
    if (alike.length > 0 && (isBlind(call) || alike.some(isBlind))) return null;
    if (alike.some((one) => one.error === null && sameArguments(one, call))) stalled++;
    if (alike.length < MOST_COMPARED) alike.push(call);
    before.set(call.name, alike);
  }
  return stalled;
}

function isBlind(call: ToolCall): boolean {
  return call.arguments === undefined;
}

function sameArguments(one: ToolCall, other: ToolCall): boolean {
  return (
    one.arguments !== undefined && other.arguments !== undefined && deepEqual(one.arguments, other.arguments)
  );
}
