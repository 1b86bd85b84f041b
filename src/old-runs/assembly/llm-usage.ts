import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { AgentRun, Usage } from "../../model/run.ts";
import { countsMore, inputsWithin, type Loss, lossOf } from "./lost-calls.ts";
import { coversSeveral } from "./covering.ts";
import type { Evidence } from "./evidence.ts";
import { failureOf } from "./status.ts";
import type { Steps } from "./steps.ts";
import { nodeUsage, sumUsage, unknownUsage } from "../fragments/tokens.ts";

/** How far the calls in the data are the calls that were made. */
export type Coverage =
  | "all"
  /** One span stands for several calls. */
  | "covered"
  /** The call that gave the answer is not there. */
  | "unclosed"
  /** A call is not there: a later one's history shows what it asked for. */
  | "lost"
  /** A call is not there, as something else shows. */
  | Loss
  /** No call is there although an agent worked. */
  | "none"
  /** No call was made. */
  | "zero";

export function coverageOf(
  evidence: Evidence,
  steps: Steps,
  { query, answer }: Pick<AgentRun, "query" | "answer">,
  isUnanswered: boolean,
): Coverage {
  const { calls } = evidence;
  if (calls.length === 0) return isWithoutCall(evidence, answer !== null) ? "zero" : "none";
  if (calls.some((call) => call.completions === 1 && coversSeveral(call, evidence))) return "covered";
  if (steps.isCallLost) return "lost";
  if (isUnanswered) return "unclosed";
  return lossOf(evidence, { steps: steps.steps, agentOfCall: steps.agentOfCall, query, answer }) ?? "all";
}

/** Nothing was done, and nothing says that a model was asked: an agent that names its model and ended well asked it. */
function isWithoutCall(evidence: Evidence, hasAnswer: boolean): boolean {
  const failure = failureOf(evidence);
  if (worked(evidence) || hasAnswer || isModelFailure(failure)) return false;
  const stopped = failure !== undefined || evidence.guardrailNodes.length > 0;
  return stopped || !evidence.agentNodes.some((node) => node.has("requestModel"));
}

/** Words by which model servers refuse: a call was made, whether the data show it or not. */
function isModelFailure(failure: string | undefined): boolean {
  return (
    failure !== undefined &&
    /error code: \d|status code|context length|rate limit|api ?error|quota|overloaded/i.test(failure)
  );
}

/** Something ran or was counted. */
function worked(evidence: Evidence): boolean {
  return evidence.nodes.some(
    (node) =>
      node.role === "tool" ||
      node.role === "call" ||
      (node.role === "agent" && node.counts.input !== undefined),
  );
}

/** The run's tokens: the calls' sum where all are there, else what the agents' own spans add up to. */
export function runUsage(evidence: Evidence, coverage: Coverage, query: string | null): Usage {
  if (coverage === "all") return sumUsage(evidence.calls.map(({ usage }) => usage));
  if (coverage === "zero") return { input: 0, output: 0, cached: null, cacheWrite: null, reasoning: null };
  const agents = evidence.agentNodes;
  if (coverage !== "none" && coverage !== "covered") return usageBesides(evidence, query);
  const counting = coverage === "none" ? outermost(agents) : withCalls(agents, evidence);
  if (coverage === "none" && counting.some(showsOneCall)) return unknownUsage;
  const usages = counting.map(nodeUsage);
  return usages.length === 0 || usages.some(({ input }) => input === null) ? unknownUsage : sumUsage(usages);
}

/**
 * The client wrote a call's attributes onto the agent's span, each call over those of the one before: the counts are one call's. Where an
 * adapter says that the span is an agent's, a finish reason may be that of the agent's work.
 */
function showsOneCall(agent: SpanNode): boolean {
  const isInferred = agent.reading.dialects.adapters.length === 0;
  return agent.has("responseId") || (isInferred && agent.has("finish"));
}

/** Where a call is lost: what the agents' own spans count, if they count more than the calls that are there and hold all of them. */
function usageBesides(evidence: Evidence, query: string | null): Usage {
  if (!countsMore(evidence, query)) return unknownUsage;
  const agents = outermost(evidence.agentNodes);
  const within = new Nearest((node) => (agents.includes(node) ? true : undefined));
  const holdAll = evidence.calls.every(({ node }) => within.of(node) === true);
  if (!holdAll) return unknownUsage;
  // One that counts fewer tokens than the calls within it leaves out those of agents that its tools run.
  const sums = inputsWithin(evidence);
  const areWhole = agents.every((agent) => (nodeUsage(agent).input ?? 0) >= (sums.get(agent) ?? 0));
  return areWhole ? sumUsage(agents.map(nodeUsage)) : unknownUsage;
}

/** Those that a call was made by, not by an agent within. */
function withCalls(agents: readonly SpanNode[], { calls }: Evidence): SpanNode[] {
  const nearest = new Nearest((node) => (node.role === "agent" ? node : undefined));
  const calling = new Set(calls.map(({ node }) => nearest.of(node.parent)));
  return agents.filter((agent) => calling.has(agent));
}

/** Those that count, and lie within none that does. */
function outermost(agents: readonly SpanNode[]): SpanNode[] {
  const counting = new Nearest(({ counts }) => (counts.input === undefined ? undefined : true));
  return agents.filter((node) => node.counts.input !== undefined && counting.of(node.parent) === undefined);
}
