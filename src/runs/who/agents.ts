import type { LlmCall } from "../calls/llm-call.ts";
import { TranscriptCall } from "../calls/transcript.ts";
import { NearestValue, above, isTool, under } from "../calls/tree.ts";
import { isObject, type JsonObject } from "../../model/json.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { ToolUse } from "../ledger/tool-use.ts";
import { argumentsOf } from "../notations/arguments.ts";
import { plainName } from "../notations/names.ts";
import { textOfInstructions } from "../results/exchange-parts.ts";
import { ruleIsOn } from "../rules.ts";
import type { Evidence } from "../evidence.ts";
import {
  isAgentName,
  isGivenName,
  isNamedAgent,
  isNamedAsAction,
  isNamedAsAgent,
  isOperation,
  nameInSpan,
  workflowName,
} from "./agent-name.ts";
import { subAgentCalls } from "./asked-sub-agent.ts";
import { isDelegation, targetOf } from "./handoff-target.ts";

/** Finds the agent of each span of a run. */
export class Attribution {
  /** Whether any agent span has a name. */
  readonly hasAgents: boolean;
  /** Target agent of each hand-off tool span. */
  readonly #targets: ReadonlyMap<SpanFacts, string>;
  /** Whether the producer nests no spans in tools: no hand-off tool span contains an agent, a call or another tool. */
  readonly #isFlat: boolean;
  /** Hand-off targets by normalised name (`plainName`). */
  readonly #named: ReadonlyMap<string, string>;
  readonly #chains: ReadonlyMap<SpanFacts, string>;
  readonly #wrapper: SpanFacts | null;
  readonly #nearestName = new NearestValue((at) => this.#targets.get(at) ?? this.#nameAt(at, false));
  readonly #nearestGraphNode = new NearestValue((at) => at.textAt(F.graphNode));

