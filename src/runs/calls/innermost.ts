import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import { recordingScope } from "../../model/telemetry/own-scope.ts";
import { SpanKind } from "../../model/telemetry/span-view.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { LlmCall } from "./llm-call.ts";
import { StateMessages } from "./state-messages.ts";
import { TokenCounts } from "../notations/usage.ts";
import { countsOf } from "./tokens.ts";
import { above, isAgent } from "./tree.ts";

const noLayers: readonly SpanFacts[] = [];

/** Number of calls read before the generator yields. A slice takes about 60 ms if each call has long messages. */
const CALLS_IN_SLICE = 1000;

/**
 * Returns the model calls of a trace; yields between slices. A call span of the agent's instrumentation may enclose spans of the model
 * server. If at most one of the server's spans was answered, all these spans are one call. The agent's span counts, and one span of the
 * server adds missing fields.
 */
export function* innermostCalls(nodes: readonly SpanFacts[]): Generator<undefined, LlmCall[]> {
  const recorded = recordedWithin(nodes);
  const calls = yield* callsOf(nodes);
  if (recorded.size > 0)
    for (const call of calls) {
      const span = recorded.get(call.node);
      if (span !== undefined) call.addRecorded(span);
    }
  return calls;
}

/**
 * Returns the model server's span for each call span of the agent's instrumentation that encloses one, and marks all the server's spans
 * there as copies. A call span with several answered server spans has no entry, and its server spans are not copies.
 */
function recordedWithin(nodes: readonly SpanFacts[]): ReadonlyMap<SpanFacts, SpanFacts> {
  const spansByCall = new Map<SpanFacts, SpanFacts[]>();
  for (const node of nodes) {
    if (node.role !== "call" || node.span.scopeName !== recordingScope) continue;
    const call = callAbove(node);
    if (call === null || call.span.scopeName === recordingScope) continue;
    const spans = spansByCall.get(call);
    if (spans === undefined) spansByCall.set(call, [node]);
    else spans.push(node);
  }
  const recorded = new Map<SpanFacts, SpanFacts>();
  for (const [call, spans] of spansByCall) {
    const answered = spans.filter(({ failure }) => failure === null);
    const span = answered[0] ?? spans.at(-1);
    if (answered.length > 1 || span === undefined) continue;
    recorded.set(call, span);
    for (const one of spans) one.role = "copy";
  }
  return recorded;
}

/**
 * Of nested call spans, the innermost is the call. An enclosing span that contains no other call adds its fields to this call. An enclosing
 * span is a call of its own in two cases. It made a request before the nested call (`workBefore`). Or an agent or tool is between the two
 * spans.
 */
function* callsOf(nodes: readonly SpanFacts[]): Generator<undefined, LlmCall[]> {
  const all = withoutWrappers(nodes.filter(isCall));
  if (all.length === 0) return [];
  const records = new Map<SpanFacts, SpanFacts[]>();
  const spans = all.some(isUsageRecord) ? withoutUsageRecords(all, records) : all;
  const state = new StateMessages(nodes);
  const found: LlmCall[] = [];
  if (!spans.some((node) => callAbove(node) !== null)) {
    for (const node of spans) {
      found.push(new LlmCall(node, records.get(node) ?? noLayers, state));
      if (found.length % CALLS_IN_SLICE === 0) yield;
    }
    return found;
  }
  // A call span without model and usage, nested in a call span that has either, is a chunk or an attempt.
  const whole = spans.filter((node) => isCounted(node) || !isWithinCounted(node));
  const outer = new Set<SpanFacts>();
  for (const node of whole)
    for (let at = callAbove(node); at !== null && !outer.has(at); at = callAbove(at)) outer.add(at);
  const leaves = whole.filter((node) => !outer.has(node));
  const served = new Map<SpanFacts, number>();
  for (const leaf of leaves)
    if (!isFailedAttempt(leaf))
      for (let at = callAbove(leaf); at !== null; at = callAbove(at))
        served.set(at, (served.get(at) ?? 0) + 1);
  const parts = new Map<SpanFacts, number>();
  if (whole.length < spans.length)
    for (const node of spans) {
      const at = isAnswerPart(node) ? callAbove(node) : null;
      if (at !== null) parts.set(at, (parts.get(at) ?? 0) + 1);
    }
  const nested = new Map<SpanFacts, SpanFacts>();
  const counting = new Set(whole);
  for (const node of outer) {
    const work = workBefore(node, counting);
    if (work !== null) nested.set(node, work);
  }
  for (const leaf of leaves) {
    const around: SpanFacts[] = [];
    const isFailed = isFailedAttempt(leaf);
    for (let at = callAbove(leaf); at !== null; at = callAbove(at)) {
      if (nested.has(at)) break;
      // A client's span encloses the attempts of a gateway that retries. Its fields belong to the answered attempt; they belong to a failed
      // attempt only if all attempts failed.
      if ((served.get(at) ?? 0) !== (isFailed ? 0 : 1)) break;
      around.push(at);
    }
    const counted = records.get(leaf);
    const call = new LlmCall(leaf, counted === undefined ? around : [...around, ...counted], state);
    call.completions = parts.get(leaf) ?? 1;
    found.push(call);
    if (found.length % CALLS_IN_SLICE === 0) yield;
  }
  return nested.size === 0
    ? found
    : [...found, ...[...nested].map(([node, work]) => nestedCall(node, work, state))].sort(byStart);
}

