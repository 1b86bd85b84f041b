import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { LlmCall } from "./llm-call.ts";
import { endsWithUser, type Opening, openingOf, opensTurn, sentTo } from "./opening.ts";
import { isAbout, isOwner } from "./owners.ts";
import { ProducedTexts } from "./produced-texts.ts";
import type { RunSpans } from "./split-runs.ts";

/**
 * The turns of a conversation whose spans lie below one span of a workflow, session, application or agent; undefined where they are one run.
 * A later part opens a turn only where its first model call was sent new words of a user last, and the history before them ends with
 * the answer of the part before. So a chain of agents, a group chat and a critic's loop are one run.
 * @param calls the model calls among the spans, by start
 */
export function splitTurns({ root, nodes }: RunSpans, calls: readonly LlmCall[]): RunSpans[] | undefined {
  if (calls.length < 2 || !calls.some((call, at) => at > 0 && endsWithUser(sentTo(call)))) return undefined;
  const isBare = root.role === "call";
  const below = isBare ? callsBeside(nodes) : unitsBelow(root);
  const known = below.length > 1 ? below : [root];
  const lost = isBare ? noLost : belowLostSpans(nodes, root, known);
  const units = lost.size === 0 ? below : withLost(known, lost);
  if (units.length < 2) return undefined;
  const numbers = new Map(units.map((unit, at) => [unit, at]));
  for (const [first, siblings] of lost)
    for (const node of siblings) numbers.set(node, numbers.get(first) ?? 0);
  const unitOf = new Nearest((node) => numbers.get(node));
  const tools = nodes.filter(({ role }) => role === "tool");
  const openers = new TurnOpeners(units, unitOf, isBare, new Set(lost.keys())).find(calls, tools);
  return openers.size === 0 ? undefined : share(units, openers, unitOf, nodes);
}

type LostUnits = ReadonlyMap<SpanNode, readonly SpanNode[]>;

const noLost: ReadonlyMap<SpanNode, readonly SpanNode[]> = new Map();

/**
 * Spans whose parent never came, by the first with the same parent: an agent's or a turn's span that was lost leaves them behind. What begins
 * within the time of a unit belongs to that.
 * @param nodes by start
 */
function belowLostSpans(nodes: readonly SpanNode[], root: SpanNode, units: readonly SpanNode[]): LostUnits {
  const begun = units.toSorted((a, b) => a.start - b.start).values();
  let next = begun.next().value;
  let end = -Infinity;
  const firsts = new Map<string, SpanNode>();
  const siblings = new Map<SpanNode, SpanNode[]>();
  for (const node of nodes) {
    const { parentSpanId } = node.span;
    if (node.parentCame || parentSpanId === undefined || node === root || !isAbout(node)) continue;
    for (; next !== undefined && next.start <= node.start; next = begun.next().value)
      end = Math.max(end, next.end);
    if (node.start < end) continue;
    const first = firsts.get(parentSpanId) ?? node;
    firsts.set(parentSpanId, first);
    const known = siblings.get(first);
    if (known === undefined) siblings.set(first, [node]);
    else known.push(node);
  }
  return siblings;
}

function withLost(units: readonly SpanNode[], lost: LostUnits): SpanNode[] {
  return [...units, ...lost.keys()].sort((a, b) => a.start - b.start);
}

/** The outermost call spans of a trace without agents. */
function callsBeside(nodes: readonly SpanNode[]): SpanNode[] {
  const about = new Nearest((node) => (isAbout(node) ? true : undefined));
  return nodes.filter((node) => node.role === "call" && about.of(node.parent) === undefined);
}

/** The agents, workflows or steps side by side below a span, down to where there are several; none where an agent itself works. */
function unitsBelow(root: SpanNode): SpanNode[] {
  let units = ownersIn(root);
  for (let only = units[0]; only !== undefined && units.length === 1; only = units[0]) units = ownersIn(only);
  return units;
}

