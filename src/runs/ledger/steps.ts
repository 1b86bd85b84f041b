import type { LlmCall } from "../calls/llm-call.ts";
import { above } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { plainName } from "../notations/names.ts";
import { hasAgentName, isAgentName, isGivenName, sameAgent, workflowName } from "../who/agent-name.ts";
import { Attribution, attributeCalls, attributeUses, namedWithin } from "../who/agents.ts";
import { Delegations, type FoundHandoff, handoffsOf } from "../who/handoffs.ts";
import { subAgentCalls } from "../who/asked-sub-agent.ts";
import { calledIn, isFinalAnswer, isTransfer, targetOf } from "../who/handoff-target.ts";
import { toolExecutions } from "./executions.ts";
import { answerInOrder, matchUses } from "./match-uses.ts";
import { markOutputs } from "./output-tools.ts";
import { collectRequests } from "./requests.ts";
import type { ToolUse } from "./tool-use.ts";

/** Steps of a run in order, with their agents. */
export interface Steps {
  /** All tool uses, including hand-offs and output tools. */
  readonly uses: readonly ToolUse[];
  readonly handoffs: readonly FoundHandoff[];
  /** The agent that made no model call, and handed over to the agent of the first call; null if there is none. */
  readonly outerAgent: string | null;
  /** The agent that an attribute names, if the outermost span itself has only a span name; null if there is none. */
  readonly namedAgent: string | null;
  /** Whether a model call has no span, and only a later history shows its requests. */
  readonly isCallLost: boolean;
  /** The run's last call; null without calls. */
  readonly last: LlmCall | null;
}

/** Reads the steps of a run, and sets the agent of each call and tool use. */
export function readSteps(evidence: Evidence, last: LlmCall | null): Steps {
  const { allCalls: calls, unendedCall } = evidence;
  // The input of a call without an end shows the results of the tools before it.
  const isApart = unendedCall !== null && !calls.includes(unendedCall);
  const { uses: asked, isCallLost, unnamed } = collectRequests(isApart ? [...calls, unendedCall] : calls);
  const uses = matchUses(asked, toolExecutions(evidence.toolNodes), calls);
  if (unnamed !== null) answerInOrder(uses, unnamed);
  markOutputs(evidence, uses, last);
  const agents = new KnownAgents(evidence, uses);
  for (const use of uses) setTarget(use, agents, evidence);
  const namedAgent = namedWithin(evidence);
  const who = new Attribution(evidence, uses, namedAgent === null ? null : evidence.root);
  attributeCalls(evidence, uses, who);
  attributeUses(evidence, uses, who);
  const delegations = new Delegations(evidence);
  const handoffs = handoffsOf(evidence, uses, delegations);
  const [first] = calls;
  const outerAgent = first === undefined ? null : (delegations.outermost(first.node)?.agentName ?? null);
  return { uses, handoffs, outerAgent, namedAgent, isCallLost, last };
}

/** Sets whether a tool use is a hand-off, a return of control, or an output tool. */
function setTarget(use: ToolUse, agents: KnownAgents, evidence: Evidence): void {
  const { name } = use;
  const target =
    name === null || isFinalAnswer(name)
      ? undefined
      : targetOf(name, use.arguments, (one) =>
          one === name ? agents.handedTo(use, one) : agents.spelling(one),
        );
  if (target === "back" || (target === undefined && use.output !== null)) {
    use.isControl = true;
    return;
  }
  use.output = null;
  if (target !== undefined && agents.neverStarted(use, target.to)) return;
  use.target =
    target?.to ??
    statedTarget(use) ??
    agents.within(use) ??
    ranAgent(use, evidence) ??
    agentAfter(use, evidence);
}

/**
 * Returns the target of a hand-off tool whose arguments name the target, but were not recorded. The target is the agent that starts next
 * after the tool; null if that is the tool's own agent.
 */
function agentAfter(use: ToolUse, { agentNodes }: Evidence): string | null {
  const { name, executions } = use;
  const last = executions[executions.length - 1];
  if (name === null || !isTransfer(name) || use.arguments !== undefined || last === undefined) return null;
  const own = above(last.node, hasAgentName)?.agentName ?? null;
  const next = agentNodes.find(({ start, agentName }) => start >= last.end && agentName !== null)?.agentName;
  return next == null || own === null || sameAgent(own, next) ? null : next;
}

/**
 * Returns the agent X of a tool named `ask_X`, if no span names the agent; null if the tool only calls a model. There are two signs of an
 * agent. A model call that began with the tool's argument requested a tool. Or a model call below the tool's span requested a tool that
 * also ran there.
 */
function ranAgent(use: ToolUse, { toolNodes, allCalls }: Evidence): string | null {
  const { name, executions } = use;
  const agent = calledIn(name);
  if (agent === "") return null;
  if (subAgentCalls(use, allCalls).some(({ requests }) => requests.length > 0)) return agent;
  if (!executions.some(({ node }) => node.children.length > 0)) return null;
  const isWithin = (inner: SpanFacts): boolean =>
    above(inner, (outer) => executions.some(({ nodes }) => nodes.includes(outer))) !== null;
  const hasTools = toolNodes.some((node) => isWithin(node));
  const asked = ({ requests, finish }: LlmCall): boolean => requests.length > 0 || finish === "tool_call";
  return hasTools && allCalls.some((call) => asked(call) && isWithin(call.node)) ? agent : null;
}

