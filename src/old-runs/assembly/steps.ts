import type { LlmCall } from "../fragments/llm-call.ts";
import { TranscriptCall } from "../fragments/transcript-calls.ts";
import { plainName } from "../messages/pick.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { Handoff } from "../../model/run.ts";
import { collectRequests } from "./requested-tools.ts";
import { isAgentName } from "../span/agent-name.ts";
import { Agents } from "./agents.ts";
import { agentOnMessage, Attribution, namedWithin, workflowName } from "./attribution.ts";
import { Delegations } from "./delegations.ts";
import type { Evidence } from "./evidence.ts";
import { isFinalAnswer, isTransfer, targetOf } from "./handoff-target.ts";
import { handoffsOf } from "./handoffs.ts";
import { outputUses } from "./output-tool.ts";
import type { Step } from "./step.ts";
import { toolExecutions } from "./tool-executions.ts";
import { ranUnrequested } from "./unrequested-tools.ts";
import { type ToolUse, argumentsOfUse, nameOfUse } from "./tool-use.ts";
import { matchUses } from "./tool-uses.ts";

/** What the agents of a run did, in order, and who did it. */
export interface Steps {
  readonly steps: readonly Step[];
  readonly handoffs: readonly Handoff[];
  /** The agent that, without a model call of its own, handed over to the agent of the first call. */
  readonly outerAgent: string | undefined;
  /** The agent that a producer names, where the outermost span has only a name of its own. */
  readonly namedAgent: string | undefined;
  readonly agentOfCall: ReadonlyMap<LlmCall, string | null>;
  readonly agentOfUse: ReadonlyMap<ToolUse, string | null>;
  /** Some model call has no span: a later one's history shows what it asked for. */
  readonly isCallLost: boolean;
}

export function readSteps(evidence: Evidence): Steps {
  const { allCalls: calls, nodes } = evidence;
  const spans = toolExecutions(evidence.toolNodes);
  const { asked, isCallLost } = collectRequests(calls);
  const uses = matchUses(asked, spans, calls);
  const agents = new Agents(evidence.agentNodes);
  const spell = speller(nodes);
  const outputs = outputUses(evidence, uses);
  const steps = uses.map((use) => stepOf(use, outputs?.get(nameOfUse(use)), spell, agents));
  const targets = new Map<SpanNode, string>();
  const named: string[] = [];
  for (const { use, target } of steps) {
    if (target === undefined) continue;
    named.push(target);
    for (const span of use.executions) for (const node of span.nodes) targets.set(node, target);
  }
  const namedAgent = namedWithin(evidence);
  const who = new Attribution(evidence, targets, named, namedAgent === undefined ? undefined : evidence.root);
  const agentOfCall = agentsOfCalls(evidence, steps, who);
  const before = callsByTime(calls);
  const agentOfUse = new Map<ToolUse, string | null>();
  for (const use of uses) agentOfUse.set(use, agentOfToolUse(use, calls, before, agentOfCall, who));
  const delegations = new Delegations(evidence.agentNodes, calls);
  const handoffs = handoffsOf(evidence, { steps, agentOfCall, agentOfUse }, agents, delegations);
  const outer = calls[0] === undefined ? undefined : delegations.outermost(calls[0].node)?.agentName;
  return {
    steps,
    handoffs,
    outerAgent: outer,
    namedAgent,
    agentOfCall,
    agentOfUse,
    isCallLost: isCallLost || ranUnrequested(uses, calls),
  };
}

/** The agents' own spelling of their names, as spans of agents and hand-offs give it. */
function speller(nodes: readonly SpanNode[]): (name: string) => string | undefined {
  let known: Map<string, string> | undefined;
  return (name) => {
    if (name === "") return undefined;
    known ??= spellings(nodes);
    return known.size === 0 ? undefined : known.get(plainName(name));
  };
}

function spellings(nodes: readonly SpanNode[]): Map<string, string> {
  const known = new Map<string, string>();
  for (const node of nodes) {
    const { role } = node;
    const name =
      role === "agent"
        ? node.agentName
        : role === "handoff" || role === "tool"
          ? node.text("handoffTo")
          : undefined;
    if (isAgentName(name) && !known.has(plainName(name))) known.set(plainName(name), name);
  }
  return known;
}

