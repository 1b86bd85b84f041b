import type { LlmCall } from "../calls/llm-call.ts";
import { readToolSpan } from "../calls/tool-span.ts";
import { append } from "../../support/structures/group-by.ts";
import { isAbout, isOwner, isTool } from "../calls/tree.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { endsWithUser, openingOf, opensTurn, sentTo } from "./opening.ts";
import { ProducedTexts } from "./produced-texts.ts";
import type { RunSpans } from "./is-run.ts";
import { agentAbove } from "./split-runs.ts";

/**
 * Returns the turns of a conversation below one span of a workflow, session, application or agent; null if the parts are one run.
 * - A later part opens a turn if three conditions hold. Its agent acted before. Its first call's input ends with a new user message. The
 * history before this message has the latest text or request of the previous part.
 * - A part without a history opens a turn if it is a complete agent run and the parts are not steps of one task (`isChain`). A chain of
 * agents, a group chat and a critic's loop are therefore one run.
 */
export function splitTurns({ root, nodes, calls }: RunSpans): RunSpans[] | null {
  if (calls.length < 2 || !calls.some((call, at) => at > 0 && endsWithUser(sentTo(call)))) return null;
  const isBare = root.role === "call";
  const below = isBare ? callsBeside(nodes) : unitsBelow(root);
  const known = below.length > 1 ? below : [root];
  const lost = isBare ? new Map<SpanFacts, SpanFacts[]>() : apartFrom(known, nodes, root);
  const units = lost.size === 0 ? below : [...known, ...lost.keys()].sort((a, b) => a.start - b.start);
  if (units.length < 2) return null;
  const numbers = new Map(units.map((unit, at) => [unit, at]));
  for (const [first, siblings] of lost)
    for (const node of siblings) numbers.set(node, numbers.get(first) ?? 0);
  const unitOf = new Map<SpanFacts, number>();
  for (const node of nodes) {
    let own: number | undefined;
    for (let at: SpanFacts | null = node; at !== null && own === undefined; at = at.parent)
      own = unitOf.get(at) ?? numbers.get(at);
    if (own !== undefined) unitOf.set(node, own);
  }
  const apart = new Set(lost.keys());
  const openers = openersOf(units, unitOf, isBare, apart, calls, nodes);
  return openers.size === 0 ? null : share(units, openers, apart, unitOf, nodes, calls);
}

/** Outermost call spans of a trace without agents, each a unit that can open a turn. */
function callsBeside(nodes: readonly SpanFacts[]): SpanFacts[] {
  return nodes.filter((node) => {
    if (node.role !== "call") return false;
    for (let at = node.parent; at !== null; at = at.parent) if (isAbout(at)) return false;
    return true;
  });
}

/**
 * Returns the units below a span: the sibling agents, workflows or steps at the first level that has several of them. Returns none if, at
 * this level, an agent has model calls of its own.
 */
function unitsBelow(root: SpanFacts): SpanFacts[] {
  let units = ownersIn(root);
  for (let only = units[0]; only !== undefined && units.length === 1; only = units[0]) units = ownersIn(only);
  return units;
}

function ownersIn(top: SpanFacts): SpanFacts[] {
  const found: SpanFacts[] = [];
  const queue = [...top.children];
  for (const node of queue) {
    if (isOwner(node)) found.push(node);
    else if (node.role === "call" && top.role === "agent") return [];
    else if (!isAbout(node)) for (const child of node.children) queue.push(child);
  }
  return found.sort((a, b) => a.start - b.start);
}

/**
 * Returns the spans outside the units. One kind is spans with a missing parent, such as a lost agent span, grouped by parent. The other
 * kind is owners that begin after their parent ended, because the program never closed its context. A span that begins within a unit's time
 * belongs to the unit.
 */
function apartFrom(
  units: readonly SpanFacts[],
  nodes: readonly SpanFacts[],
  root: SpanFacts,
): Map<SpanFacts, SpanFacts[]> {
  const firsts = new Map<string, SpanFacts>();
  const siblings = new Map<SpanFacts, SpanFacts[]>();
  for (const node of nodes) {
    const { parentSpanId } = node.span;
    if (parentSpanId === undefined || node === root || !isAbout(node)) continue;
    if (node.parent !== null ? !isOwner(node) || node.start < node.parent.end : node.parentCame) continue;
    if (units.some(({ start, end }) => start <= node.start && end > node.start)) continue;
    const first = (node.parent === null ? firsts.get(parentSpanId) : undefined) ?? node;
    firsts.set(parentSpanId, first);
    append(siblings, first, node);
  }
  return siblings;
}

