import { key } from "../../model/telemetry/attribute-key.ts";
import type { LlmCall } from "../fragments/llm-call.ts";
import { wordsOf } from "../undeclared/words.ts";
import { isNamedAgent, sameAgent } from "../span/agent-name.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** An agent that asks no model itself, and the agent that it runs. */
export interface Delegation {
  readonly from: SpanNode;
  readonly to: SpanNode;
}

/** Words in the names of agents that only order others: these hand over nothing. */
const ordering: ReadonlySet<string> = new Set(
  wordList(`
  sequential sequence parallel concurrent loop pipeline workflow flow graph swarm crew team group
`),
);
/** Words in the names of agents that choose whom to hand over to. */
const choosing: ReadonlySet<string> = new Set(
  wordList(`
  triage router routing dispatcher supervisor orchestrator coordinator concierge receptionist
`),
);

/**
 * The agents whose spans have no model call of their own and run other agents. One that runs one agent, or whose name says that it chooses,
 * hands over to it; others only order the agents within.
 */
export class Delegations {
  /** Those that hand over. */
  readonly all: readonly Delegation[];
  readonly #agent: Nearest<SpanNode>;
  /** By the agent that is run, the one that runs it, whether it hands over or not. */
  #runBy: Map<SpanNode, SpanNode> | undefined;

  /** `agents`: spans of agents, by start. */
  constructor(agents: readonly SpanNode[], calls: readonly LlmCall[]) {
    this.#agent = new Nearest(namedAgent);
    this.all = agents.length < 2 ? [] : this.#find(agents, calls);
  }

  /** The outermost agent that, directly or over others, ran the one at work in a span and asked no model itself. */
  outermost(node: SpanNode): SpanNode | undefined {
    const runBy = this.#runBy;
    if (runBy === undefined) return undefined;
    let outer: SpanNode | undefined;
    const at = this.#owner(node);
    for (let from = at && runBy.get(at); from !== undefined; from = runBy.get(from)) outer = from;
    return outer;
  }

  /** Whether two agents only worked one after the other: their spans lie beside each other, and the first asked for nothing more. */
  areOrdered(before: LlmCall, after: LlmCall): boolean {
    const [a, b] = [this.#owner(before.node), this.#owner(after.node)];
    if (a === undefined || b === undefined || a === b || isWithin(a, b) || isWithin(b, a)) return false;
    return before.requests.length === 0 && (before.finish === "stop" || before.text !== undefined);
  }

  /** The agent at work in a span: of spans of one agent within each other the outermost. */
  #owner(node: SpanNode): SpanNode | undefined {
    let at = this.#agent.of(node);
    for (let above = at && this.#agent.of(at.parent); at !== undefined && above !== undefined;) {
      if (!isSame(at, above)) break;
      at = above;
      above = this.#agent.of(at.parent);
    }
    return at;
  }

  #find(agents: readonly SpanNode[], calls: readonly LlmCall[]): Delegation[] {
    const asking = new Set(calls.map(({ node }) => this.#owner(node)));
    const run = new Map<SpanNode, SpanNode[]>();
    for (const node of agents) {
      if (node.agentName === undefined || this.#owner(node) !== node) continue;
      const from = node.parent === undefined ? undefined : this.#owner(node.parent);
      if (from === undefined || asking.has(from)) continue;
      const known = run.get(from);
      if (known === undefined) run.set(from, [node]);
      else known.push(node);
    }
    return [...run].flatMap(([from, inner]) => {
      // A span's own name may be a wrapper's: beside an agent that a producer names it is.
      if ((!isNamedAgent(from) || isApplication(from)) && inner.some(isNamedAgent)) return [];
      const runBy = (this.#runBy ??= new Map<SpanNode, SpanNode>());
      for (const node of inner) runBy.set(node, from);
      return handsOver(from, inner) ? inner.map((to) => ({ from, to })) : [];
    });
  }
}

/** A runner's span that is called like the service: the application around the agent. */
function isApplication({ agentName, span }: SpanNode): boolean {
  const service = span.resource.text(SERVICE);
  return agentName !== undefined && service !== undefined && sameAgent(agentName, service);
}

const SERVICE = key("service.name");

function namedAgent(node: SpanNode): SpanNode | undefined {
  return node.role === "agent" && node.agentName !== undefined ? node : undefined;
}

function isWithin(node: SpanNode, outer: SpanNode): boolean {
  for (let at = node.parent, hops = 0; at !== undefined && hops < MOST_HOPS; at = at.parent, hops++)
    if (at === outer) return true;
  return false;
}

const MOST_HOPS = 64;

function isSame(a: SpanNode, b: SpanNode): boolean {
  return a.agentName !== undefined && b.agentName !== undefined && sameAgent(a.agentName, b.agentName);
}

function handsOver(from: SpanNode, inner: readonly SpanNode[]): boolean {
  if (from.reading.dialects.onlyOrders) return false;
  const words = wordsOf(from.agentName ?? "");
  if (words.some((word) => choosing.has(word))) return true;
  return inner.length === 1 && !words.some((word) => ordering.has(word));
}
