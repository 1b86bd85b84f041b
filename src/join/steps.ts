import type { Call } from "../adapt/call.ts";
import { TranscriptCall } from "../adapt/transcript-calls.ts";
import { plainName } from "../adapt/messages/pick.ts";
import type { Piece } from "../adapt/piece.ts";
import type { Handoff } from "../model/run.ts";
import { collectAsked } from "./asked.ts";
import { agentOfSpan, isAgentName, sameAgent } from "./agent-names.ts";
import { agentOnMessage, Attribution, workflowAround } from "./attribution.ts";
import type { Evidence } from "./evidence.ts";
import { isFinalAnswer, isTransfer, targetOf } from "./handoff-target.ts";
import { type HandoffSpan, handoffSpans } from "./handoff-spans.ts";
import { toolSpans } from "./tool-spans.ts";
import { matchUses, type ToolUse, useArguments, useName } from "./tool-uses.ts";

/** A use of a tool with its place in the run. */
export interface Step {
  readonly use: ToolUse;
  /** Set for a hand-off: where to. */
  readonly target: string | undefined;
  /** Control that goes back, or an answer given through a tool: neither a tool nor a hand-off. */
  readonly aside: boolean;
}

/** What the agents of a run did, in order, and who did it. */
export interface Steps {
  readonly steps: readonly Step[];
  readonly handoffs: readonly Handoff[];
  readonly agentOfCall: ReadonlyMap<Call, string | null>;
  readonly agentOfUse: ReadonlyMap<ToolUse, string | null>;
}

export function readSteps(evidence: Evidence): Steps {
  const { allCalls: calls, pieces } = evidence;
  const spans = toolSpans(pieces);
  const uses = matchUses(collectAsked(calls), spans, calls);
  const spell = speller(pieces);
  const steps = uses.map((use) => stepOf(use, spell, pieces));
  const targets = new Map<Piece, string>();
  for (const { use, target } of steps) {
    if (target === undefined) continue;
    for (const span of use.spans) for (const piece of span.pieces) targets.set(piece, target);
  }
  const who = new Attribution(
    pieces,
    targets,
    steps.flatMap(({ target }) => target ?? []),
  );
  const agentOfCall = agentsOfCalls(evidence, steps, who);
  const before = callsByTime(calls);
  const agentOfUse = new Map(uses.map((use) => [use, agentOfToolUse(use, calls, before, agentOfCall, who)]));
  return { steps, handoffs: handoffsOf(evidence, steps, agentOfCall, agentOfUse), agentOfCall, agentOfUse };
}

/** The agents' own spelling of their names, as spans of agents and hand-offs give it. */
function speller(pieces: readonly Piece[]): (name: string) => string | undefined {
  const known = new Map<string, string>();
  for (const piece of pieces) {
    const name =
      piece.role === "agent"
        ? agentOfSpan(piece)
        : piece.role === "handoff" || piece.role === "tool"
          ? piece.text("handoffTo")
          : undefined;
    if (isAgentName(name) && !known.has(plainName(name))) known.set(plainName(name), name);
  }
  return (name) => (name === "" ? undefined : known.get(plainName(name)));
}

function stepOf(use: ToolUse, spell: (name: string) => string | undefined, pieces: readonly Piece[]): Step {
  const name = useName(use);
  if (name !== null && isFinalAnswer(name)) return { use, target: undefined, aside: true };
  const target = name === null ? undefined : targetOf(name, useArguments(use), spell);
  if (target === "back") return { use, target: undefined, aside: true };
  const to = target?.to ?? agentWithin(use) ?? (isUntoldTransfer(use) ? agentAfter(use, pieces) : undefined);
  return { use, target: to, aside: false };
}

/** Its arguments were not captured, and they are what says to whom. */
function isUntoldTransfer(use: ToolUse): boolean {
  const name = useName(use);
  return name !== null && isTransfer(name) && useArguments(use) === undefined;
}

/** Another agent that starts when the tool is done. */
function agentAfter(use: ToolUse, pieces: readonly Piece[]): string | undefined {
  const piece = use.spans[0]?.pieces[0];
  if (piece === undefined) return undefined;
  const from = agentAbove(piece);
  const next = pieces.find((other) => other.role === "agent" && other.start >= piece.end);
  const name = next === undefined ? undefined : agentOfSpan(next);
  return name === undefined || (from !== undefined && sameAgent(from, name)) ? undefined : name;
}

