import type { LlmCall } from "../fragments/llm-call.ts";
import { plainName } from "../messages/pick.ts";
import type { Handoff } from "../../model/run.ts";
import { sameAgent } from "../span/agent-name.ts";
import type { Agents } from "./agents.ts";
import type { Delegations } from "./delegations.ts";
import type { Evidence } from "./evidence.ts";
import { handoffSpans } from "./handoff-spans.ts";
import type { Step } from "./step.ts";
import type { ToolUse } from "./tool-use.ts";

/** Who did what in a run, as far as it is known before its hand-offs are. */
interface Work {
  readonly steps: readonly Step[];
  readonly agentOfCall: ReadonlyMap<LlmCall, string | null>;
  readonly agentOfUse: ReadonlyMap<ToolUse, string | null>;
}

type Found = Handoff & { readonly at: number };

/** The hand-offs of a run, in order: those that models asked for, those that spans show, and those that a new agent's work tells. */
export function handoffsOf(
  evidence: Evidence,
  work: Work,
  agents: Agents,
  delegations: Delegations,
): Handoff[] {
  const found = withoutTwins([...askedFor(work)]);
  if (evidence.handoffNodes.length > 0) addSpans(evidence, found);
  if (found.length === 0 && delegations.all.length === 0 && isOneAgents(evidence, work)) return found;
  const known = new Set(found.map(({ to }) => plainName(to)));
  const add = (handoff: Found): void => {
    known.add(plainName(handoff.to));
    found.push(handoff);
  };
  for (const handoff of delegated(delegations)) if (!known.has(plainName(handoff.to))) add(handoff);
  for (const change of changes(evidence, work, delegations))
    if (!known.has(plainName(change.to))) add(change);
  if (evidence.allCalls.length === 0)
    for (const nested of nestedIn(evidence, agents)) if (!known.has(plainName(nested.to))) add(nested);
  return found.sort((a, b) => a.at - b.at).map(({ at: _at, ...handoff }) => handoff);
}

/** All model calls are known to be of one agent, or of no agent: nothing changed hands between them. */
function isOneAgents({ calls, allCalls }: Evidence, { agentOfCall }: Work): boolean {
  if (allCalls.length === 0) return false;
  let only: string | undefined;
  for (const call of calls) {
    const agent = agentOfCall.get(call) ?? undefined;
    if (agent !== undefined && agent !== (only ??= agent)) return false;
  }
  return true;
}

type AskedFor = Found & { readonly isRequested: boolean };

function* askedFor({ steps, agentOfUse }: Work): Generator<AskedFor> {
  for (const { use, target } of steps) {
    if (target === undefined) continue;
    const node = use.executions[0]?.nodes[0];
    const from = agentOfUse.get(use) ?? null;
    yield {
      spanId: node?.span.spanId ?? null,
      from: from !== null && sameAgent(from, target) ? null : from,
      to: target,
      kind: "tool",
      inferred: false,
      at: use.at,
      isRequested: use.requested !== undefined,
    };
  }
}

/** A tool's span that hands over and that nothing asked for shows the request before it to the same agent, which has no span. */
function withoutTwins(all: readonly AskedFor[]): Found[] {
  const found: AskedFor[] = [];
  for (const one of all) {
    const place = one.isRequested ? -1 : found.findLastIndex((other) => isTwin(other, one));
    const request = found[place];
    if (request === undefined) found.push(one);
    else found[place] = { ...request, spanId: one.spanId };
  }
  return found.map(({ isRequested: _isRequested, ...handoff }) => handoff);
}

function isTwin(request: AskedFor, { to }: AskedFor): boolean {
  return request.isRequested && request.spanId === null && sameAgent(request.to, to);
}

/** A hand-off's span confirms the first that a model asked for; alone it counts when it names its target. */
function addSpans({ nodes }: Evidence, found: Found[]): void {
  const asked = new Map<string, number>();
  for (const [place, { to }] of found.entries())
    if (!asked.has(plainName(to))) asked.set(plainName(to), place);
  for (const { spanId, from, to, at } of handoffSpans(nodes)) {
    const place = asked.get(plainName(to)) ?? -1;
    const one = found[place];
    if (one === undefined) found.push({ spanId, from, to, kind: "span", inferred: false, at });
    else found[place] = { ...one, from: one.from ?? from, spanId: one.spanId ?? spanId };
  }
}

/** From agents that asked no model themselves. */
function* delegated({ all }: Delegations): Generator<Found> {
  for (const { from, to } of all) {
    if (from.agentName === undefined || to.agentName === undefined) continue;
    const { spanId } = to.span;
    yield { spanId, from: from.agentName, to: to.agentName, kind: "change", inferred: true, at: to.start };
  }
}

/** A new agent's first call; it is a hand-off where nothing handed over to it. */
function* changes({ calls }: Evidence, { agentOfCall }: Work, delegations: Delegations): Generator<Found> {
  const seen = new Set<string>();
  let before: { readonly agent: string; readonly call: LlmCall } | undefined;
  for (const call of calls) {
    const agent = agentOfCall.get(call) ?? undefined;
    if (agent === undefined) continue;
    const isNew = !seen.has(plainName(agent));
    seen.add(plainName(agent));
    // Who hands over is done with its call: agents whose calls overlap work side by side.
    const isAfter = before !== undefined && call.start >= before.call.end;
    if (isNew && before !== undefined && isAfter && !delegations.areOrdered(before.call, call)) {
      // An agent that asks no model itself got the work, and gave it to this one.
      const to = delegations.outermost(call.node)?.agentName ?? agent;
      const isOwn = delegations.outermost(before.call.node)?.agentName === to;
      const { spanId } = call.node.span;
      if (!isOwn) yield { spanId, from: before.agent, to, kind: "change", inferred: true, at: call.start };
    }
    before = { agent, call };
  }
}

/** Without any model call in the data: an agent that answered within another's span got its work from it. */
function* nestedIn(evidence: Evidence, agents: Agents): Generator<Found> {
  for (const node of evidence.agentNodes) {
    const [to, from] = [node.agentName, agents.above(node)];
    if (to === undefined || from === undefined || sameAgent(from, to)) continue;
    if (!node.has("outputMessages") && !node.has("output")) continue;
    yield { spanId: node.span.spanId, from, to, kind: "change", inferred: true, at: node.start };
  }
}