/** Returns the numbers of the units that open a turn. The calls are read in order of start. */
function openersOf(
  units: readonly SpanFacts[],
  unitOf: ReadonlyMap<SpanFacts, number>,
  isBare: boolean,
  lost: ReadonlySet<SpanFacts>,
  calls: readonly LlmCall[],
  nodes: readonly SpanFacts[],
): ReadonlySet<number> {
  const produced = new ProducedTexts();
  const begun = new Set<number>();
  const agents = new Set<string>();
  const questions = new Set<string>();
  const openers = new Set<number>();
  /** Numbers of the units that open a turn only if the units are not steps of one task (`isChain`). */
  const unsure = new Set<number>();
  const tools = nodes.filter(isTool);
  /** Names of units that contain tool spans. A unit with one of these names is a complete agent run, not a step. */
  const working = new Set(tools.map((node) => units[unitOf.get(node) ?? -1]?.span.name ?? ""));
  let isChain = isBare || isOneWork(units[0]?.parent ?? null);
  /** Whether a unit without a span of its own occurred. Such a unit may belong to any agent. */
  let hasLost = false;
  let end = -Infinity;
  let latest = -1;
  let tool = 0;
  for (const call of calls) {
    for (; tool < tools.length && (tools[tool] as SpanFacts).start < call.start; tool++)
      produced.addTool(readToolSpan(tools[tool] as SpanFacts), latest);
    const at = unitOf.get(call.node);
    const unit = units[at ?? -1];
    if (at === undefined || unit === undefined) continue;
    const agent = agentAbove(call.node);
    const name = agent ?? unit.span.name;
    if (!begun.has(at)) {
      begun.add(at);
      hasLost ||= lost.has(unit);
      const opening = openingOf(sentTo(call), (message) => produced.partOf(message) !== undefined);
      if (unit.start < end || opening.since.some(({ role }) => role === "user")) isChain = true;
      if ((hasLost || agents.has(name)) && opensTurn(opening, questions)) {
        if (produced.latestIn(opening.before) === latest) openers.add(at);
        else if (!opening.before.some(({ role }) => role === "assistant") && isWholeWork(unit, working))
          unsure.add(at);
      }
      if (opening.question !== null) questions.add(opening.question);
      end = Math.max(end, unit.end);
    }
    agents.add(name);
    produced.addCall(call, agent, at);
    latest = at;
  }
  return isChain ? openers : new Set([...openers, ...unsure]);
}

function isWholeWork({ role, span, children }: SpanFacts, working: ReadonlySet<string>): boolean {
  if (role === "agent" || role === "workflow" || working.has(span.name)) return true;
  return children.some((child) => child.role === "agent");
}

/** Whether a span that encloses several agents has its own query or result, so that the agents are one run. */
function isOneWork(top: SpanFacts | null): boolean {
  for (let at = top; at !== null && isAbout(at); at = at.parent)
    if ([F.input, F.inputMessages, F.output, F.outputMessages].some((field) => at?.hasField(field)))
      return true;
  return false;
}

/**
 * Assigns units and spans to turns. A unit belongs to the turn that it opens, or to the turn that was open at its start. A span around
 * units of one turn belongs to this turn; a span around units of several turns belongs to none. Other spans belong to the turn at their
 * start time.
 */
function share(
  units: readonly SpanFacts[],
  openers: ReadonlySet<number>,
  apart: ReadonlySet<SpanFacts>,
  unitOf: ReadonlyMap<SpanFacts, number>,
  nodes: readonly SpanFacts[],
  calls: readonly LlmCall[],
): RunSpans[] {
  const turns: { root: SpanFacts; nodes: SpanFacts[]; calls: LlmCall[] }[] = [];
  const turnOf = units.map((root, at) => {
    if (at === 0 || openers.has(at)) turns.push({ root, nodes: [], calls: [] });
    return turns.length - 1;
  });
  const containers = containersOf(units, turnOf, apart);
  const turnOfNode = new Map<SpanFacts, number>();
  let current = 0;
  for (const node of nodes) {
    const within = containers.get(node);
    const unit = unitOf.get(node);
    if (within === undefined && unit !== undefined) current = Math.max(current, turnOf[unit] ?? 0);
    const turn = within ?? (unit === undefined ? current : (turnOf[unit] ?? 0));
    turnOfNode.set(node, turn);
    turns[turn]?.nodes.push(node);
  }
  for (const call of calls) turns[turnOfNode.get(call.node) ?? 0]?.calls.push(call);
  return turns.map((turn) => ({ ...turn, isTurn: true }));
}

const SEVERAL = -1;

/** Returns the turn of the enclosed units for each span that encloses units; `SEVERAL` if the units are of several turns. */
function containersOf(
  units: readonly SpanFacts[],
  turnOf: readonly number[],
  apart: ReadonlySet<SpanFacts>,
): Map<SpanFacts, number> {
  const containers = new Map<SpanFacts, number>();
  for (const [number, unit] of units.entries()) {
    const turn = turnOf[number] ?? 0;
    if (apart.has(unit)) continue;
    for (let at = unit.parent; at !== null; at = at.parent) {
      const known = containers.get(at);
      if (known === turn || known === SEVERAL) break;
      containers.set(at, known === undefined ? turn : SEVERAL);
    }
  }
  return containers;
}
