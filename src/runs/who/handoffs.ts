import type { Handoff } from "../../model/run.ts";
import { key } from "../../model/telemetry/attribute-key.ts";
import { append } from "../../support/structures/group-by.ts";
import { wordList } from "../../support/structures/word-list.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { above, isBesideAgent } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import { wordsOf } from "../facts/attribute-words.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { ToolUse } from "../ledger/tool-use.ts";
import { plainName } from "../notations/names.ts";
import { hasAgentName, isAgentName, isNamedAgent, sameAgent } from "./agent-name.ts";
import { rootName } from "./agents.ts";

/** A hand-off whose source may be unknown. The run's agent later replaces an unknown source. */
export interface FoundHandoff extends Handoff {
  /** The requested function; null if no function was requested. */
  readonly tool: string | null;
  readonly at: number;
}

/** Words in the names of agents that orchestrate other agents. Such an agent does not hand over. */
const ordering: ReadonlySet<string> = new Set(
  wordList("sequential sequence parallel concurrent loop pipeline workflow flow graph swarm crew team group"),
);
/** Words in agent names that show that the agent only chooses another agent. */
const choosing: ReadonlySet<string> = new Set(
  wordList("triage router routing dispatcher supervisor orchestrator coordinator concierge receptionist"),
);
const SERVICE = key("service.name");

/** Returns the hand-offs of a run in order: requested ones, recorded ones, and ones inferred because a new agent began to work. */
export function handoffsOf(
  evidence: Evidence,
  uses: readonly ToolUse[],
  delegations: Delegations,
): FoundHandoff[] {
  const found = askedFor(withoutIgnored(uses, evidence));
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
  return found.sort((a, b) => a.at - b.at);
}

function change(spanId: string, from: string, to: string, at: number): FoundHandoff {
  return { spanId, from, to, kind: "change", inferred: true, tool: null, at };
}

/**
 * Leaves out requested hand-offs that were not carried out: the same model call requested hand-offs to several agents, and only another of
 * these agents worked.
 */
function withoutIgnored(uses: readonly ToolUse[], { agentNodes, calls }: Evidence): readonly ToolUse[] {
  const names = [...agentNodes.map(({ agentName }) => agentName), ...calls.map(({ agent }) => agent)];
  const worked = new Set(names.map((name) => plainName(name ?? "")));
  const isIdle = ({ target }: ToolUse): boolean => target !== null && !worked.has(plainName(target));
  const busy = uses.filter((use) => use.call !== null && use.target !== null && !isIdle(use));
  return uses.filter((use) => !isIdle(use) || !busy.some(({ call }) => call === use.call));
}

