import { SpanKind } from "../../model/telemetry/span-view.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { LlmCall } from "./llm-call.ts";
import { StateMessages } from "./state-messages.ts";
import { TokenCounts } from "../notations/usage.ts";
import { countsOf } from "./tokens.ts";
import { above } from "./tree.ts";

const noLayers: readonly SpanFacts[] = [];

/**
 * The model calls among the spans of a trace. Of call spans within each other the innermost counts, and those around it that hold just this
 * one call lend it what it lacks; agents and tools between two call spans make them two calls.
 */
export function innermostCalls(nodes: readonly SpanFacts[]): LlmCall[] {
  const all = nodes.filter(isCall);
  if (all.length === 0) return [];
  const records = new Map<SpanFacts, SpanFacts[]>();
  const spans = all.some(isUsageRecord) ? withoutUsageRecords(all, records) : all;
  const state = new StateMessages(nodes);
  if (!spans.some((node) => callAbove(node) !== null))
    return spans.map((node) => new LlmCall(node, records.get(node) ?? noLayers, state));
  // A chunk of a call, or an attempt, has neither model nor usage, and lies in one that has.
  const whole = spans.filter((node) => isCounted(node) || !isWithinCounted(node));
  const outer = new Set<SpanFacts>();
  for (const node of whole)
    for (let at = callAbove(node); at !== null && !outer.has(at); at = callAbove(at)) outer.add(at);
  const leaves = whole.filter((node) => !outer.has(node));
  const served = new Map<SpanFacts, number>();
  const failed = new Map<SpanFacts, number>();
  for (const leaf of leaves) {
    const held = callAbove(leaf) === null || !isFailedAttempt(leaf) ? served : failed;
    for (let at = callAbove(leaf); at !== null; at = callAbove(at)) held.set(at, (held.get(at) ?? 0) + 1);
  }
  const parts = new Map<SpanFacts, number>();
  if (whole.length < spans.length)
    for (const node of spans) {
      const at = isAnswerPart(node) ? callAbove(node) : null;
      if (at !== null) parts.set(at, (parts.get(at) ?? 0) + 1);
    }
  const nested = new Map<SpanFacts, SpanFacts>();
  for (const node of outer) {
    const work = workBefore(node, whole);
    if (work !== null) nested.set(node, work);
  }
  const found = leaves.map((leaf) => {
    const around: SpanFacts[] = [];
    const isFailed = isFailedAttempt(leaf);
    for (let at = callAbove(leaf); at !== null; at = callAbove(at)) {
      if (nested.has(at)) break;
      const holds = served.get(at) ?? 0;
      // Attempts that failed count only where all did: a gateway tries again within the client's one call.
      if (isFailed ? holds > 0 || failed.get(at) !== 1 : holds !== 1) break;
      around.push(at);
    }
    const counted = records.get(leaf);
    const call = new LlmCall(leaf, counted === undefined ? around : [...around, ...counted], state);
    call.completions = parts.get(leaf) ?? 1;
    return call;
  });
  return nested.size === 0
    ? found
    : [...found, ...[...nested].map(([node, work]) => nestedCall(node, work, state))].sort(byStart);
}

function byStart(a: LlmCall, b: LlmCall): number {
  return a.start - b.start;
}

/**
 * What a call did itself before a call within it, of its own name and scope, began: it asked the model, or ran the tools that the model asked for. Clients
 * that call themselves leave two calls so, one within the other; null for a span that only shows the call within it.
 */
function workBefore(node: SpanFacts, calls: readonly SpanFacts[]): SpanFacts | null {
  const inner = calls.find(
    ({ parent, span }) =>
      parent === node && span.name === node.span.name && span.scopeName === node.span.scopeName,
  );
  if (inner === undefined) return null;
  return node.children.find((child) => child.end <= inner.start && isWork(child)) ?? null;
}

function isWork({ role, span }: SpanFacts): boolean {
  return role === "tool" || (role === "unknown" && span.kind === SpanKind.client);
}

/** Such a call ended when its tools began, or with its request; what its span counts and returned is the last call's. */
function nestedCall(node: SpanFacts, work: SpanFacts, state: StateMessages): LlmCall {
  const call = new LlmCall(node, noLayers, state);
  call.end = work.role === "tool" ? work.start : work.end;
  call.isNested = true;
  call.counts = new TokenCounts();
  const until = call.inputs.findIndex(({ calls, results }) => calls.length + results.length > 0);
  if (until >= 0) call.inputs = call.inputs.slice(0, until);
  call.outputs = [];
  call.finish = "tool_call";
  call.responseId = null;
  call.settle();
  return call;
}

function isCall({ role }: SpanFacts): boolean {
  return role === "call";
}

function isEdge({ role }: SpanFacts): boolean {
  return role === "agent" || role === "tool" || role === "handoff";
}

/** The nearest call span around a span, within the same agent's or tool's work; null for none. */
function callAbove(node: SpanFacts): SpanFacts | null {
  return node.parent === null ? null : above(node, isCall, isEdge);
}

/** It has a model or usage: a call, not a chunk of one or an attempt. */
function isCounted(node: SpanFacts): boolean {
  return (
    node.hasField(F.requestModel) ||
    node.hasField(F.responseModel) ||
    node.hasField(F.model) ||
    node.requestModel !== null ||
    node.hasField(F.inputTokens) ||
    node.hasField(F.usage)
  );
}

function isWithinCounted(node: SpanFacts): boolean {
  for (let at = callAbove(node); at !== null; at = callAbove(at)) if (isCounted(at)) return true;
  return false;
}

/** A call span that returned something, and leaves its model and usage to the one around. */
function isAnswerPart(node: SpanFacts): boolean {
  return !isCounted(node) && (node.hasField(F.output) || node.hasField(F.outputMessages));
}

function isFailedAttempt(node: SpanFacts): boolean {
  return node.failure !== null && node.outputTokens === null && countsOf(node).output === undefined;
}

/** Whether a span only records usage: no operation, no messages, no finish reason, no events. */
export function isUsageRecord({ role, plan, span }: SpanFacts): boolean {
  return role === "call" && plan.isUsageRecord && span.events.length === 0 && span.logs.length === 0;
}

/**
 * The call spans without those that only record usage beside the calls of the same producer: framework accounting, which repeats what the
 * calls' own spans count, or counts what they do not. `all`: by start.
 */
function withoutUsageRecords(
  all: readonly SpanFacts[],
  records: Map<SpanFacts, SpanFacts[]>,
): readonly SpanFacts[] {
  const producers = new Set<string>();
  for (const node of all) if (!isUsageRecord(node)) producers.add(node.span.scopeName);
  const latest = new Map<string, SpanFacts>();
  const spans: SpanFacts[] = [];
  for (const node of all) {
    const scope = node.span.scopeName;
    const isRecord = isUsageRecord(node);
    if (!isRecord || !producers.has(scope)) spans.push(node);
    const call = isRecord ? latest.get(scope) : undefined;
    if (!isRecord) latest.set(scope, node);
    else if (call !== undefined && !records.has(call) && countsOf(call).output === undefined)
      records.set(call, [node]);
  }
  return spans;
}
