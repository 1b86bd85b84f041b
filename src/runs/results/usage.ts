import type { Usage } from "../../model/run.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { TranscriptCall } from "../calls/transcript.ts";
import { countsOf, inclusiveUsage, sumUsage, unknownUsage } from "../calls/tokens.ts";
import { above, isAgent } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { plainName } from "../notations/names.ts";

/** Completeness of the recorded calls. */
export type Coverage =
  | "all"
  /** One span stands for several calls. */
  | "covered"
  /** One span stands for several calls, and its history shows how many. */
  | "counted"
  /** A call is missing. */
  | "lost"
  /** No call is recorded, although an agent worked. */
  | "none"
  /** No call was made. */
  | "zero";

/** Whether the absence of calls means that none was made: no work, and no sign of a model call. */
export function isWithoutCall(evidence: Evidence, hasAnswer: boolean, failure: string | null): boolean {
  // Each call in the data failed: none was answered.
  const isRefused =
    evidence.failedCalls.length > 0 && evidence.failedCalls.length === evidence.allCalls.length;
  if (isRefused && !hasAnswer && evidence.toolNodes.length === 0) return true;
  const worked = evidence.nodes.some(
    (node) =>
      node.role === "tool" ||
      node.role === "call" ||
      (node.role === "agent" && (node.inputTokens !== null || node.hasField(F.usage))),
  );
  if (worked || hasAnswer || (failure !== null && modelFailure.test(failure))) return false;
  if (failure !== null || evidence.guardrailNodes.length > 0) return true;
  // An agent that names its model, or was asked something and did not fail, asked its model, whether the data show it or not.
  return !evidence.agentNodes.some((agent) => agent.requestModel !== null || isAsked(agent));
}

function isAsked(agent: SpanFacts): boolean {
  return (
    agent.hasField(F.input) ||
    agent.hasField(F.inputMessages) ||
    agent.dialects.derive?.[F.input] !== undefined
  );
}

/** Refusal texts of model servers. They prove that a call was made. */
const modelFailure = /error code: \d|status code|context length|rate limit|api ?error|quota|overloaded/i;

/**
 * Whether one span covers several model calls: tools ran within its time, and its history has their results, or it ended without requests.
 * The number of calls is unknown.
 */
export function coversSeveral(call: LlmCall, { toolNodes, calls }: Evidence): boolean {
  const { node, start, end } = call;
  if (!call.isTimed || call.isNested || call.completions > 1) return false;
  // The clocks of two processes can show a tool that ran before a call within it.
  const before = calls.filter((other) => other !== call && other.end <= start);
  const askedBefore = new Set(before.flatMap(({ requests }) => requests.map(({ id }) => id)));
  const within = toolNodes.filter(
    (tool) =>
      tool.start >= start &&
      tool.end <= end &&
      (tool.callId === null || !askedBefore.has(tool.callId)) &&
      (tool.parent === node || (tool.parent === node.parent && node.parent !== null)),
  );
  if (within.length === 0) return false;
  let lastStart = -Infinity;
  for (const other of calls) if (isBeside(other.node, node)) lastStart = Math.max(lastStart, other.start);
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

/** Children of one span, or each the child of a separate step; the steps share a name and a parent. */
function isBeside({ parent: one }: SpanFacts, { parent: other }: SpanFacts): boolean {
  if (one === other) return true;
  if (one === null || other === null || one.role === "agent" || other.role === "agent") return false;
  return one.parent === other.parent && one.parent !== null && one.span.name === other.span.name;
}

/** Tokens of the run: the sum of calls if all are recorded, otherwise the sums of agent spans. */
export function runUsage(evidence: Evidence, coverage: Coverage): Usage {
  if (coverage === "all")
    return sumUsage(evidence.calls.flatMap(({ usage, isCountedLater }) => (isCountedLater ? [] : [usage])));
  if (coverage === "zero") return { input: 0, output: 0, cached: null, cacheWrite: null, reasoning: null };
  const agents = evidence.agentNodes;
  if (coverage === "lost") return usageBesides(evidence);
  const counting = coverage === "none" ? outermost(agents) : withCalls(agents, evidence.calls);
  if (coverage === "none" && counting.some(showsOneCall)) return unknownUsage;
  const usages = counting.map(spanUsage);
  return usages.length === 0 || usages.some(({ input }) => input === null) ? unknownUsage : sumUsage(usages);
}

/** The tokens that an agent's own span adds up to. */
export function spanUsage(node: SpanFacts): Usage {
  return inclusiveUsage(countsOf(node), node);
}

/**
 * The client wrote each call's attributes onto the agent span, so its counts are those of one call. If an adapter declares the span as an
 * agent, a finish reason may be the agent's.
 */
function showsOneCall(agent: SpanFacts): boolean {
  return agent.responseId !== null || (agent.dialects.adapters.length === 0 && agent.hasField(F.finish));
}

/**
 * If a call is missing: the sums of agent spans, if they cover all calls and exceed the recorded ones. A sum with fewer output tokens than
 * the recorded calls counts only the last call.
 */
function usageBesides(evidence: Evidence): Usage {
  const agents = outermost(evidence.agentNodes);
  if (agents.length === 0) return unknownUsage;
  const isWithin = ({ node }: LlmCall): boolean => above(node, (at) => agents.includes(at)) !== null;
  if (!evidence.calls.every(isWithin)) return unknownUsage;
  const sum = sumUsage(agents.map(spanUsage));
  const shown = sumUsage(evidence.calls.map(({ usage }) => usage));
  const exceeds = (sum.input ?? 0) > (shown.input ?? 0) && (sum.output ?? Infinity) >= (shown.output ?? 0);
  return exceeds ? sum : unknownUsage;
}

/** Agents with their own calls, not only those of nested agents. */
function withCalls(agents: readonly SpanFacts[], calls: readonly LlmCall[]): SpanFacts[] {
  const calling = new Set(calls.map(({ node }) => above(node, isAgent)));
  return agents.filter((agent) => calling.has(agent));
}

/** Spans with counts that are not nested in another one with counts. */
function outermost(agents: readonly SpanFacts[]): SpanFacts[] {
  const counts = (node: SpanFacts): boolean => node.role === "agent" && countsOf(node).input !== undefined;
  return agents.filter((node) => counts(node) && above(node, counts) === null);
}

/** Number of completed model calls; null if the telemetry may lack some. A message of a transcript counts as one call only if it has usage. */
export function callCount(calls: readonly LlmCall[], coverage: Coverage): number | null {
  if (coverage === "zero") return 0;
  if (coverage !== "all" && coverage !== "counted") return null;
  let count = 0;
  for (const call of calls) {
    if (call instanceof TranscriptCall && call.counts.input === undefined) return null;
    count += call.completions;
  }
  return count;
}
