import type { Message } from "../../model/message.ts";
import type { LlmCall } from "../fragments/llm-call.ts";
import { plainName } from "../messages/pick.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import { isAgentName, isNamedAgent, isOperation, nameInSpan } from "../span/agent-name.ts";
import { FirstAtLeast } from "../search/first-at-least.ts";
import type { Evidence } from "./evidence.ts";
import { agentInMetadata } from "./graph-path.ts";
import type { ToolUse } from "./tool-use.ts";
import { MaxEndTree } from "../search/max-end-tree.ts";

const noChains: ReadonlyMap<SpanNode, string> = new Map();

function isNamed({ agentName }: SpanNode): boolean {
  return agentName !== undefined;
}

/** Tells who is at work in a span, as far as the spans say. */
export class Attribution {
  readonly #targets: ReadonlyMap<SpanNode, string>;
  /** Some span is an agent's that has a name. */
  readonly hasAgents: boolean;
  readonly #chains: ReadonlyMap<SpanNode, string>;
  readonly #node: Nearest<string | null> | undefined;
  readonly #above = new Nearest((node) => this.#targets.get(node) ?? this.#nameAt(node, false));
  readonly #inside = new Nearest((node) => (this.#targets.has(node) ? node : undefined));
  #running: Running | undefined;
  /** The tool spans that hand over within which calls were made. */
  #working: ReadonlySet<SpanNode | undefined> | undefined;
  readonly #agents: readonly SpanNode[];
  readonly #wrapper: SpanNode | undefined;

  /**
   * `targets`: the tool spans that hand over, and to whom; `named`: all agents that a hand-off names; `wrapper`: the span around the run
   * whose own name is no agent's.
   */
  constructor(
    { nodes, agentNodes }: Pick<Evidence, "nodes" | "agentNodes">,
    targets: ReadonlyMap<SpanNode, string>,
    named: readonly string[],
    wrapper?: SpanNode,
  ) {
    this.#wrapper = wrapper;
    this.#targets = targets;
    this.#node = named.length === 0 ? undefined : nodesCalled(named);
    this.#agents = agentNodes.filter(isNamed);
    this.hasAgents = this.#agents.length > 0;
    this.#chains = this.hasAgents || named.length === 0 ? noChains : agentChains(nodes, named);
  }

  /** By the span's own metadata, else by the nearest span above that is an agent's or hands over to one. */
  agentOf(node: SpanNode): string | undefined {
    const named = this.#named(node);
    const tool = named === undefined || this.#targets.size === 0 ? undefined : this.#inside.of(node.parent);
    // LangChain passes a tool's metadata on to the agent that the tool runs: the name in them is that of the agent that handed over.
    return tool !== undefined && this.#named(tool) === named ? this.#targets.get(tool) : named;
  }

