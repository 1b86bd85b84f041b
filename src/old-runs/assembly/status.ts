import type { Evidence } from "./evidence.ts";
import { errorAsAnswer } from "./error-as-answer.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import { exceptionsOf } from "../span/read-failure.ts";
import { Phrases } from "../search/phrases.ts";

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

/**
 * The words for a run's failure: those of the span that decides, where it has more than a type's name; else those of the root, else of
 * the other spans that failed, the last to end first.
 */
export function errorTextOf(evidence: Evidence): string | undefined {
  return evidence.once(findErrorText);
}

function findErrorText(evidence: Evidence): string | undefined {
  const decisive = failureOf(evidence);
  if (decisive === undefined || isWorded(decisive)) return decisive;
  const others = evidence.nodes.filter(({ role }) => role !== "tool").sort((a, b) => b.end - a.end);
  for (const node of [evidence.root, ...others]) {
    const text = [node.failure ?? "", ...exceptionsOf(node.span)].find(isWorded);
    if (text !== undefined) return text;
  }
  return decisive;
}

/** More than one word: `invalid_request_error` is only a type. */
function isWorded(text: string): boolean {
  return /\S\s+\S/.test(text);
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
  return errorAsAnswer(evidence);
}

export function isTripped(node: SpanNode): boolean {
  return node.reading.boolean("triggered") === true || node.failure !== null;
}

/**
 * Some processors copy a failure onto the spans around it and beside it: its exception is another span's, and this one has a
 * result of its own, or the failure is a tool's and the run went on after it.
 */
export function isCopied(node: SpanNode, evidence: Evidence): boolean {
  const { failure, span } = node;
  if (failure === null || exceptionsOf(span).length > 0) return false;
  if (node.role !== "tool" && evidence.once(handledFailures).anyWithin(failure)) return true;
  if (!node.has("output") && !node.has("outputMessages") && !node.has("outputText") && !node.has("result"))
    return false;
  return evidence.once(exceptionsIn).anyWithin(failure);
}

function exceptionsIn({ nodes }: Evidence): Phrases {
  return new Phrases(nodes.flatMap(({ span }) => exceptionsOf(span)));
}

/** Exceptions of tools after the last of which the model was called again, and answered: the agent handled them. */
function handledFailures(evidence: Evidence): Phrases {
  const lastEnd = new Map<string, number>();
  for (const { span, end } of evidence.toolNodes)
    for (const text of exceptionsOf(span))
      if (text !== "") lastEnd.set(text, Math.max(end, lastEnd.get(text) ?? -Infinity));
  const served = evidence.calls[evidence.calls.length - 1]?.start ?? -Infinity;
  return new Phrases([...lastEnd].flatMap(([text, end]) => (served >= end ? [text] : [])));
}

/** A call started after the failure: it was handled. */
function wentOn(node: SpanNode, evidence: Evidence): boolean {
  return node !== evidence.root && evidence.once(lastCallStart) >= node.end;
}

function lastCallStart({ calls }: Evidence): number {
  return calls.reduce((latest, { start }) => Math.max(latest, start), -Infinity);
}