  /** `wrapper`: a span around the agent whose name is not an agent name; null if there is none. */
  constructor(evidence: Evidence, uses: readonly ToolUse[], wrapper: SpanFacts | null) {
    const targets = new Map<SpanFacts, string>();
    const named = new Map<string, string>();
    for (const { target, executions } of uses) {
      if (target === null) continue;
      named.set(plainName(target), target);
      for (const { nodes } of executions) for (const node of nodes) targets.set(node, target);
    }
    this.#targets = targets;
    this.#isFlat = [...targets.keys()].every((tool) => {
      const [, ...within] = under(tool);
      return within.every((one) => targets.has(one) || !isWork(one));
    });
    this.#named = named;
    this.#wrapper = wrapper;
    this.hasAgents = evidence.agentNodes.some(({ agentName }) => agentName !== null);
    this.#chains =
      this.hasAgents || named.size === 0 || !ruleIsOn("agent-chains")
        ? new Map()
        : agentChains(evidence.nodes, named);
  }

  /**
   * Returns the agent of a span: from the span's metadata, otherwise from the nearest ancestor that is an agent or a hand-off; null if
   * unknown.
   */
  agentOf(node: SpanFacts): string | null {
    const named = this.#nameOf(node);
    const tool = named === null || this.#targets.size === 0 ? null : this.inside(node);
    // LangChain copies a tool's metadata to the agent that the tool runs. The agent name in the copy is that of the calling agent.
    return tool !== null && this.#nameOf(tool) === named ? (this.#targets.get(tool) ?? null) : named;
  }

  /** Whether calls were made within the tool's span, so that the calling agent continues after the tool. */
  hasReturned({ executions }: ToolUse, calls: readonly LlmCall[]): boolean {
    if (executions.length === 0 || this.#targets.size === 0) return false;
    return calls.some((call) => {
      const inside = this.inside(call.node) ?? this.during(call);
      return inside !== null && executions.some(({ nodes }) => nodes.includes(inside));
    });
  }

  /** Returns the hand-off tool during whose time a call was made; null if there is none, or if the producer nests spans in tools. */
  during({ node, start, end }: LlmCall): SpanFacts | null {
    if (!this.#isFlat) return null;
    for (const tool of this.#targets.keys())
      if (tool.parent === node.parent && tool.start <= start && tool.end >= end) return tool;
    return null;
  }

  targetOf(tool: SpanFacts | null): string | null {
    return tool === null ? null : (this.#targets.get(tool) ?? null);
  }

  /**
   * Returns the hand-off tool around a span; null if there is none. The span then belongs to the tool's target, and the calling agent
   * continues after the tool.
   */
  inside(node: SpanFacts): SpanFacts | null {
    return this.#targets.size === 0 ? null : above(node, (at) => this.#targets.has(at));
  }

  #nameOf(node: SpanFacts): string | null {
    const own = agentInMetadata(node) ?? this.#graphNode(node) ?? this.#nameAt(node, true);
    return own ?? agentAroundCall(node) ?? this.#nearestName.of(node.parent);
  }

  /** Returns the hand-off target that has the name of the nearest graph node; null if there is none. */
  #graphNode(node: SpanFacts): string | null {
    if (this.#named.size === 0) return null;
    const name = this.#nearestGraphNode.of(node);
    return name === null ? null : (this.#named.get(plainName(name)) ?? null);
  }

  /**
   * Returns the agent name at a span; null if there is none. `isOwn`: whether `at` is the span whose agent is wanted; otherwise `at` is an
   * ancestor.
   */
  #nameAt(at: SpanFacts, isOwn: boolean): string | null {
    if (at === this.#wrapper) return null;
    if (at.role === "agent") return at.agentName;
    const chain = this.#chains.get(at);
    if (chain !== undefined) return chain;
    // Attributes of an ancestor may describe other agents, so only workflows and steps count.
    if (!isOwn && at.role !== "workflow" && at.role !== "step") return null;
    return isGivenName(at.agent) ? at.agent : null;
  }
}

/**
 * Finds functions that are named after the agents that they run, in a run without agent spans: functions with a hand-off target's name, and
 * their siblings.
 */
function agentChains(
  nodes: readonly SpanFacts[],
  named: ReadonlyMap<string, string>,
): Map<SpanFacts, string> {
  const chains = new Map<SpanFacts, string>();
  const parents = new Set<SpanFacts | null>();
  for (const node of nodes)
    if (isChain(node) && named.has(plainName(node.span.name))) parents.add(node.parent);
  for (const node of nodes)
    if (parents.has(node.parent) && isChain(node) && isAgentName(node.span.name))
      chains.set(node, node.span.name);
  return chains;
}

/** Returns the agent in the metadata of the calls that enclose a client's call; null if there is none. */
function agentAroundCall(call: SpanFacts): string | null {
  for (let at = call.parent; at?.role === "call"; at = at.parent) {
    const agent = agentInMetadata(at);
    if (agent !== null) return agent;
  }
  return null;
}

function isWork({ role }: SpanFacts): boolean {
  return role === "agent" || role === "call" || role === "tool";
}

function isChain({ role, children }: SpanFacts): boolean {
  return (role === "step" || role === "workflow" || role === "unknown") && children.length > 0;
}

/**
 * Returns the agent in LangGraph's metadata: the graph around the current node; null if there is none. A checkpoint namespace lists the
 * nodes, outermost first: `graph:task|node:task`. The last of them is the current node, which is not an agent.
 */
function agentInMetadata(node: SpanFacts): string | null {
  const metadata = node.valueAt(F.metadata);
  const object = isObject(metadata) ? metadata : null;
  if (object !== null)
    for (const name of ["lc_agent_name", "agent_name", "agent"]) {
      const agent = textIn(object, name);
      if (isAgentName(agent)) return agent;
    }
  return graphLevels(node).slice(0, -1).findLast(isAgentName) ?? null;
}

/** Returns the names of the LangGraph nodes around a span, outermost first, with the span's own node last; empty outside of a graph. */
function graphLevels(node: SpanFacts): readonly string[] {
  const metadata = node.valueAt(F.metadata);
  const object = isObject(metadata) ? metadata : null;
  const path =
    node.textAt(F.graphPath) ??
    (object === null ? null : (textIn(object, "langgraph_checkpoint_ns") ?? textIn(object, "checkpoint_ns")));
  return path === null ? [] : path.split("|").map((level) => level.split(":")[0] ?? "");
}

/** Whether a node of the outer LangGraph graph made the call, and the previous call's agent runs inside another node of this graph. */
function isOfGraph({ node }: LlmCall, before: LlmCall | undefined): boolean {
  const own = graphLevels(node);
  const other = before === undefined ? [] : graphLevels(before.node);
  return own.length === 1 && other.length > 1 && own[0] !== other[0];
}

function textIn(object: JsonObject, name: string): string | null {
  const value = object[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * Sets the agent of each call, from the spans. If nothing names a call's agent, the agent of the previous call continues, or the target of
 * its hand-off begins.
 */
export function attributeCalls(
  { allCalls, root }: Evidence,
  uses: readonly ToolUse[],
  who: Attribution,
): void {
  const handedAfter = new Map<number, string>();
  const subAgents = new Map<LlmCall, string>();
  for (const use of uses) {
    const { name, target, call, usedBy } = use;
    if (target === null || call === null || who.hasReturned(use, allCalls)) continue;
    const delegated = subAgentCalls(use, allCalls);
    for (const one of delegated) subAgents.set(one, target);
    if (delegated.length > 0) continue;
    // The called agent has no calls in the data, and the next call received its answer, so the next call is the calling agent's.
    const isAnswered = usedBy === call + 1 && name !== null && isDelegation(name);
    if (!isAnswered) handedAfter.set(call, target);
  }
  let current: string | null = null;
  for (const [index, call] of allCalls.entries()) {
    const during = who.during(call);
    const explicit =
      delegateOf(call) ?? who.agentOf(call.node) ?? agentOnMessage(call) ?? who.targetOf(during);
    const chain = who.hasAgents ? null : workflowAround(call.node);
    const subAgent = subAgents.get(call);
    const named = explicit ?? subAgent ?? handedAfter.get(index - 1) ?? null;
    const graph = named === null && isOfGraph(call, allCalls[index - 1]) ? rootName(root) : null;
    const agent: string | null = named ?? graph ?? current ?? chain;
    if (who.inside(call.node) === null && during === null && subAgent === undefined) current = agent;
    call.agent = agent;
  }
  nameByInstructions(allCalls);
}

/**
 * Sets the agent of the calls before the first call with a known agent, if these calls handed over. Their agent is a later agent with the
 * same instructions, to which another agent handed over. The agent of the first call with a known agent does not count, because no agent
 * hands over to itself.
 */
function nameByInstructions(allCalls: readonly LlmCall[]): void {
  const count = allCalls.findIndex(({ agent }) => agent !== null);
  const other = allCalls[count]?.agent ?? null;
  if (count < 1 || other === null) return;
  const later = allCalls
    .slice(count)
    .filter(({ agent }) => agent !== null && plainName(agent) !== plainName(other));
  if (later.length === 0) return;
  for (const unnamed of allCalls.slice(0, count)) {
    const instructions = instructionsIn(unnamed);
    if (instructions === null) continue;
    unnamed.agent = later.find((call) => instructionsIn(call) === instructions)?.agent ?? null;
  }
}

/** System instructions of a model call; null if there are none. */
export function instructionsIn({ node, inputs }: LlmCall): string | null {
  const declared = node.valueAt(F.instructions);
  const instructions = declared === undefined ? null : textOfInstructions(declared);
  return (
    instructions ?? inputs.findLast(({ role, text }) => role === "system" && text !== null)?.text ?? null
  );
}

function workflowAround(node: SpanFacts): string | null {
  let name: string | null = null;
  for (let at: SpanFacts | null = node; at !== null && name === null; at = at.parent) name = workflowName(at);
  return name;
}

/** Returns the agent that made a call in a nested transcript, named in the request of the outer transcript; null if there is none. */
function delegateOf(call: LlmCall): string | null {
  const request = call instanceof TranscriptCall ? call.delegatedBy : null;
  if (request === null || request.name === null) return null;
  const target = targetOf(request.name, argumentsOf(request.arguments).value, () => undefined);
  return target === undefined || target === "back" ? null : target.to;
}

/**
 * Returns the agent name in the message that a call returned, or in its system prompt; null if there is none. Names of later system
 * messages are those of speakers in examples, such as `example_user`.
 */
function agentOnMessage(call: LlmCall): string | null {
  const own = call.outputs.map(({ name }) => name).find(isAgentName);
  const known = own ?? call.known?.message.name ?? null;
  if (isAgentName(known)) return known;
  const prompt = call.inputs.find(({ role }) => role === "system")?.name ?? null;
  return isAgentName(prompt) ? prompt : null;
}

/**
 * Sets the agent of each tool use. A use that is known only from a history belongs to the agent of the requesting call. An agent that made
 * no model call requested no tool: if it ran a tool, the tool belongs to the agent that requested it.
 */
export function attributeUses({ allCalls }: Evidence, uses: readonly ToolUse[], who: Attribution): void {
  const requesting = new Set(allCalls.map(({ agent }) => plainName(agent ?? "")));
  for (const use of uses) {
    const node = use.executions[0]?.node;
    const own = node === undefined ? null : who.agentOf(node);
    const asking =
      use.call === null
        ? (allCalls.findLast(({ start }) => start <= use.at) ?? allCalls[0])
        : allCalls[Math.max(use.call, 0)];
    const isRunner = own !== null && use.call !== null && use.call >= 0 && !requesting.has(plainName(own));
    use.agent = (isRunner ? asking?.agent : null) ?? own ?? asking?.agent ?? null;
  }
}

/**
 * Returns the agent that an attribute names anywhere in the run; null if there is none. Null also if the root names an agent itself; a
 * plain span name does not count, because it may be that of an operation. Agents that are named only inside tools, or only after the first
 * call, do not count.
 */
export function namedWithin({ root, nodes, allCalls }: Evidence): string | null {
  if (isNamedAgent(root)) return null;
  const until = allCalls[0]?.end ?? Infinity;
  for (const node of nodes) {
    if (node.start > until) return null;
    if (node === root || node.agent === null || above(node, isTool) !== null) continue;
    if (isGivenName(node.agent)) return node.agent;
  }
  return null;
}

/** Returns the name of the workflow or of the outermost span, for a run without an agent name; null if it cannot be an agent's name. */
export function rootName(root: SpanFacts): string | null {
  if (root.role !== "workflow" && root.role !== "step" && root.role !== "agent") return null;
  if (isGivenName(root.agent)) return root.agent;
  // The name of a request that a server received, although a processor of spans gave the span a kind.
  if (root.plan.isInfrastructure) return null;
  const name = nameInSpan(root.span.name);
  // Developers often name a decorated function after their agent, but a name for an action is not an agent's.
  if (root.role === "workflow" && isNamedAsAction(name)) return null;
  if (root.role === "step" && /^_*[a-z][a-z0-9]*(?:[_ ][a-z0-9]+)*$/.test(name) && !isNamedAsAgent(name))
    return null;
  return isAgentName(name) && !isOperation(name) ? name : null;
}
