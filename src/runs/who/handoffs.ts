import { key } from "../../model/telemetry/attribute-key.ts";
import { wordList } from "../../support/structures/word-list.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { above, isBesideAgent } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import { wordsOf } from "../facts/attribute-words.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { ToolUse } from "../ledger/tool-use.ts";
import { plainName } from "../notations/names.ts";
import { isAgentName, isNamedAgent, sameAgent } from "./agent-name.ts";

/** A hand-off, before the run's own agent stands in for an unknown giver. */
export interface FoundHandoff {
  readonly spanId: string | null;
  readonly from: string | null;
  readonly to: string;
  readonly kind: string;
  readonly inferred: boolean;
  /** The function by which it was asked for; null where none was. */
  readonly tool: string | null;
  readonly at: number;
}

/** Words in the names of agents that only order others: these hand over nothing. */
const ordering: ReadonlySet<string> = new Set(
  wordList("sequential sequence parallel concurrent loop pipeline workflow flow graph swarm crew team group"),
);
/** Words in the names of agents that choose whom to hand over to. */
const choosing: ReadonlySet<string> = new Set(
  wordList("triage router routing dispatcher supervisor orchestrator coordinator concierge receptionist"),
);
const SERVICE = key("service.name");

/** The hand-offs of a run, in order: those that models asked for, those that spans show, and those that a new agent's work tells. */
export function handoffsOf(
  evidence: Evidence,
  uses: readonly ToolUse[],
  delegations: Delegations,
): FoundHandoff[] {
  const found = askedFor(uses);
  for (const span of evidence.handoffNodes) addSpan(span, evidence, found);
  const known = new Set(found.map(({ to }) => plainName(to)));
  const add = (handoff: FoundHandoff): void => {
    if (known.has(plainName(handoff.to))) return;
    known.add(plainName(handoff.to));
    found.push(handoff);
  };
  for (const { from, to } of delegations.all)
    if (from.agentName !== null && to.agentName !== null)
      add(change(to.span.spanId, from.agentName, to.agentName, to.start));
  addChanges(evidence, delegations, add);
  if (evidence.allCalls.length === 0) addNested(evidence, add);
  return found.sort((a, b) => a.at - b.at);
}

function change(spanId: string, from: string, to: string, at: number): FoundHandoff {
  return { spanId, from, to, kind: "change", inferred: true, tool: null, at };
}

function askedFor(uses: readonly ToolUse[]): FoundHandoff[] {
  const found: FoundHandoff[] = [];
  for (const { target, executions, agent, at, call, name } of uses) {
    if (target === null) continue;
    const spanId = executions[0]?.node.span.spanId ?? null;
    // A tool's span that nothing asked for shows the request before it to the same agent, which has no span.
    const twin =
      call === null ? found.findLastIndex((one) => one.spanId === null && sameAgent(one.to, target)) : -1;
    const request = found[twin];
    if (request !== undefined) found[twin] = { ...request, spanId };
    else
      found.push({
        spanId,
        from: agent !== null && sameAgent(agent, target) ? null : agent,
        to: target,
        kind: "tool",
        inferred: false,
        tool: name,
        at,
      });
  }
  return found;
}

const spanNames: readonly RegExp[] = [
  /^(?:hand-?off|handoff):?\s+(?<from>.+?)\s*(?:→|->)\s*(?<to>.+)$/i,
  /^(?<from>.+?)\s*(?:→|->)\s*(?<to>.+?)(?:\.handoff)?$/i,
  /^(?:handoff|transfer) to (?<to>.+)$/i,
];

/** A hand-off's span confirms the first that a model asked for; alone it counts when it names its target, or when an agent starts next. */
function addSpan(node: SpanFacts, { agentNodes }: Evidence, found: FoundHandoff[]): void {
  let groups: Record<string, string | undefined> = {};
  for (const pattern of spanNames) {
    const match = pattern.exec(node.span.name)?.groups;
    if (match === undefined) continue;
    groups = match;
    break;
  }
  const from = [node.textAt(F.handoffFrom), groups["from"]].find(isAgentName) ?? null;
  const next = agentNodes.find(
    ({ start, agentName }) => start >= node.start && agentName !== null && agentName !== from,
  );
  const to = [node.textAt(F.handoffTo), groups["to"]].find(isAgentName) ?? next?.agentName ?? null;
  if (to === null) return;
  const { spanId } = node.span;
  const place = found.findIndex((one) => sameAgent(one.to, to));
  const one = found[place];
  if (one === undefined)
    found.push({ spanId, from, to, kind: "span", inferred: false, tool: null, at: node.start });
  else found[place] = { ...one, from: one.from ?? from, spanId: one.spanId ?? spanId };
}

