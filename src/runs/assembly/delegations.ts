import type { LlmCall } from "../fragments/llm-call.ts";
import { wordsOf } from "../inference/words.ts";
import { isNamedAgent, sameAgent } from "../span/agent-name.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";

/** An agent that asks no model itself, and the agent that it runs. */
export interface Delegation {
  readonly from: SpanNode;
  readonly to: SpanNode;
}

/** Words in the names of agents that only order others: these hand over nothing. */
const ordering: ReadonlySet<string> = new Set([
  "sequential",
  "sequence",
  "parallel",
  "concurrent",
  "loop",
  "pipeline",
  "workflow",
  "flow",
  "graph",
  "swarm",
  "crew",
  "team",
  "group",
]);
/** Words in the names of agents that choose whom to hand over to. */
const choosing: ReadonlySet<string> = new Set([
  "triage",
  "router",
  "routing",
  "dispatcher",
  "supervisor",
  "orchestrator",
  "coordinator",
  "concierge",
  "receptionist",
]);

/**
 * The agents whose spans have no model call of their own and run another agent: they hand over to it. One that runs several only orders
 * them, unless its name says that it chooses.
 */
export class Delegations {
  readonly all: readonly Delegation[];
  readonly #agent: Nearest<SpanNode>;
  readonly #fromByTo = new Map<SpanNode, SpanNode>();

  /** `agents`: spans of agents, by start. */
  constructor(agents: readonly SpanNode[], calls: readonly LlmCall[]) {
    this.#agent = new Nearest((node) =>
      node.role === "agent" && node.agentName !== undefined ? node : undefined,
    );
    this.all = agents.length < 2 ? [] : this.#find(agents, calls);
    for (const { from, to } of this.all) this.#fromByTo.set(to, from);
  }

  /** The outermost agent that, directly or over others, handed over to the one at work in a span; undefined where none did. */
  outermost(node: SpanNode): SpanNode | undefined {
    let outer: SpanNode | undefined;
    let at = this.#owner(node);
    for (let from = at && this.#fromByTo.get(at); from !== undefined; from = this.#fromByTo.get(from)) {
      outer = at = from;
    }
    return outer;
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
    return [...run].flatMap(([from, inner]) =>
      handsOver(from, inner) ? inner.map((to) => ({ from, to })) : [],
    );
  }
}

function isSame(a: SpanNode, b: SpanNode): boolean {
  return a.agentName !== undefined && b.agentName !== undefined && sameAgent(a.agentName, b.agentName);
}

function handsOver(from: SpanNode, inner: readonly SpanNode[]): boolean {
  if (from.reading.dialects.onlyOrders) return false;
  // A span's own name may be a wrapper's: beside an agent that a producer names it is.
  if (!isNamedAgent(from) && inner.some(isNamedAgent)) return false;
  const words = wordsOf(from.agentName ?? "");
  if (words.some((word) => choosing.has(word))) return true;
  return inner.length === 1 && !words.some((word) => ordering.has(word));
}
