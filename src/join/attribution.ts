import type { Call } from "../adapt/call.ts";
import { plainName } from "../adapt/messages/pick.ts";
import type { Piece } from "../adapt/piece.ts";
import { agentOfSpan, isAgentName, isDotted, nameInSpan } from "./agent-names.ts";
import { agentInMetadata } from "./graph-path.ts";

/** Tells who is at work in a span, as far as the spans say. */
export class Attribution {
  readonly #targets: ReadonlyMap<Piece, string>;
  readonly #agents: readonly Piece[];
  readonly #chains: ReadonlyMap<Piece, string>;
  /** By plain name: the agents that a hand-off names, which may be nodes of a graph. */
  readonly #named: ReadonlyMap<string, string>;

  /** `targets`: the tool spans that hand over, and to whom; `named`: all agents that a hand-off names. */
  constructor(pieces: readonly Piece[], targets: ReadonlyMap<Piece, string>, named: readonly string[]) {
    this.#targets = targets;
    this.#named = new Map(named.map((name) => [plainName(name), name]));
    this.#agents = pieces.filter((piece) => piece.role === "agent" && agentOfSpan(piece) !== undefined);
    this.#chains = this.#agents.length > 0 ? new Map() : agentChains(pieces, named);
  }

  /** By the span's own metadata, else by the nearest span above that is an agent's or hands over to one. */
  agentOf(piece: Piece): string | undefined {
    const inMetadata = agentInMetadata(piece) ?? this.#nodeAround(piece);
    if (inMetadata !== undefined) return inMetadata;
    for (let at: Piece | undefined = piece; at !== undefined; at = at.parent) {
      const name = this.#nameAt(at, piece);
      if (name !== undefined) return name;
    }
    return this.#besides(piece);
  }

  /** Whether a span's work is done for another agent, which gets the word back after it. */
  isInside(piece: Piece): boolean {
    for (let at = piece.parent; at !== undefined; at = at.parent) if (this.#targets.has(at)) return true;
    return false;
  }

  /** The nearest node of a graph that is called like an agent that was handed over to. */
  #nodeAround(piece: Piece): string | undefined {
    if (this.#named.size === 0) return undefined;
    for (let at: Piece | undefined = piece; at !== undefined; at = at.parent) {
      const node = at.text("graphNode");
      if (node !== undefined) return this.#named.get(plainName(node));
    }
    return undefined;
  }

  #nameAt(at: Piece, piece: Piece): string | undefined {
    const target = at === piece ? undefined : this.#targets.get(at);
    if (target !== undefined) return target;
    if (at.role === "agent") return agentOfSpan(at);
    return this.#chains.get(at) ?? ownName(at, piece);
  }

  /** Some producers put an agent's span beside the spans of its work: the one that was running then. */
  #besides(piece: Piece): string | undefined {
    let nearest: Piece | undefined;
    for (const agent of this.#agents) {
      const covers = agent.start <= piece.start && agent.end >= piece.start;
      if (covers && agent.children.length === 0 && (nearest === undefined || agent.start >= nearest.start))
        nearest = agent;
    }
    return nearest === undefined ? undefined : agentOfSpan(nearest);
  }
}

/** The agent that a span of another kind names as its own; what is said further up is about others. */
function ownName(at: Piece, piece: Piece): string | undefined {
  if (at !== piece && at.role !== "workflow" && at.role !== "step") return undefined;
  const given = at.text("agent");
  return isAgentName(given) ? given : undefined;
}

/**
 * Where no span is an agent's, functions that run agents may be named after them: those that a hand-off names, and those
 * beside them.
 */
function agentChains(pieces: readonly Piece[], targets: readonly string[]): Map<Piece, string> {
  const chains = new Map<Piece, string>();
  const slugs = new Set(targets.map(plainName));
  if (slugs.size === 0) return chains;
  const named = pieces.filter((piece) => isChain(piece) && slugs.has(plainName(piece.span.name)));
  const parents = new Set(named.map((piece) => piece.parent));
  for (const piece of pieces) {
    if (isChain(piece) && parents.has(piece.parent) && isAgentName(piece.span.name))
      chains.set(piece, piece.span.name);
  }
  return chains;
}

function isChain({ role, children }: Piece): boolean {
  return (role === "step" || role === "workflow" || role === "unknown") && children.length > 0;
}

/** Where nothing names an agent: the name of the workflow, or of the run's outermost span. */
export function rootName(root: Piece): string | undefined {
  if (root.role !== "workflow" && root.role !== "step" && root.role !== "agent") return undefined;
  const given = root.text("agent");
  if (isAgentName(given)) return given;
  const name = nameInSpan(root.span.name);
  return isAgentName(name) && !isDotted(name) ? name : undefined;
}

/** The workflow nearest to a span, by name: a sub-agent that is written as a flow. */
export function workflowAround(piece: Piece): string | undefined {
  for (let at: Piece | undefined = piece; at !== undefined; at = at.parent) {
    if (at.role !== "workflow") continue;
    const name = at.text("workflow") ?? nameInSpan(at.span.name);
    if (isAgentName(name)) return name;
  }
  return undefined;
}

/** The name on the message that a call returned. */
export function agentOnMessage(call: Call): string | undefined {
  const own = call.outputs.map((message) => message.name).find(isAgentName);
  const known = own === undefined ? call.known?.message.name : own;
  return isAgentName(known) ? known : undefined;
}