/** A new agent's first call is a hand-off where nothing handed over to it. */
function addChanges(
  { calls }: Evidence,
  delegations: Delegations,
  add: (handoff: FoundHandoff) => void,
): void {
  const seen = new Set<string>();
  let before: LlmCall | null = null;
  for (const call of calls) {
    const { agent } = call;
    if (agent === null || isBesideAgent(call.node)) continue;
    const isNew = !seen.has(plainName(agent));
    seen.add(plainName(agent));
    // Who hands over is done with its call: agents whose calls overlap work side by side.
    if (
      isNew &&
      before !== null &&
      before.agent !== null &&
      call.start >= before.end &&
      !delegations.areOrdered(before, call)
    ) {
      // An agent that asks no model itself got the work, and gave it to this one.
      const to = delegations.outermost(call.node)?.agentName ?? agent;
      const isOwn = delegations.outermost(before.node)?.agentName === to;
      if (!isOwn) add(change(call.node.span.spanId, before.agent, to, call.start));
    }
    before = call;
  }
}

/** Without any model call in the data: an agent that answered within another's span got its work from it. */
function addNested({ agentNodes }: Evidence, add: (handoff: FoundHandoff) => void): void {
  for (const node of agentNodes) {
    const outer = above(node, (at) => at.role === "agent" && at.agentName !== null);
    if (node.agentName === null || outer?.agentName == null || sameAgent(outer.agentName, node.agentName))
      continue;
    if (!node.hasField(F.outputMessages) && !node.hasField(F.output)) continue;
    add(change(node.span.spanId, outer.agentName, node.agentName, node.start));
  }
}

/**
 * The agents whose spans have no model call of their own and run other agents. One that runs one agent, or whose name says that it chooses,
 * hands over to it; others only order the agents within.
 */
export class Delegations {
  /** Those that hand over. */
  readonly all: { readonly from: SpanFacts; readonly to: SpanFacts }[] = [];
  /** By the agent that is run, the one that runs it, whether it hands over or not. */
  readonly #runBy = new Map<SpanFacts, SpanFacts>();

  constructor({ agentNodes, allCalls }: Evidence) {
    if (agentNodes.length < 2) return;
    const asking = new Set(allCalls.map(({ node }) => this.#owner(node)));
    const run = new Map<SpanFacts, SpanFacts[]>();
    for (const node of agentNodes) {
      if (node.agentName === null || this.#owner(node) !== node || node.parent === null) continue;
      const from = this.#owner(node.parent);
      if (from === null || asking.has(from)) continue;
      const known = run.get(from);
      if (known === undefined) run.set(from, [node]);
      else known.push(node);
    }
    for (const [from, inner] of run) {
      // A span's own name may be a wrapper's: beside an agent that a producer names it is.
      if ((!isNamedAgent(from) || isApplication(from)) && inner.some(isNamedAgent)) continue;
      for (const node of inner) this.#runBy.set(node, from);
      if (handsOver(from, inner)) for (const to of inner) this.all.push({ from, to });
    }
  }

  /** The outermost agent that, directly or over others, ran the one at work in a span and asked no model itself; null for none. */
  outermost(node: SpanFacts): SpanFacts | null {
    if (this.#runBy.size === 0) return null;
    const at = this.#owner(node);
    let outer: SpanFacts | null = null;
    for (
      let from = at === null ? undefined : this.#runBy.get(at);
      from !== undefined;
      from = this.#runBy.get(from)
    )
      outer = from;
    return outer;
  }

  /** Whether two agents only worked one after the other: their spans lie beside each other, and the first asked for nothing more. */
  areOrdered(before: LlmCall, after: LlmCall): boolean {
    const [a, b] = [this.#owner(before.node), this.#owner(after.node)];
    if (a === null || b === null || a === b) return false;
    if (above(a, (at) => at === b) !== null || above(b, (at) => at === a) !== null) return false;
    return before.requests.length === 0 && (before.finish === "stop" || before.text !== null);
  }

  /** The agent at work in a span: of spans of one agent within each other the outermost; null for none. */
  #owner(node: SpanFacts): SpanFacts | null {
    let at: SpanFacts | null = isNamed(node) ? node : above(node, isNamed);
    while (at !== null) {
      const outer: SpanFacts | null = above(at, isNamed);
      if (outer === null || !sameAgent(at.agentName ?? "", outer.agentName ?? "")) return at;
      at = outer;
    }
    return at;
  }
}

function isNamed({ role, agentName }: SpanFacts): boolean {
  return role === "agent" && agentName !== null;
}

/** A runner's span that is called like the service: the application around the agent. */
function isApplication({ agentName, span }: SpanFacts): boolean {
  const service = span.resource.text(SERVICE);
  return agentName !== null && service !== undefined && sameAgent(agentName, service);
}

function handsOver(from: SpanFacts, inner: readonly SpanFacts[]): boolean {
  if (from.dialects.onlyOrders) return false;
  const words = wordsOf(from.agentName ?? "");
  if (words.some((word) => choosing.has(word))) return true;
  return inner.length === 1 && !words.some((word) => ordering.has(word));
}