/** Returns the hand-off target in an attribute of the tool's span; null if there is none. */
function statedTarget({ executions }: ToolUse): string | null {
  for (const { nodes } of executions)
    for (const node of nodes) {
      const to = node.textAt(F.handoffTo);
      if (isGivenName(to)) return to;
    }
  return null;
}

function hasSucceeded({ executions }: ToolUse): boolean {
  return executions.some(({ error }) => error === null);
}

/** Whether a span in the tool's span shows that an agent began to work there. */
function hasWorkInside({ executions }: ToolUse): boolean {
  const working: readonly string[] = ["call", "agent", "workflow", "step"];
  return executions.some(({ nodes }) =>
    nodes.some(({ children }) => children.some(({ role }) => working.includes(role))),
  );
}

/** The agents of a run, from the spans of agents and hand-offs, with the spelling of their names. */
class KnownAgents {
  readonly #spellings = new Map<string, string>();
  readonly #nodes: readonly SpanFacts[];
  readonly #uses: readonly ToolUse[];
  #started: ReadonlySet<string> | undefined;
  #succeeded: ReadonlySet<string | null> | undefined;

  constructor({ nodes }: Evidence, uses: readonly ToolUse[]) {
    this.#nodes = nodes;
    this.#uses = uses;
    for (const node of nodes) {
      const { role } = node;
      let name: string | null = null;
      if (role === "agent") name = node.agentName;
      else if (role === "handoff" || role === "tool") name = node.textAt(F.handoffTo);
      const isName = role === "agent" ? name !== null : isGivenName(name);
      if (name !== null && isName && !this.#spellings.has(plainName(name)))
        this.#spellings.set(plainName(name), name);
    }
  }

  /**
   * Whether a hand-off tool failed without work inside it, and the agent that it names has no span, or another call of the tool succeeded.
   * Such a use handed over to no agent.
   */
  neverStarted(use: ToolUse, agent: string): boolean {
    if (use.executions.length === 0 || hasSucceeded(use) || hasWorkInside(use)) return false;
    this.#started ??= new Set(this.#nodes.map(({ agentName }) => plainName(agentName ?? "")));
    if (!this.#started.has(plainName(agent))) return true;
    this.#succeeded ??= new Set(this.#uses.filter(hasSucceeded).map(({ name }) => name));
    return this.#succeeded.has(use.name);
  }

  /** Returns an agent's name as the spans of agents and hand-offs spell it; undefined for an unknown agent. */
  spelling(name: string): string | undefined {
    return name === "" || this.#spellings.size === 0 ? undefined : this.#spellings.get(plainName(name));
  }

  /**
   * Returns the agent after which a tool is named, as the target of a hand-off; undefined if there is none. Also undefined if this agent
   * itself called the tool, unless another agent of the same name ran within the tool's span.
   */
  handedTo(use: ToolUse, name: string): string | undefined {
    const spelt = this.spelling(name);
    const node = use.executions[0]?.node;
    if (spelt === undefined || node === undefined) return spelt;
    const own = above(node, hasAgentName)?.agentName ?? null;
    if (own === null || !sameAgent(own, spelt)) return spelt;
    const inner = this.within(use);
    return inner !== null && sameAgent(inner, spelt) ? spelt : undefined;
  }

  /**
   * Returns the agent that ran inside the tool's span; null if there is none. An inner span with the caller's agent name does not count,
   * because some instrumentations write that name on every span.
   */
  within({ executions }: ToolUse): string | null {
    for (const { nodes } of executions)
      for (const node of nodes) {
        const inner = firstIn(node);
        if (inner !== null && !isAround(node, inner)) return inner;
      }
    return null;
  }
}

function isAround(node: SpanFacts, name: string): boolean {
  const isNamed = (at: SpanFacts): boolean => {
    const outer = at.role === "agent" ? at.agentName : workflowName(at);
    return outer !== null && sameAgent(outer, name);
  };
  return above(node, isNamed) !== null;
}

function firstIn(node: SpanFacts): string | null {
  if (node.children.length === 0) return null;
  const queue = [...node.children];
  for (const one of queue) {
    if (one.parent === node && isGraph(one)) return one.span.name;
    const name = one.role === "agent" ? one.agentName : (workflowName(one) ?? callingAgent(one, node));
    if (name !== null) return name;
    if (one.role !== "tool") for (const child of one.children) queue.push(child);
  }
  return null;
}

/** Returns the agent of a model call within a tool, if the tool's span names another agent, which is its caller; otherwise null. */
function callingAgent({ role, agent }: SpanFacts, tool: SpanFacts): string | null {
  if (role !== "call" || !isGivenName(agent) || !isGivenName(tool.agent)) return null;
  return sameAgent(agent, tool.agent) ? null : agent;
}

/** Whether the span is a named LangGraph graph. A tool that contains such a span runs the graph as an agent. */
function isGraph({ role, span, children }: SpanFacts): boolean {
  if (role === "tool" || !isAgentName(span.name)) return false;
  return children.some((child) => child.span.name === "__start__");
}
