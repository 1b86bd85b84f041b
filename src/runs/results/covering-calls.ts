import type { LlmCall } from "../calls/llm-call.ts";
import { isBesideAgent } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { plainName } from "../notations/names.ts";

/** The call that requested a tool use and ended first, and the earliest end among the other calls. */
interface Requested {
  readonly first: LlmCall;
  readonly firstEnd: number;
  readonly otherEnd: number;
}

/**
 * Finds the spans that cover several model calls. Calls and tools are indexed at the first use, because a
 * sender can put ten thousands of both into one run.
 */
export class CoveringCalls {
  readonly #evidence: Evidence;
  #index: CallIndex | undefined;

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
  }

  /**
   * Whether one span covers several model calls: tools ran within its time, and its history has their results,
   * or it ended without requests. The number of calls is unknown.
   */
  includes(call: LlmCall): boolean {
    const { node } = call;
    if (!call.isTimed || call.isNested || call.completions > 1) return false;
    if (this.#evidence.toolNodes.length === 0) return false;
    const index = (this.#index ??= new CallIndex(this.#evidence));
    const within = index.toolsWithin(call);
    if (within.length === 0) return false;
    const lastStart = index.lastStartBeside(node);
    const wentOn = within.every((tool) => tool.end <= lastStart);
    const showsNoEnd = call.finish === null && call.outputs.length === 0 && node.dialects.adapters.length > 0;
    if (!wentOn && (call.finish === "stop" || showsNoEnd) && call.requests.length === 0) return true;
    return call.inputs.some(({ results }) =>
      results.some(({ callId, name }) =>
        within.some((tool) => {
          if (callId !== null && tool.callId !== null) return callId === tool.callId;
          return name !== null && tool.tool !== null && plainName(name) === plainName(tool.tool);
        }),
      ),
    );
  }
}

/** Returns the call that ended last. A span that covers several calls may end after the last call. */
export function lastCallOf(evidence: Evidence): LlmCall | null {
  const { calls } = evidence;
  const isWatched = evidence.guardrailNodes.length + evidence.evaluationNodes.length > 0;
  const last =
    (isWatched ? calls.findLast(({ node }) => !isBesideAgent(node)) : undefined) ?? calls[calls.length - 1];
  if (last === undefined) return null;
  const covering = new CoveringCalls(evidence);
  for (const call of calls)
    if (call.end > last.end && (call.completions > 1 || covering.includes(call))) return call;
  return last;
}

class CallIndex {
  readonly #toolsByParent = new Map<SpanFacts | null, SpanFacts[]>();
  readonly #requestedById = new Map<string, Requested>();
  readonly #lastStartByParent = new Map<SpanFacts | null, number>();
  /** By the span above the steps, and by the name of the steps. */
  readonly #lastStartByStep = new Map<SpanFacts | null, Map<string, number>>();

  constructor({ toolNodes, calls }: Evidence) {
    for (const tool of toolNodes) listIn(this.#toolsByParent, tool.parent).push(tool);
    for (const tools of this.#toolsByParent.values()) tools.sort((a, b) => a.start - b.start);
    for (const call of calls) {
      const { node, start } = call;
      for (const { id } of call.requests) if (id !== null) this.#note(id, call);
      raise(this.#lastStartByParent, node.parent, start);
      const step = stepAbove(node);
      if (step === null) continue;
      const lastStartByName = this.#lastStartByStep.get(step.parent) ?? new Map<string, number>();
      this.#lastStartByStep.set(step.parent, lastStartByName);
      raise(lastStartByName, step.span.name, start);
    }
  }

  /** Returns the tools within a call's time that no earlier call requested. */
  toolsWithin(call: LlmCall): SpanFacts[] {
    const { node, start, end } = call;
    const parents = node.parent === null ? [node] : [node, node.parent];
    return parents.flatMap((parent) => {
      const tools = this.#toolsByParent.get(parent) ?? [];
      const within: SpanFacts[] = [];
      for (let at = firstFrom(tools, start); at < tools.length; at++) {
        const tool = tools[at] as SpanFacts;
        if (tool.start > end) break;
        if (tool.end <= end && !this.#isRequestedBefore(tool, call)) within.push(tool);
      }
      return within;
    });
  }

  /** The clocks of two processes can show a tool that ran before a call within it. */
  #isRequestedBefore({ callId }: SpanFacts, call: LlmCall): boolean {
    const requested = callId === null ? undefined : this.#requestedById.get(callId);
    if (requested === undefined) return false;
    return (requested.first === call ? requested.otherEnd : requested.firstEnd) <= call.start;
  }

  #note(id: string, call: LlmCall): void {
    const known = this.#requestedById.get(id);
    if (known === undefined) {
      this.#requestedById.set(id, { first: call, firstEnd: call.end, otherEnd: Infinity });
    } else if (known.first !== call) {
      const [first, firstEnd, otherEnd] =
        call.end < known.firstEnd
          ? [call, call.end, known.firstEnd]
          : [known.first, known.firstEnd, Math.min(call.end, known.otherEnd)];
      this.#requestedById.set(id, { first, firstEnd, otherEnd });
    }
  }

  /**
   * Returns the latest start among the calls beside this one: children of the same span, or each the child of
   * a separate step; the steps share a name and a parent.
   */
  lastStartBeside(node: SpanFacts): number {
    const ofParent = this.#lastStartByParent.get(node.parent) ?? -Infinity;
    const step = stepAbove(node);
    if (step === null) return ofParent;
    return Math.max(ofParent, this.#lastStartByStep.get(step.parent)?.get(step.span.name) ?? -Infinity);
  }
}

/** Returns the step that a call is the only child of; null if its parent is an agent, or has no parent. */
function stepAbove({ parent }: SpanFacts): SpanFacts | null {
  return parent === null || parent.role === "agent" || parent.parent === null ? null : parent;
}

function listIn(lists: Map<SpanFacts | null, SpanFacts[]>, key: SpanFacts | null): SpanFacts[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list: SpanFacts[] = [];
  lists.set(key, list);
  return list;
}

function raise<Key>(maxima: Map<Key, number>, key: Key, value: number): void {
  maxima.set(key, Math.max(maxima.get(key) ?? -Infinity, value));
}

/** Returns the index of the first tool that starts at or after `start`; the tools are in order of start. */
function firstFrom(tools: readonly SpanFacts[], start: number): number {
  let [low, high] = [0, tools.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tools[middle] as SpanFacts).start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
