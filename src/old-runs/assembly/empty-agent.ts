import { plainName } from "../messages/pick.ts";
import { isNamedAgent } from "../span/agent-name.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import { isDeclaredAgent } from "./agent-scopes.ts";
import type { Evidence } from "./evidence.ts";

/**
 * An agent's span that ran neither agents nor tools and has no call within its time, where other agents of the same producer have calls within their
 * spans; it lasted as if it had one. Steps of an agent that has calls may carry its name, and are no agents.
 */
export function emptyAgent({ agentNodes, toolNodes, allCalls, failedCalls }: Evidence): SpanNode | undefined {
  const agents = agentNodes.filter((node) => isNamedAgent(node) && isDeclaredAgent(node));
  if (agents.length < 2 || failedCalls.length > 0) return undefined;
  const owners = new Nearest((node) => (node.role === "agent" ? node : undefined));
  const shortestMs = new Map<string, number>();
  const holding = new Set<SpanNode>();
  for (const { node } of allCalls)
    for (let at = owners.of(node.parent); at !== undefined; at = owners.of(at.parent)) holding.add(at);
  for (const { node } of allCalls) {
    const agent = owners.of(node.parent);
    if (agent === undefined) continue;
    const scope = agent.span.scopeName;
    shortestMs.set(scope, Math.min(shortestMs.get(scope) ?? Infinity, agent.end - agent.start));
  }
  const atWork = new Set([...holding].map(({ agentName }) => plainName(agentName ?? "")));
  // An agent that runs the tools that another asked for needs no call.
  const inner = new Set([...agentNodes, ...toolNodes].map(({ parent }) => owners.of(parent)));
  return agents.find((agent) => {
    const { start, end, span, failure } = agent;
    if (holding.has(agent) || inner.has(agent) || failure !== null) return false;
    if (atWork.has(plainName(agent.agentName ?? ""))) return false;
    if (end - start < (shortestMs.get(span.scopeName) ?? Infinity) / 4) return false;
    return !allCalls.some((call) => call.start >= start && call.end <= end);
  });
}
