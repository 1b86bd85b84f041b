import type { LlmCall } from "../fragments/llm-call.ts";
import type { SpanNode } from "../span/span-node.ts";
import { Nearest } from "../span/nearest.ts";
import { exceptionsOf } from "../span/read-failure.ts";
import type { Message } from "../../model/message.ts";
import { FirstAtLeast } from "../search/first-at-least.ts";
import { groupBy } from "../../support/structures/group-by.ts";
import { withoutDuplicates } from "./duplicate-calls.ts";

/**
 * Tells calls that were answered from attempts that failed; calls that left nothing behind (cancelled before they were
 * sent) are dropped, and so are calls that two instrumentations show side by side. Where no call of a run left anything although
 * tools ran, contents are switched off, and the producer's word that these are calls counts.
 */
export interface SortedCalls {
  /** Answered, by start. */
  readonly served: readonly LlmCall[];
  /** Attempts that failed, by start. */
  readonly failed: readonly LlmCall[];
  /** Both, by start. */
  readonly all: readonly LlmCall[];
}

export function sortCalls(calls: readonly LlmCall[], nodes: readonly SpanNode[]): SortedCalls {
  const served: LlmCall[] = [];
  const failed: LlmCall[] = [];
  const empty: LlmCall[] = [];
  const failures = new Failures();
  const sorted = isOrdered(calls) ? calls : calls.toSorted((a, b) => a.start - b.start);
  const ordered = sorted[0]?.start === 0 ? withUntimed(sorted) : sorted;
  for (const call of ordered) {
    if (isFailed(call, failures)) failed.push(call);
    else if (isNothing(call)) empty.push(call);
    else served.push(call);
  }
  if (empty.length > 0 && served.length + failed.length === 0 && nodes.some(isTool))
    served.push(...empty.filter(isDeclared));
  let layers: Layers | undefined;
  const kept = withoutDuplicates(withoutUnanswered(served), (stays, leftOut) =>
    (layers ??= new Layers()).add(stays, leftOut),
  );
  const whole = wholeCalls(kept, layers);
  if (failed.length === 0) return { served: whole, failed, all: whole };
  const all = new Set([...kept, ...failed]);
  const inOrder = ordered.filter((one) => all.has(one));
  return { served: whole, failed, all: wholeCalls(inOrder, layers) };
}

/** Calls whose spans have no times are placed by their histories: before the first call that was sent more messages. */
function withUntimed(sorted: readonly LlmCall[]): readonly LlmCall[] {
  const timed = sorted.filter(({ start }) => start > 0);
  const lengths = new FirstAtLeast(timed.map(({ inputs }) => inputs.length));
  const untimed = sorted.filter(({ start }) => start === 0).sort((a, b) => a.inputs.length - b.inputs.length);
  const behind: LlmCall[][] = Array.from({ length: timed.length + 1 }, () => []);
  for (const call of untimed) behind[lengths.placeAbove(call.inputs.length)]?.push(call);
  return behind.flatMap((calls, at) => [...calls, ...timed.slice(at, at + 1)]);
}

function wholeCalls(calls: readonly LlmCall[], layers: Layers | undefined): readonly LlmCall[] {
  return layers === undefined ? calls : calls.map((call) => layers.whole(call));
}

/**
 * A call without usage, output and end, where every other call of its scope has usage, was never answered: it was suspended for an
 * approval, and the agent's next invocation shows it again.
 */
function withoutUnanswered(calls: LlmCall[]): LlmCall[] {
  if (calls.length < 2 || !calls.some(isUnanswered)) return calls;
  const others = groupBy(
    calls.filter((call) => !isUnanswered(call)),
    ({ node }) => node.span.scopeName,
  );
  const agents = new Nearest((node) => (node.role === "agent" ? node : undefined));
  return calls.filter((call) => {
    const beside = isUnanswered(call) ? others.get(call.node.span.scopeName) : undefined;
    if (beside === undefined || beside.some(({ counts }) => counts.output === undefined)) return true;
    const agent = agents.of(call.node);
    return !beside.some(({ start, node }) => start >= call.end && isNextInvocation(agent, agents.of(node)));
  });
}