function askedFor(uses: readonly ToolUse[]): FoundHandoff[] {
  const found: FoundHandoff[] = [];
  for (const { target, executions, agent, at, call, name } of uses) {
    if (target === null) continue;
    const spanId = executions[0]?.node.span.spanId ?? null;
    // A tool span without a request is the execution of the latest hand-off request to the same agent that has no span.
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

const inName = /^(?:hand-?off|transfer) to (.+)$/i;

/**
 * Adds a hand-off span. If a tool call requested a hand-off to the same agent, the span confirms the first such request. Otherwise, the
 * span is a hand-off to the agent that it names, or else to the agent that starts next.
 */
function addSpan(node: SpanFacts, { agentNodes }: Evidence, found: FoundHandoff[]): void {
  const from = given(node.textAt(F.handoffFrom));
  const next = agentNodes.find(
    ({ start, agentName }) => start >= node.start && agentName !== null && agentName !== from,
  );
  const named = given(node.textAt(F.handoffTo)) ?? given(inName.exec(node.span.name)?.[1]);
  const to = named ?? next?.agentName ?? null;
  if (to === null) return;
  const { spanId } = node.span;
  const place = found.findIndex((one) => sameAgent(one.to, to));
  const one = found[place];
  if (one === undefined)
    found.push({ spanId, from, to, kind: "span", inferred: false, tool: null, at: node.start });
  else found[place] = { ...one, from: one.from ?? from, spanId: one.spanId ?? spanId };
}

function given(name: string | null | undefined): string | null {
  return isAgentName(name) ? name : null;
}

/** Adds a hand-off for the first call of each new agent, if no other hand-off leads to this agent. */
function addChanges(
  { calls, root }: Evidence,
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
    // If a call begins before the previous agent's call ended, the agents run in parallel, and no hand-off occurred.
    if (
      isNew &&
      before !== null &&
      before.agent !== null &&
      call.start >= before.end &&
      !isWithin(before, agent, root) &&
      !delegations.areOrdered(before, call)
    ) {
      // An agent without model calls may have received the work and passed it to this call's agent.
      const to = delegations.outermost(call.node)?.agentName ?? agent;
      const isOwn = delegations.outermost(before.node)?.agentName === to;
      if (!isOwn) add(change(call.node.span.spanId, before.agent, to, call.start));
    }
    before = call;
  }
}

/** Whether a call was made within the span of the named agent or graph. Control then returns to this agent without a hand-off. */
function isWithin({ node }: LlmCall, agent: string, root: SpanFacts): boolean {
  return (
    above(node, (at) => {
      const name = at.role === "agent" ? at.agentName : at === root ? rootName(root) : null;
      return name !== null && sameAgent(name, agent);
    }) !== null
  );
}

/**
 * Agents that run other agents and make no model call themselves. An agent without own model calls hands over if it runs a single agent, or
 * if its name shows that it only chooses an agent. Otherwise it orchestrates the agents, which is not a hand-off.
 */
export class Delegations {
  /** Pairs of an agent that hands over, and the agent that it runs. */
  readonly all: { readonly from: SpanFacts; readonly to: SpanFacts }[] = [];
  /** For each nested agent, the agent that runs it. A hand-off need not have occurred. */
  readonly #runBy = new Map<SpanFacts, SpanFacts>();

  constructor({ agentNodes, allCalls }: Evidence) {
    if (agentNodes.length < 2) return;
    const asking = new Set(allCalls.map(({ node }) => this.#owner(node)));
    const run = new Map<SpanFacts, SpanFacts[]>();
    for (const node of agentNodes) {
      if (node.agentName === null || this.#owner(node) !== node || node.parent === null) continue;
      const from = this.#owner(node.parent);
      if (from === null || asking.has(from)) continue;
      append(run, from, node);
    }
    for (const [from, inner] of run) {
      // If a span around named agents has no agent name, it is a wrapper, not an agent.
      if ((!isNamedAgent(from) || isApplication(from)) && inner.some(isNamedAgent)) continue;
      for (const node of inner) this.#runBy.set(node, from);
      if (handsOver(from, inner)) for (const to of inner) this.all.push({ from, to });
    }
  }

  /** Returns the outermost agent without model calls that ran the span's agent, directly or through other agents; null if there is none. */
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

  /**
   * Whether two agents only ran in sequence: neither span encloses the other, and the first agent's call ended with an answer and no
   * requests.
   */
  areOrdered(before: LlmCall, after: LlmCall): boolean {
    const [a, b] = [this.#owner(before.node), this.#owner(after.node)];
    if (a === null || b === null || a === b) return false;
    if (above(a, (at) => at === b) !== null || above(b, (at) => at === a) !== null) return false;
    return before.requests.length === 0 && (before.finish === "stop" || before.text !== null);
  }

  /**
   * Returns the agent span that a span belongs to; null if there is none. If spans of one agent are nested, returns the outermost of them.
   */
  #owner(node: SpanFacts): SpanFacts | null {
    let at: SpanFacts | null = hasAgentName(node) ? node : above(node, hasAgentName);
    while (at !== null) {
      const outer: SpanFacts | null = above(at, hasAgentName);
      if (outer === null || !sameAgent(at.agentName ?? "", outer.agentName ?? "")) return at;
      at = outer;
    }
    return at;
  }
}

/** Whether a span is the span of the application around the agent: a runner span with the service's name. */
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
