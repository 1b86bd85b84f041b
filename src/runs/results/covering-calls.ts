import { firstIndex } from "../../support/structures/first-index.ts";
import { append } from "../../support/structures/group-by.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { above, isBesideAgent, isTool } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { plainName } from "../notations/names.ts";

/**
 * Returns the calls whose span covers several model calls; the number of covered calls is unknown. Tools ran within the time of such a
 * span, and one of two conditions holds. The call's history has the tools' results. Or the call ended without requests, and no sibling call
 * (`placesOf`) follows the tools. A span covers only one model call if it ends with the requests of these tools and a call with output
 * tokens follows. A run can have tens of thousands of calls and tools, so both are indexed.
 */
export function coveringCalls({ toolNodes, calls, allCalls }: Evidence): ReadonlySet<LlmCall> {
  const covering = new Set<LlmCall>();
  if (toolNodes.length === 0) return covering;
  const toolsByParent = new Map<SpanFacts | null, SpanFacts[]>();
  for (const tool of toolNodes) append(toolsByParent, tool.parent, tool);
  for (const tools of toolsByParent.values()) tools.sort((a, b) => a.start - b.start);
  const requestedAt = new Map<string, number>();
  const lastStarts = new Map<string, number>();
  const lastAnswered = new Map<string, number>();
  for (const { node, requests, start, end, counts } of allCalls) {
    for (const { id } of requests)
      if (id !== null) requestedAt.set(id, Math.min(end, requestedAt.get(id) ?? Infinity));
    for (const place of placesOf(node))
      for (const starts of counts.output === undefined ? [lastStarts] : [lastStarts, lastAnswered])
        starts.set(place, Math.max(start, starts.get(place) ?? 0));
  }
  for (const call of calls) {
    const { node, start, end } = call;
    if (!call.isTimed || call.isNested || call.completions > 1 || call.turns.length > 0) continue;
    const within: SpanFacts[] = [];
    for (const parent of node.parent === null ? [node] : [node, node.parent]) {
      const tools = toolsByParent.get(parent) ?? [];
      for (let at = firstIndex(tools, (tool) => tool.start >= start); at < tools.length; at++) {
        const tool = tools[at] as SpanFacts;
        if (tool.start > end) break;
        // If the clocks of two processes differ, a tool that ran before the call may seem to run within it. A tool whose request was made
        // before the call is therefore excluded.
        const requested = tool.callId === null ? undefined : requestedAt.get(tool.callId);
        if (tool.end <= end && (requested === undefined || requested > start)) within.push(tool);
      }
    }
    if (within.length === 0) continue;
    if (isAnsweredNext(call, within, latestOf(node, lastAnswered))) continue;
    if (isCovering(call, within, latestOf(node, lastStarts))) covering.add(call);
  }
  return covering;
}

function latestOf(node: SpanFacts, starts: ReadonlyMap<string, number>): number {
  return Math.max(...placesOf(node).map((place) => starts.get(place) ?? 0));
}

/** Whether a call ends with the requests of the tools within its time, and a call with output tokens starts after these tools. */
function isAnsweredNext(call: LlmCall, within: readonly SpanFacts[], lastAnswered: number): boolean {
  if ((call.outputs.at(-1)?.calls.length ?? 0) === 0) return false;
  if (within.some(({ end }) => end > lastAnswered)) return false;
  const requested = new Set(call.requests.map(({ id }) => id));
  if (within.every(({ callId }) => callId !== null && requested.has(callId))) return true;
  // Without ids of the requests, each tool needs a request with its name.
  const names = call.requests.flatMap(({ id, name }) =>
    id === null && name !== null ? [plainName(name)] : [],
  );
  return within.every(({ tool }) => {
    const at = tool === null ? -1 : names.indexOf(plainName(tool));
    return at >= 0 && names.splice(at, 1).length > 0;
  });
}

/** Whether a call covers the tools within its time. `lastStart`: start of the last call at the same place (`placesOf`). */
function isCovering(call: LlmCall, within: readonly SpanFacts[], lastStart: number): boolean {
  const wentOn = within.every((tool) => tool.end <= lastStart);
  // An output without text and requests is hidden, and shows no more than an absent output.
  const showsNoEnd = call.finish === null && call.text === null && call.node.dialects.adapters.length > 0;
  const isAround = within.every(({ parent }) => parent === call.node);
  const hasEnded = call.finish === "stop" || (call.finish === null && call.text !== null && isAround);
  if (!wentOn && (hasEnded || showsNoEnd) && call.requests.length === 0) return true;
  return call.inputs.some(({ results }) =>
    results.some(({ callId, name }) =>
      within.some((tool) => {
        if (callId !== null && tool.callId !== null) return callId === tool.callId;
        return name !== null && tool.tool !== null && plainName(name) === plainName(tool.tool);
      }),
    ),
  );
}

/**
 * Returns the run's last call; null without calls. Calls within guardrail, evaluation and memory spans count only if the run has no other
 * calls. A span that covers several calls may end after the call that began last. A sub-agent in the background may outlive the tool that
 * started it. Its call is not the last call if the calling agent made a call after the end of this tool.
 */
export function lastCallOf(evidence: Evidence, covering: ReadonlySet<LlmCall>): LlmCall | null {
  const { calls } = evidence;
  const isWatched = evidence.guardrailNodes.length + evidence.besideNodes.length > 0;
  const last =
    (isWatched ? calls.findLast(({ node }) => !isBesideAgent(node)) : undefined) ?? calls[calls.length - 1];
  if (last === undefined) return null;
  const tool = above(last.node, isTool);
  if (tool !== null && tool.end < last.end) {
    const after = calls.findLast(({ node, start }) => start >= tool.end && above(node, isTool) !== tool);
    if (after !== undefined) return after;
  }
  return calls.find((call) => call.end > last.end && (call.completions > 1 || covering.has(call))) ?? last;
}

/**
 * Returns the places of a call; calls with a common place are siblings. The first place is the call's parent. If the parent is neither an
 * agent nor a root, the second place is the parent's name below the grandparent. This covers calls that each have their own step, if the
 * steps have one name.
 */
function placesOf({ parent }: SpanFacts): readonly string[] {
  const place = parent?.span.spanId ?? "";
  if (parent === null || parent.role === "agent" || parent.parent === null) return [place];
  return [place, `${parent.parent.span.spanId} ${parent.span.name}`];
}