  #named(node: SpanNode): string | undefined {
    return (
      agentInMetadata(node) ??
      this.#node?.of(node) ??
      this.#nameAt(node, true) ??
      this.#above.of(node.parent) ??
      this.#besides(node)
    );
  }

  /** Whether a span's work is done for another agent, which gets the word back after it. */
  isInside(node: SpanNode): boolean {
    return this.#targets.size > 0 && this.#inside.of(node.parent) !== undefined;
  }

  /** Whether calls were made within the tool's span: what comes after them is the work of the agent that used the tool. */
  hasReturned({ executions }: ToolUse, calls: readonly LlmCall[]): boolean {
    if (executions.length === 0 || this.#targets.size === 0) return false;
    const working = (this.#working ??= new Set(calls.map(({ node }) => this.#inside.of(node.parent))));
    return executions.some(({ nodes }) => nodes.some((node) => working.has(node)));
  }

  /** `isOwn`: the span whose agent is asked for, not one above it. */
  #nameAt(at: SpanNode, isOwn: boolean): string | undefined {
    if (at === this.#wrapper) return undefined;
    if (at.role === "agent") return at.agentName;
    return this.#chains.get(at) ?? ownName(at, isOwn);
  }

  /** Some producers put an agent's span beside the spans of its work: the one that was running then. */
  #besides(node: SpanNode): string | undefined {
    if (!this.hasAgents) return undefined;
    const nearest = (this.#running ??= new Running(this.#agents)).at(node.start);
    return nearest === undefined ? undefined : nearest.agentName;
  }
}

/** The nearest node of a graph; null where it is not called like an agent that was handed over to. */
function nodesCalled(named: readonly string[]): Nearest<string | null> {
  const byName = new Map(named.map((name) => [plainName(name), name]));
  return new Nearest((node) => {
    const name = node.text("graphNode");
    return name === undefined ? undefined : (byName.get(plainName(name)) ?? null);
  });
}

/** Agents with nothing below them, by the time they ran. */
class Running {
  readonly #agents: readonly SpanNode[];
  readonly #starts: FirstAtLeast;
  readonly #ends: MaxEndTree;

  constructor(agents: readonly SpanNode[]) {
    this.#agents = agents.filter(({ children }) => children.length === 0).sort((a, b) => a.start - b.start);
    this.#starts = new FirstAtLeast(this.#agents.map(({ start }) => start));
    this.#ends = new MaxEndTree(this.#agents.map(({ end }) => end));
  }

  /** The one that had begun last. */
  at(time: number): SpanNode | undefined {
    const begun = this.#starts.placeAbove(time);
    return begun === 0 ? undefined : this.#agents[this.#ends.place(begun - 1, time)];
  }
}

/** The agent that a span of another kind names as its own; what is said further up is about others. */
function ownName(at: SpanNode, isOwn: boolean): string | undefined {
  if (!isOwn && at.role !== "workflow" && at.role !== "step") return undefined;
  const given = at.text("agent");
  return isAgentName(given) ? given : undefined;
}

/**
 * Where no span is an agent's, functions that run agents may be named after them: those that a hand-off names, and those
 * beside them.
 */
function agentChains(nodes: readonly SpanNode[], targets: readonly string[]): Map<SpanNode, string> {
  const chains = new Map<SpanNode, string>();
  const slugs = new Set(targets.map(plainName));
  if (slugs.size === 0) return chains;
  const named = nodes.filter((node) => isChain(node) && slugs.has(plainName(node.span.name)));
  const parents = new Set(named.map((node) => node.parent));
  for (const node of nodes) {
    if (isChain(node) && parents.has(node.parent) && isAgentName(node.span.name))
      chains.set(node, node.span.name);
  }
  return chains;
}

function isChain({ role, children }: SpanNode): boolean {
  return (role === "step" || role === "workflow" || role === "unknown") && children.length > 0;
}

/**
 * The agent that a producer names somewhere in a run whose outermost span has only a name of its own: that may be an operation's or a
 * wrapper's. Agents inside tools, and those that are named after the first call only, are others'.
 */
export function namedWithin({
  root,
  nodes,
  allCalls,
}: Pick<Evidence, "root" | "nodes" | "allCalls">): string | undefined {
  if (isNamedAgent(root)) return undefined;
  const until = allCalls[0]?.end ?? Infinity;
  const inTool = new Nearest(({ role }) => (role === "tool" ? true : undefined));
  for (const node of nodes) {
    if (node.start > until) return undefined;
    if (node === root || !node.reading.has("agent") || inTool.of(node.parent) === true) continue;
    const name = node.text("agent");
    if (isAgentName(name)) return name;
  }
  return undefined;
}

/** Where nothing names an agent: the name of the workflow, or of the run's outermost span. */
export function rootName(root: SpanNode): string | undefined {
  if (root.role !== "workflow" && root.role !== "step" && root.role !== "agent") return undefined;
  const given = root.text("agent");
  if (isAgentName(given)) return given;
  const name = nameInSpan(root.span.name);
  return isAgentName(name) && !isOperation(name) ? name : undefined;
}

/** The name of a workflow's span: a sub-agent that is written as a flow. */
export function workflowName(node: SpanNode): string | undefined {
  if (node.role !== "workflow") return undefined;
  const name = node.text("workflow") ?? nameInSpan(node.span.name);
  return isAgentName(name) ? name : undefined;
}

/** A request for a tool may lie in the list of messages itself: its name is the tool's. */
function speaker({ name, calls }: Message): string | null {
  return calls.some((request) => request.name === name) ? null : name;
}

/** The name on the message that a call returned. */
export function agentOnMessage(call: LlmCall): string | undefined {
  const own = call.outputs.map(speaker).find(isAgentName);
  const known = own === undefined ? call.known?.message.name : own;
  return isAgentName(known) ? known : undefined;
}