/**
 * Leaves out spans without model and usage that enclose an agent or a tool with model calls. These spans are functions of an application,
 * which the application declares as model calls.
 */
function withoutWrappers(calls: readonly SpanFacts[]): readonly SpanFacts[] {
  if (calls.every(isCounted)) return calls;
  const enclosing = new Set<SpanFacts>();
  const outer = new Set(calls.map(callAbove));
  for (const { parent } of calls.filter(isCounted))
    for (let at = parent; at !== null && !enclosing.has(at); at = at.parent) enclosing.add(at);
  return calls.filter((node) => isCounted(node) || outer.has(node) || !enclosing.has(node));
}

function byStart(a: LlmCall, b: LlmCall): number {
  return a.start - b.start;
}

/**
 * Returns the span of a model request or tool that ended before the nested call of the same kind began, as in recursive clients. Null if
 * there is none: `node` then only duplicates its nested call.
 */
function workBefore(node: SpanFacts, calls: ReadonlySet<SpanFacts>): SpanFacts | null {
  const inner = node.children.find((child) => calls.has(child) && isSameKind(child, node));
  if (inner === undefined) return null;
  return node.children.find((child) => child.end <= inner.start && isWork(child)) ?? null;
}

/**
 * Whether two spans of one producer have the same name or operation. The name alone is not enough, because it often
 * contains the model, which may differ.
 */
function isSameKind(a: SpanFacts, b: SpanFacts): boolean {
  if (a.span.scopeName !== b.span.scopeName) return false;
  if (a.span.name === b.span.name) return true;
  const operation = a.span.named("gen_ai.operation.name");
  return operation !== undefined && operation === b.span.named("gen_ai.operation.name");
}

function isWork({ role, span }: SpanFacts): boolean {
  return role === "tool" || (role === "unknown" && span.kind === SpanKind.client);
}

/**
 * Returns the outer one of two nested calls of the same kind (`isSameKind`). The outer call ends when its tool starts, or when its model
 * request (`work`) ends. Usage and output on the outer span belong to the last nested call.
 */
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

/** The nearest enclosing call span within the same agent or tool; null if there is none. */
function callAbove(node: SpanFacts): SpanFacts | null {
  return node.parent === null ? null : above(node, isCall, isEdge);
}

/** Whether the span has a model or usage. A call span with neither is a chunk or an attempt, not a call. */
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

/** Whether a call span has output, but its model and usage are on the enclosing span. */
function isAnswerPart(node: SpanFacts): boolean {
  return (
    !isCounted(node) && (node.hasField(F.output) || node.hasField(F.outputMessages)) && !isRefusedPart(node)
  );
}

/**
 * Whether the output is empty and the enclosing agent failed. The model then refused the request, and the producer records the refusal on
 * the agent's span.
 */
function isRefusedPart(node: SpanFacts): boolean {
  if ((above(node, isAgent)?.failure ?? null) === null) return false;
  const output = node.valueAt(F.output);
  return isObject(output) && Object.values(output).every(isBlank);
}

function isBlank(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === "" || (isArray(value) && value.length === 0);
}

function isFailedAttempt(node: SpanFacts): boolean {
  return node.failure !== null && node.outputTokens === null && countsOf(node).output === undefined;
}

/** Whether a span only records usage: no operation, no messages, no finish reason, no events. */
export function isUsageRecord({ role, plan, span }: SpanFacts): boolean {
  return role === "call" && plan.isUsageRecord && span.events.length === 0 && span.logs.length === 0;
}

/**
 * Returns the call spans, without the usage-only spans of a producer that also writes other call spans. A framework writes usage-only spans
 * for accounting; they repeat or supplement the counts of calls. `all`: by start. `records` gets the usage-only span of each call that has
 * no output count.
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
    // A usage record counts for its enclosing call span. Only without one, it counts for the latest call, which may be wrong if calls
    // overlap.
    const call = isRecord ? (callAbove(node) ?? latest.get(scope)) : undefined;
    if (!isRecord) latest.set(scope, node);
    else if (call !== undefined && !records.has(call) && countsOf(call).output === undefined)
      records.set(call, [node]);
  }
  return spans;
}
