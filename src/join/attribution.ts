import type { Call } from "../adapt/call.ts";
import { plainName } from "../adapt/messages/pick.ts";
import { Nearest } from "../adapt/nearest.ts";
import type { Piece } from "../adapt/piece.ts";
import { agentOfSpan, isAgentName, isDotted, nameInSpan } from "./agent-names.ts";
import { FirstReaching } from "./first-reaching.ts";
import { agentInMetadata } from "./graph-path.ts";
import { LastReaching } from "./last-reaching.ts";

/** Tells who is at work in a span, as far as the spans say. */
export class Attribution {
  readonly #targets: ReadonlyMap<Piece, string>;
  readonly #hasAgents: boolean;
  readonly #chains: ReadonlyMap<Piece, string>;
  readonly #node: Nearest<string | null> | undefined;
  readonly #above = new Nearest((piece) => this.#targets.get(piece) ?? this.#nameAt(piece, false));
  readonly #inside = new Nearest((piece) => (this.#targets.has(piece) ? true : undefined));
  #running: Running | undefined;
  readonly #agents: readonly Piece[];

  /** `targets`: the tool spans that hand over, and to whom; `named`: all agents that a hand-off names. */
  constructor(pieces: readonly Piece[], targets: ReadonlyMap<Piece, string>, named: readonly string[]) {
    this.#targets = targets;
    this.#node = named.length === 0 ? undefined : nodesCalled(named);
    this.#agents = pieces.filter((piece) => piece.role === "agent" && agentOfSpan(piece) !== undefined);
    this.#hasAgents = this.#agents.length > 0;
    this.#chains = this.#hasAgents ? new Map() : agentChains(pieces, named);
  }

  /** By the span's own metadata, else by the nearest span above that is an agent's or hands over to one. */
  agentOf(piece: Piece): string | undefined {
    const inMetadata = agentInMetadata(piece) ?? this.#node?.of(piece) ?? undefined;
    if (inMetadata !== undefined) return inMetadata;
    return this.#nameAt(piece, true) ?? this.#above.of(piece.parent) ?? this.#besides(piece);
  }

  /** Whether a span's work is done for another agent, which gets the word back after it. */
  isInside(piece: Piece): boolean {
    return this.#inside.of(piece.parent) === true;
  }

  /** `isOwn`: the span whose agent is asked for, not one above it. */
  #nameAt(at: Piece, isOwn: boolean): string | undefined {
    if (at.role === "agent") return agentOfSpan(at);
    return this.#chains.get(at) ?? ownName(at, isOwn);
  }

  /** Some producers put an agent's span beside the spans of its work: the one that was running then. */
  #besides(piece: Piece): string | undefined {
    if (!this.#hasAgents) return undefined;
    const nearest = (this.#running ??= new Running(this.#agents)).at(piece.start);
    return nearest === undefined ? undefined : agentOfSpan(nearest);
  }
}

/** The nearest node of a graph; null where it is not called like an agent that was handed over to. */
function nodesCalled(named: readonly string[]): Nearest<string | null> {
  const byName = new Map(named.map((name) => [plainName(name), name]));
  return new Nearest((piece) => {
    const node = piece.text("graphNode");
    return node === undefined ? undefined : (byName.get(plainName(node)) ?? null);
  });
}

/** Agents with nothing below them, by the time they ran. */
class Running {
  readonly #agents: readonly Piece[];
  readonly #starts: FirstReaching;
  readonly #ends: LastReaching;

  constructor(agents: readonly Piece[]) {
    this.#agents = agents.filter(({ children }) => children.length === 0).sort((a, b) => a.start - b.start);
    this.#starts = new FirstReaching(this.#agents.map(({ start }) => start));
    this.#ends = new LastReaching(this.#agents.map(({ end }) => end));
  }

  /** The one that had begun last. */
  at(time: number): Piece | undefined {
    const begun = this.#starts.placeAbove(time);
    return begun === 0 ? undefined : this.#agents[this.#ends.place(begun - 1, time)];
  }
}

/** The agent that a span of another kind names as its own; what is said further up is about others. */
function ownName(at: Piece, isOwn: boolean): string | undefined {
  if (!isOwn && at.role !== "workflow" && at.role !== "step") return undefined;
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

/** The name of a workflow's span: a sub-agent that is written as a flow. */
export function workflowName(piece: Piece): string | undefined {
  if (piece.role !== "workflow") return undefined;
  const name = piece.text("workflow") ?? nameInSpan(piece.span.name);
  return isAgentName(name) ? name : undefined;
}

/** The name on the message that a call returned. */
export function agentOnMessage(call: Call): string | undefined {
  const own = call.outputs.map((message) => message.name).find(isAgentName);
  const known = own === undefined ? call.known?.message.name : own;
  return isAgentName(known) ? known : undefined;
}