function ownersIn(top: SpanNode): SpanNode[] {
  const found: SpanNode[] = [];
  const queue = [...top.children];
  for (const node of queue) {
    if (isOwner(node)) found.push(node);
    else if (node.role === "call" && top.role === "agent") return [];
    else if (!isAbout(node)) for (const child of node.children) queue.push(child);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Finds the units that open a turn, reading the model calls of all in the order of their start. */
class TurnOpeners {
  readonly #units: readonly SpanNode[];
  readonly #unitOf: Nearest<number>;
  readonly #agentOf = new Nearest((node) => (node.role === "agent" ? node.agentName : undefined));
  readonly #produced = new ProducedTexts();
  readonly #begun = new Set<number>();
  readonly #agents = new Set<string>();
  readonly #asked = new Set<string>();
  readonly #openers = new Set<number>();
  /** Names of units that ran tools: each is all of an agent's work, not a step of it. */
  readonly #working = new Set<string>();
  /** Those that open a turn only if the units are no steps of one piece of work. */
  readonly #unsure = new Set<number>();
  readonly #lost: ReadonlySet<SpanNode>;
  /** A unit without its own span may have been any agent's. */
  #hasLost = false;
  #isChain = false;
  #end = -Infinity;
  #latest = -1;

  /**
   * `isBare`: the units are model calls, of which an agent may make several in one turn; `lost`: units that stand for a span that never
   * came.
   */
  constructor(
    units: readonly SpanNode[],
    unitOf: Nearest<number>,
    isBare: boolean,
    lost: ReadonlySet<SpanNode>,
  ) {
    this.#lost = lost;
    this.#units = units;
    this.#unitOf = unitOf;
    this.#isChain = isBare || isOneWork(units[0]?.parent);
  }

  /** The numbers of the units. */
  find(calls: readonly LlmCall[], tools: readonly SpanNode[]): ReadonlySet<number> {
    for (const node of tools) this.#working.add(this.#units[this.#unitOf.of(node) ?? -1]?.span.name ?? "");
    const left = tools.values();
    let tool = left.next().value;
    for (const call of calls) {
      for (; tool !== undefined && tool.start < call.start; tool = left.next().value)
        this.#produced.addTool(tool, this.#latest);
      this.#read(call);
    }
    return this.#isChain ? this.#openers : new Set([...this.#openers, ...this.#unsure]);
  }

  #read(call: LlmCall): void {
    const at = this.#unitOf.of(call.node);
    const unit = this.#units[at ?? -1];
    if (at === undefined || unit === undefined) return;
    const name = this.#agentOf.of(call.node) ?? unit.span.name;
    if (!this.#begun.has(at)) {
      this.#begun.add(at);
      this.#hasLost ||= this.#lost.has(unit);
      this.#begin(call, at, unit, this.#hasLost || this.#agents.has(name));
    }
    this.#agents.add(name);
    this.#produced.addCall(call, at);
    this.#latest = at;
  }

  #begin(call: LlmCall, at: number, unit: SpanNode, isKnown: boolean): void {
    const opening = openingOf(sentTo(call), (message) => this.#produced.partOf(message) !== undefined);
    if (unit.start < this.#end || opening.since.some(({ role }) => role === "user")) this.#isChain = true;
    if (isKnown && opensTurn(opening, this.#asked)) this.#addOpener(at, opening, unit);
    if (opening.asked !== undefined) this.#asked.add(opening.asked);
    this.#end = Math.max(this.#end, unit.end);
  }

  #addOpener(at: number, { before }: Opening, unit: SpanNode): void {
    if (this.#produced.latestIn(before) === this.#latest) this.#openers.add(at);
    else if (!before.some(({ role }) => role === "assistant") && this.#isWhole(unit)) this.#unsure.add(at);
  }

  #isWhole({ role, span, children }: SpanNode): boolean {
    if (role === "agent" || role === "workflow" || this.#working.has(span.name)) return true;
    return children.some((child) => child.role === "agent");
  }
}

/** Whether a span around several agents has a question or a result of its own: they work for one run. */
function isOneWork(top: SpanNode | undefined): boolean {
  for (let at = top; at !== undefined && isAbout(at); at = at.parent)
    if (at.has("input") || at.has("inputMessages") || at.has("output") || at.has("outputMessages"))
      return true;
  return false;
}

/**
 * Each unit goes to the turn that it opens or that was open when it began; a span around units of one turn to that turn, one around several
 * turns to none; what lies beside the units, to the turn of its time.
 */
function share(
  units: readonly SpanNode[],
  openers: ReadonlySet<number>,
  unitOf: Nearest<number>,
  nodes: readonly SpanNode[],
): RunSpans[] {
  const turns: { root: SpanNode; nodes: SpanNode[] }[] = [];
  const turnOf = units.map((root, at) => {
    if (at === 0 || openers.has(at)) turns.push({ root, nodes: [] });
    return turns.length - 1;
  });
  const containers = containersOf(units, turnOf);
  let current = 0;
  for (const node of nodes) {
    const within = containers.get(node);
    if (within !== undefined) {
      if (within !== SEVERAL) turns[within]?.nodes.push(node);
      continue;
    }
    const unit = unitOf.of(node);
    if (unit !== undefined) current = Math.max(current, turnOf[unit] ?? 0);
    turns[unit === undefined ? current : (turnOf[unit] ?? 0)]?.nodes.push(node);
  }
  return turns.map((turn) => ({ ...turn, isTurn: true }));
}

const SEVERAL = -1;

/** The spans around units: the turn whose units alone they hold, or SEVERAL. */
function containersOf(units: readonly SpanNode[], turnOf: readonly number[]): Map<SpanNode, number> {
  const containers = new Map<SpanNode, number>();
  for (const [number, unit] of units.entries()) {
    const turn = turnOf[number] ?? 0;
    for (let at = unit.parent; at !== undefined; at = at.parent) {
      const known = containers.get(at);
      if (known === turn || known === SEVERAL) break;
      containers.set(at, known === undefined ? turn : SEVERAL);
    }
  }
  return containers;
}
