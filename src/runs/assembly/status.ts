import type { Evidence } from "./evidence.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import { exceptionsOf } from "../span/read-failure.ts";
import { Phrases } from "../index/phrases.ts";

/**
 * Failed: the last call did, or the root or an agent did and no call came after it, or a guardrail stopped the run. Errors of
 * tools, and attempts that were tried again, are not the run's.
 */
export function statusOf(evidence: Evidence): "ok" | "error" | null {
  return failureOf(evidence) === undefined ? "ok" : "error";
}

export function failureOf(evidence: Evidence): string | undefined {
  return evidence.once(findFailure);
}

function findFailure(evidence: Evidence): string | undefined {
  const served = evidence.calls[evidence.calls.length - 1];
  const failed = evidence.failedCalls[evidence.failedCalls.length - 1];
  if (failed !== undefined && (served === undefined || failed.start > served.start))
    return failed.failure ?? "error";
  const tripped = evidence.nodes.find((node) => node.role === "guardrail" && isTripped(node));
  if (tripped !== undefined) return `guardrail ${tripped.text("guardrail") ?? tripped.span.name}`;
  const lastStart = served?.start ?? 0;
  const inTool = new Nearest(({ role }) => (role === "tool" ? true : undefined));
  for (const node of evidence.nodes) {
    const speaksForRun =
      node === evidence.root || node.role === "agent" || node.role === "workflow" || node.role === "step";
    if (!speaksForRun || node.failure === null || inTool.of(node.parent) === true) continue;
    if (node.end >= lastStart && !wentOn(node, evidence) && !isCopied(node, evidence)) return node.failure;
  }
  return undefined;
}

export function isTripped(node: SpanNode): boolean {
  return node.reading.boolean("triggered") === true || node.failure !== null;
}

/**
 * Some processors copy a failure onto the spans around it and beside it: its exception is another span's, and this one has a
 * result of its own.
 */
export function isCopied(node: SpanNode, evidence: Evidence): boolean {
  const { failure, span } = node;
  if (failure === null || exceptionsOf(span).length > 0) return false;
  if (!node.has("output") && !node.has("outputMessages") && !node.has("outputText") && !node.has("result"))
    return false;
  return evidence.once(exceptionsIn).anyWithin(failure);
}

function exceptionsIn({ nodes }: Evidence): Phrases {
  return new Phrases(nodes.flatMap(({ span }) => exceptionsOf(span)));
}

/** A call started after the failure: it was handled. */
function wentOn(node: SpanNode, evidence: Evidence): boolean {
  return node !== evidence.root && evidence.once(lastCallStart) >= node.end;
}

function lastCallStart({ calls }: Evidence): number {
  return calls.reduce((latest, { start }) => Math.max(latest, start), -Infinity);
}
