import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { Usage } from "../../model/run.ts";
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
  /** No call is there although an agent worked. */
  | "none"
  /** No call was made. */
  | "zero";

export function coverageOf(evidence: Evidence, steps: Steps, hasAnswer: boolean): Coverage {
  const { calls } = evidence;
  if (calls.length === 0) return isWithoutCall(evidence, hasAnswer) ? "zero" : "none";
  if (calls.some((call) => call.completions === 1 && coversSeveral(call, evidence))) return "covered";
  return isUnclosed(evidence, steps, hasAnswer) ? "unclosed" : "all";
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

/** The last call asked for tools, they ran, and yet there is an answer. */
function isUnclosed(evidence: Evidence, steps: Steps, hasAnswer: boolean): boolean {
  const last = evidence.calls[evidence.calls.length - 1];
  if (last === undefined || last.text !== undefined || last.requests.length === 0) return false;
  if (evidence.failedCalls.some((call) => call.start > last.start) || !hasAnswer) return false;
  const place = evidence.allCalls.indexOf(last);
  const asked = steps.steps.filter(({ use }) => use.asked?.call === place);
  return (
    asked.length > 0 &&
    asked.every(({ use, aside, target }) => !aside && target === undefined && use.spans.length > 0)
  );
}

/** The run's tokens: the calls' sum where all are there, else what the agents' own spans add up to. */
export function runUsage(evidence: Evidence, coverage: Coverage): Usage {
  if (coverage === "all") return sumUsage(evidence.calls.map(({ usage }) => usage));
  if (coverage === "zero") return { input: 0, output: 0, cached: null, cacheWrite: null, reasoning: null };
  if (coverage === "unclosed") return unknownUsage;
  const agents = evidence.agentNodes;
  const usages = (coverage === "none" ? outermost(agents) : withCalls(agents, evidence)).map(nodeUsage);
  return usages.length === 0 || usages.some(({ input }) => input === null) ? unknownUsage : sumUsage(usages);
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