/** An agent that ran inside a tool's span: the tool was that agent. */
function agentWithin(use: ToolUse): string | undefined {
  for (const span of use.spans) {
    for (const piece of span.pieces) {
      const inner = firstAgent(piece);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}

function firstAgent(piece: Piece): string | undefined {
  const queue = [...piece.children];
  for (const one of queue) {
    if (one.role === "agent" || one.role === "workflow") {
      const name = one.role === "agent" ? agentOfSpan(one) : workflowAround(one);
      if (name !== undefined) return name;
    }
    if (one.role !== "tool") queue.push(...one.children);
  }
  return undefined;
}

/**
 * Who made each call. What the spans say counts; where they are silent, the word passes from call to call, and with a
 * hand-off to its target.
 */
function agentsOfCalls(
  evidence: Evidence,
  steps: readonly Step[],
  who: Attribution,
): Map<Call, string | null> {
  const { allCalls: calls } = evidence;
  const agents = new Map<Call, string | null>();
  const hasAgents = evidence.pieces.some(
    (piece) => piece.role === "agent" && agentOfSpan(piece) !== undefined,
  );
  const handedAfter = new Map<number, string>();
  for (const { target, use } of steps)
    if (target !== undefined && use.asked !== undefined) handedAfter.set(use.asked.call, target);
  let current: string | undefined;
  for (const [index, call] of calls.entries()) {
    const explicit = delegate(call) ?? who.agentOf(call.piece) ?? agentOnMessage(call);
    const handed = handedAfter.get(index - 1);
    const chain = hasAgents ? undefined : workflowAround(call.piece);
    const agent = explicit ?? handed ?? current ?? chain;
    if (!who.isInside(call.piece)) current = agent;
    agents.set(call, agent ?? null);
  }
  return agents;
}

/** In a transcript within another: the agent that the outer one asked for. */
function delegate(call: Call): string | undefined {
  const request = call instanceof TranscriptCall ? call.delegatedBy : undefined;
  if (request === undefined || request.name === null) return undefined;
  const target = targetOf(request.name, request.arguments, () => undefined);
  return target === undefined || target === "back" ? undefined : target.to;
}

/** A call that only a history shows belongs to the agent of the call before, which asked for it. */
function agentOfToolUse(
  use: ToolUse,
  calls: readonly Call[],
  callBefore: (at: number) => Call | undefined,
  agentOfCall: ReadonlyMap<Call, string | null>,
  who: Attribution,
): string | null {
  const piece = use.spans[0]?.pieces[0];
  const asking = use.asked === undefined ? callBefore(use.at) : calls[Math.max(use.asked.call, 0)];
  const own = piece === undefined ? undefined : who.agentOf(piece);
  return own ?? (asking === undefined ? null : (agentOfCall.get(asking) ?? null));
}

/** Finds the last of the calls that began by then, or the first. */
function callsByTime(calls: readonly Call[]): (at: number) => Call | undefined {
  // Calls that only a history tells may begin out of order: for each call the earliest start from it on, which only grows.
  const earliest = new Float64Array(calls.length);
  let least = Infinity;
  for (let index = calls.length - 1; index >= 0; index--)
    earliest[index] = least = Math.min(least, calls[index]?.start ?? Infinity);
  return (at) => {
    let from = 0;
    for (let to = calls.length; from < to;) {
      const middle = (from + to) >> 1;
      if ((earliest[middle] ?? Infinity) <= at) from = middle + 1;
      else to = middle;
    }
    return calls[Math.max(0, from - 1)];
  };
}

function handoffsOf(
  evidence: Evidence,
  steps: readonly Step[],
  agentOfCall: ReadonlyMap<Call, string | null>,
  agentOfUse: ReadonlyMap<ToolUse, string | null>,
): Handoff[] {
  const found: (Handoff & { at: number })[] = [];
  for (const { use, target } of steps) {
    if (target === undefined) continue;
    const piece = use.spans[0]?.pieces[0];
    const from = agentOfUse.get(use) ?? null;
    found.push({
      spanId: piece?.span.spanId ?? null,
      from: from !== null && sameAgent(from, target) ? null : from,
      to: target,
      kind: "tool",
      inferred: false,
      at: use.at,
    });
  }
  for (const span of handoffSpans(evidence.pieces)) addSpan(span, found);
  addChanges(evidence, agentOfCall, found);
  if (evidence.allCalls.length === 0) addNested(evidence, found);
  return found.sort((a, b) => a.at - b.at).map(({ at: _at, ...handoff }) => handoff);
}

/** A hand-off's span confirms the one that a model asked for; alone it counts when it names its target. */
function addSpan(span: HandoffSpan, found: (Handoff & { at: number })[]): void {
  const known = found.findIndex(
    ({ to, spanId, kind }) => sameAgent(to, span.to) && (kind === "tool" || spanId === null),
  );
  const one = found[known];
  if (one !== undefined)
    found[known] = { ...one, from: one.from ?? span.from, spanId: one.spanId ?? span.spanId };
  else
    found.push({
      spanId: span.spanId,
      from: span.from,
      to: span.to,
      kind: "span",
      inferred: false,
      at: span.at,
    });
}

/** A new agent's first call, with nothing that handed over to it. */
function addChanges(
  evidence: Evidence,
  agentOfCall: ReadonlyMap<Call, string | null>,
  found: (Handoff & { at: number })[],
): void {
  const seen = new Set<string>();
  let before: string | undefined;
  for (const call of evidence.calls) {
    const agent = agentOfCall.get(call) ?? undefined;
    if (agent === undefined) continue;
    const isNew = !seen.has(plainName(agent));
    seen.add(plainName(agent));
    if (isNew && before !== undefined && !found.some(({ to }) => sameAgent(to, agent))) {
      const { spanId } = call.piece.span;
      found.push({ spanId, from: before, to: agent, kind: "change", inferred: true, at: call.start });
    }
    before = agent;
  }
}

/** Without any model call in the data: an agent that answered within another's span got its work from it. */
function addNested(evidence: Evidence, found: (Handoff & { at: number })[]): void {
  for (const piece of evidence.withRole("agent")) {
    const [to, from] = [agentOfSpan(piece), agentAbove(piece)];
    if (to === undefined || from === undefined || sameAgent(from, to)) continue;
    if (!piece.has("outputMessages") && !piece.has("output")) continue;
    if (found.some((known) => sameAgent(known.to, to))) continue;
    found.push({ spanId: piece.span.spanId, from, to, kind: "change", inferred: true, at: piece.start });
  }
}

function agentAbove(piece: Piece): string | undefined {
  for (let at = piece.parent; at !== undefined; at = at.parent) {
    const name = at.role === "agent" ? agentOfSpan(at) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}
