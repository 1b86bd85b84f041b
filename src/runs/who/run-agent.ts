import { SpanKind } from "../../model/telemetry/span-view.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { above, isAgent, isTool } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { Steps } from "../ledger/steps.ts";
import {
  isAgentName,
  isGivenName,
  isNamedAsAgent,
  isOperation,
  nameInSpan,
  sameAgent,
} from "./agent-name.ts";
import { instructionsIn, rootName } from "./agents.ts";

/** Returns the service's name, which stands for the agent if no span names one; null for a default name. */
export function serviceAsAgent({ fragments: [{ service }] }: Evidence): string | null {
  return isDefaultService(service) ? null : service;
}

/**
 * Returns the name that the spans give the run's agent; null if there is none. The first name in this list that the telemetry contains
 * counts:
 * 1. an outer agent that handed over,
 * 2. the agent that called the tool around the first model call,
 * 3. the root span, if agents below it start together,
 * 4. the agent of the first model call; in a run without model calls, the agent of a span,
 * 5. the agent that a producer names,
 * 6. the root span,
 * 7. an application span whose name is in the system instructions,
 * 8. an application span whose name has the form of an agent's name,
 * 9. the only name in the outermost agent spans.
 */
export function agentOfRun(evidence: Evidence, { outerAgent, namedAgent }: Steps): string | null {
  if (outerAgent !== null) return outerAgent;
  const [first] = evidence.allCalls;
  const caller = first === undefined ? null : agentAround(first.node);
  if (caller !== null) return caller;
  if (first !== undefined && first.agent !== null) return aroundCalls(evidence, first) ?? first.agent;
  if (first === undefined) {
    const declared = evidence.agentNodes.find(
      ({ agentName, agent }) => agentName !== null && isGivenName(agent),
    );
    const found = declared ?? evidence.agentNodes.find(({ agentName }) => agentName !== null);
    if (found !== undefined) return around(evidence, found, evidence.agentNodes) ?? found.agentName;
  }
  return (
    namedAgent ??
    rootName(evidence.root) ??
    instructedName(evidence) ??
    applicationName(evidence) ??
    onlyName(evidence)
  );
}

/**
 * Returns the name of the root (`rootName`) if the agents in the root start together; otherwise null. Agents start together if another
 * agent began to work during the first step of the first agent. None of these agents received the user's query first.
 * @param first the span of the first agent's first call, or of the first agent
 * @param others the spans to compare with `first`: all calls, or all agents; an agent's name is `agentName`, or comes from `agentOf`
 */
function around(
  { root }: Evidence,
  first: SpanFacts,
  others: readonly SpanFacts[],
  agentOf: (node: SpanFacts) => string | null = ({ agentName }) => agentName,
): string | null {
  const own = agentOf(first);
  const isIn = (node: SpanFacts, outer: SpanFacts): boolean => above(node, (at) => at === outer) !== null;
  const isBeside = others.some((other) => {
    const name = agentOf(other);
    if (name === null || own === null || sameAgent(name, own) || other.start >= first.end) return false;
    return above(other, isTool) === null && isIn(other, root) && !isIn(other, first) && !isIn(first, other);
  });
  return isBeside && isIn(first, root) ? rootName(root) : null;
}

/** Returns the name of the root if the agents of the model calls in it start together; otherwise null. `node`: the span of the first call. */
function aroundCalls(evidence: Evidence, { node }: LlmCall): string | null {
  const { allCalls } = evidence;
  const agents = new Map(allCalls.map((call) => [call.node, call.agent]));
  return around(evidence, node, [...agents.keys()], (at) => agents.get(at) ?? null);
}

/**
 * Returns the name of the outermost agent spans, if they all have the same name; otherwise null. Some frameworks make their model calls
 * outside of the agent's span. An agent within a tool is a sub-agent.
 */
function onlyName({ agentNodes }: Evidence): string | null {
  const outermost = agentNodes.filter((node) => above(node, (at) => isAgent(at) || isTool(at)) === null);
  const [name = null, ...others] = new Set(outermost.map(({ agentName }) => agentName));
  return others.length === 0 ? name : null;
}