/** Another span of the same agent. */
function isNextInvocation(agent: SpanNode | undefined, next: SpanNode | undefined): boolean {
  return next !== agent && (agent?.agentName === undefined || next?.agentName === agent.agentName);
}

function isUnanswered(call: LlmCall): boolean {
  const { counts } = call;
  return (
    counts.input === undefined &&
    counts.output === undefined &&
    call.finish === null &&
    call.outputs.every(isEmpty)
  );
}

/** The spans of calls that were left out as another instrumentation's view of a call that stays: they lend it what it lacks. */
class Layers {
  readonly #spans = new Map<LlmCall, SpanNode[]>();
  readonly #whole = new Map<LlmCall, LlmCall>();

  add(stays: LlmCall, leftOut: LlmCall): void {
    const own = this.#spans.get(stays) ?? [];
    this.#spans.set(stays, [...own, leftOut.node, ...leftOut.around, ...(this.#spans.get(leftOut) ?? [])]);
    this.#spans.delete(leftOut);
  }

  /** The call with what the others know of it, made once. */
  whole(call: LlmCall): LlmCall {
    const spans = this.#spans.get(call);
    if (spans === undefined) return call;
    let whole = this.#whole.get(call);
    if (whole === undefined) this.#whole.set(call, (whole = call.with(spans)));
    return whole;
  }
}

function isOrdered(calls: readonly LlmCall[]): boolean {
  return calls.every((call, at) => at === 0 || (calls[at - 1]?.start ?? 0) <= call.start);
}

/** A failed call that has output was answered all the same: something after it failed. */
function isFailed(call: LlmCall, failures: Failures): boolean {
  const { failure } = call;
  if (failure === null && call.counts.output !== undefined) return false;
  if (!call.outputs.every(isEmpty) || (call.counts.output ?? 0) !== 0) return false;
  return failure !== null || exceptionsOf(call.node.span).length > 0 || failures.endedAround(call.node);
}

function toolOrFailed(node: SpanNode): SpanNode | undefined {
  return node.role === "tool" || node.failure !== null ? node : undefined;
}

/** What failed around calls. */
class Failures {
  readonly #nearest = new Nearest(toolOrFailed);
  #lastCalls: Map<SpanNode, number> | undefined;

  /** Nothing came back, and what is around failed when it ended: some producers note the failure only there. */
  endedAround(node: SpanNode): boolean {
    const failed = this.#nearest.of(node.parent);
    return failed !== undefined && failed.role !== "tool" && this.#lastCallIn(failed) <= node.end;
  }

  /** When the last of the calls right below a span began. */
  #lastCallIn(node: SpanNode): number {
    const lastCalls = (this.#lastCalls ??= new Map<SpanNode, number>());
    let last = lastCalls.get(node);
    if (last === undefined) {
      last = -Infinity;
      for (const { role, start } of node.children) if (role === "call" && start > last) last = start;
      lastCalls.set(node, last);
    }
    return last;
  }
}

function isEmpty({ text, calls }: Message): boolean {
  return (text === null || text === "") && calls.length === 0;
}

function isTool({ role }: SpanNode): boolean {
  return role === "tool";
}

/** Its producer says that it is a model call, and that it ended. */
function isDeclared({ node }: LlmCall): boolean {
  return node.reading.dialects.adapters.length > 0 && node.end > node.start;
}

function isNothing(call: LlmCall): boolean {
  const { reading } = call.node;
  return (
    !reading.has("requestModel") &&
    !reading.has("responseModel") &&
    !reading.has("model") &&
    call.counts.input === undefined &&
    call.counts.output === undefined &&
    call.inputs.length === 0 &&
    call.outputs.length === 0
  );
}