function stepOf(
  use: ToolUse,
  output: string | undefined,
  spell: (name: string) => string | undefined,
  agents: Agents,
): Step {
  const name = nameOfUse(use);
  const target =
    name === null || isFinalAnswer(name) ? undefined : targetOf(name, argumentsOfUse(use), spell);
  if (target === "back") return { use, target: undefined, isControl: true, output: undefined };
  if (target === undefined && output !== undefined) return { use, target, isControl: true, output };
  const to = target?.to ?? agents.within(use) ?? (isUntoldTransfer(use) ? agents.after(use) : undefined);
  return { use, target: to, isControl: false, output: undefined };
}

/** Its arguments were not captured, and they are what says to whom. */
function isUntoldTransfer(use: ToolUse): boolean {
  const name = nameOfUse(use);
  return name !== null && isTransfer(name) && argumentsOfUse(use) === undefined;
}

/**
 * Who made each call. What the spans say counts; where they are silent, the word passes from call to call, and with a
 * hand-off to its target.
 */
function agentsOfCalls(
  evidence: Evidence,
  steps: readonly Step[],
  who: Attribution,
): Map<LlmCall, string | null> {
  const { allCalls: calls } = evidence;
  const agents = new Map<LlmCall, string | null>();
  let handedAfter: Map<number, string> | undefined;
  for (const { target, use } of steps)
    if (target !== undefined && use.requested !== undefined && !who.hasReturned(use, calls))
      (handedAfter ??= new Map()).set(use.requested.call, target);
  const workflow = who.hasAgents ? undefined : new Nearest(workflowName);
  let current: string | undefined;
  for (const [index, call] of calls.entries()) {
    const explicit = delegate(call) ?? who.agentOf(call.node) ?? agentOnMessage(call);
    const handed = handedAfter?.get(index - 1);
    const chain = workflow?.of(call.node);
    const agent = explicit ?? handed ?? current ?? chain;
    if (!who.isInside(call.node)) current = agent;
    agents.set(call, agent ?? null);
  }
  return agents;
}

/** In a transcript within another: the agent that the outer one asked for. */
function delegate(call: LlmCall): string | undefined {
  const request = call instanceof TranscriptCall ? call.delegatedBy : undefined;
  if (request === undefined || request.name === null) return undefined;
  const target = targetOf(request.name, request.arguments, () => undefined);
  return target === undefined || target === "back" ? undefined : target.to;
}

/** A call that only a history shows belongs to the agent of the call before, which asked for it. */
function agentOfToolUse(
  use: ToolUse,
  calls: readonly LlmCall[],
  callBefore: (at: number) => LlmCall | undefined,
  agentOfCall: ReadonlyMap<LlmCall, string | null>,
  who: Attribution,
): string | null {
  const node = use.executions[0]?.nodes[0];
  const asking = use.requested === undefined ? callBefore(use.at) : calls[Math.max(use.requested.call, 0)];
  const own = node === undefined ? undefined : who.agentOf(node);
  return own ?? (asking === undefined ? null : (agentOfCall.get(asking) ?? null));
}

/** Finds the last of the calls that began by then, or the first. */
function callsByTime(calls: readonly LlmCall[]): (at: number) => LlmCall | undefined {
  let earliest: Float64Array | undefined;
  return (at) => {
    earliest ??= earliestStarts(calls);
    let from = 0;
    for (let to = calls.length; from < to;) {
      const middle = (from + to) >> 1;
      if ((earliest[middle] ?? Infinity) <= at) from = middle + 1;
      else to = middle;
    }
    return calls[Math.max(0, from - 1)];
  };
}

/** Calls that only a history tells may begin out of order: for each call the earliest start from it on, which only grows. */
function earliestStarts(calls: readonly LlmCall[]): Float64Array {
  const earliest = new Float64Array(calls.length);
  let least = Infinity;
  for (let index = calls.length - 1; index >= 0; index--)
    earliest[index] = least = Math.min(least, calls[index]?.start ?? Infinity);
  return earliest;
}