/**
 * Returns the agent that finished last, in a run with hand-offs and without model calls; null for any other run. An agent inside another
 * agent or a tool returns its result there, and does not count.
 */
export function lastAgentOf({ agentNodes, allCalls }: Evidence, { handoffs }: Steps): string | null {
  if (allCalls.length > 0 || handoffs.length === 0) return null;
  let last: SpanFacts | null = null;
  for (const node of agentNodes) {
    if (node.agentName === null || (last !== null && node.end <= last.end)) continue;
    const isInside = above(node, (at) => isTool(at) || (isAgent(at) && at.agentName !== null)) !== null;
    if (!isInside) last = node;
  }
  return last?.agentName ?? null;
}

/** Returns the agent that called the tool around a call; null for a call outside of tools. This agent came before the tool's own agent. */
function agentAround(call: SpanFacts): string | null {
  const tool = above(call, isTool);
  return tool === null ? null : (above(tool, isAgent)?.agentName ?? null);
}

/** Whether a service name is a default. SDKs write `unknown_service:python` if no service name is set. */
function isDefaultService(service: string | null): boolean {
  return service === null || /^unknown_service(?::|$)/.test(service);
}

/** System instructions of the first model call; null if there are none. */
export function instructionsOf({ calls: [first] }: Evidence): string | null {
  return first === undefined ? null : instructionsIn(first);
}

/** Number of characters at the beginning of the instructions in which a name is searched. */
const BEGINNING = 1000;
/** Maximum number of examined ancestors. */
const MOST_SPANS = 8;
const introduction = /\b(?:you are|you're|i am|your name is|named|called|act as)(?: an?| the)?[\s"'`*]+$/i;
/** Matches what may follow a name. If another word follows directly, as in `You are a chat assistant`, the word before it is not a name. */
const afterName = /^(?:$|["'`*.,;:!?)\n]|\s+(?:of|at|for|from|in|on|and|who|which|that)\b)/;

/**
 * Returns the name of an enclosing application span, if the instructions give the model this name: the span is then the agent's. Null if
 * there is none.
 */
function instructedName(evidence: Evidence): string | null {
  const instructions = instructionsOf(evidence)?.slice(0, BEGINNING) ?? null;
  if (instructions === null) return null;
  let at: SpanFacts | null = evidence.root;
  for (let hops = 0; at !== null && hops < MOST_SPANS; hops++, at = at.parent) {
    const { name } = at.span;
    // Spans with the role `call` are tried, too: a client may have written its call's attributes onto the application's span.
    const isPossibleAgent = at.role === "unknown" || at.role === "call";
    if (isPossibleAgent && isAgentName(name) && !isOperation(name) && introduces(instructions, name))
      return name;
  }
  return null;
}

/**
 * Returns the name of an application span around the run's calls; null if there is none. Used if no other source names an agent, and only
 * for a name in the form of an agent's name. Developers often name the application's span after their agent.
 */
function applicationName({ root }: Evidence): string | null {
  let at: SpanFacts | null = root;
  for (let hops = 0; at !== null && hops < MOST_SPANS; hops++, at = at.parent) {
    const { role, span, dialects } = at;
    if (role !== "unknown" || dialects.adapters.length > 0 || span.kind > SpanKind.internal) continue;
    // For example `Agent: 'keeper' generate`.
    const named = nameInSpan(span.name);
    if (named !== span.name && /^agent\b/i.test(span.name) && isAgentName(named)) return named;
    if (/^[A-Z]/.test(span.name) && isNamedAsAgent(span.name) && isAgentName(span.name)) return span.name;
  }
  return null;
}

function introduces(instructions: string, name: string): boolean {
  for (let at = instructions.indexOf(name); at >= 0; at = instructions.indexOf(name, at + 1))
    if (afterName.test(instructions.slice(at + name.length)) && introduction.test(instructions.slice(0, at)))
      return true;
  return false;
}
