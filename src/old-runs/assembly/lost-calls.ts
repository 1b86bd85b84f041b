import type { Message } from "../../model/message.ts";
import type { LlmCall } from "../fragments/llm-call.ts";
import { nodeUsage } from "../fragments/tokens.ts";
import { TranscriptCall } from "../fragments/transcript-calls.ts";
import { Nearest } from "../span/nearest.ts";
import { sameAgent } from "../span/agent-name.ts";
import type { SpanNode } from "../span/span-node.ts";
import { scopesOf } from "./agent-scopes.ts";
import { emptyAgent } from "./empty-agent.ts";
import { emptyStep } from "./empty-step.ts";
import type { Evidence } from "./evidence.ts";
import { isReturn } from "./handoff-target.ts";
import { lacksFirst, lacksLast } from "./scope-losses.ts";
import { failureOf } from "./status.ts";
import type { Step } from "./step.ts";
import type { ToolUse } from "./tool-use.ts";

/** What shows that a model call was made of which the data hold no span. */
export type Loss =
  /** A tool ran before the first call. */
  | "first"
  /** An agent's tool ran, the agent went on to an answer of its own, and no call came after the tool. */
  | "last"
  /** A call's history holds more turns of the model than there are calls before it. */
  | "turn"
  /** An agent's own span counts more tokens than the calls within it. */
  | "usage"
  /** A span is named like those of the model calls, and shows nothing of one. */
  | "bare"
  /** A step holds no call although steps of its name do. */
  | "step"
  /** An agent's span holds no call although those of other agents do. */
  | "agent"
  /** An agent was given work by a tool, gave a result, and has no call. */
  | "delegate"
  /** A span like those below the model calls hangs below a span that never came. */
  | "orphan";

/** What is known of a run besides its evidence. */
interface Known {
  readonly steps: readonly Step[];
  readonly query: string | null;
  readonly answer: string | null;
  readonly agentOfCall: ReadonlyMap<LlmCall, string | null>;
}

/** What shows that a model call is not in the data; undefined where nothing does. */
export function lossOf(evidence: Evidence, known: Known): Loss | undefined {
  const { calls } = evidence;
  if (calls.length === 0) return undefined;
  if (showsBareCall(evidence)) return "bare";
  const scopes = scopesOf(evidence, known.steps);
  if (scopes.some((scope) => lacksFirst(scope, evidence))) return "first";
  if (failureOf(evidence) === undefined && scopes.some((scope) => lacksLast(scope, evidence, known.answer)))
    return "last";
  if (showsMoreTurns(calls, known.query)) return "turn";
  if (countsMore(evidence, known.query)) return "usage";
  if (hasOrphan(evidence)) return "orphan";
  if (known.steps.some((step) => lacksDelegate(step, known.agentOfCall))) return "delegate";
  if (calls[0] instanceof TranscriptCall) return undefined;
  if (emptyStep(evidence) !== undefined) return "step";
  return emptyAgent(evidence) === undefined ? undefined : "agent";
}

/** The request of the client that made the call, say. */
function hasOrphan({ root, nodes }: Evidence): boolean {
  const orphans = new Set<string>();
  for (const node of nodes)
    if (!node.parentCame && node !== root && node.span.parentSpanId !== undefined && node.role !== "call")
      orphans.add(kindOf(node));
  return orphans.size > 0 && nodes.some((node) => node.parent?.role === "call" && orphans.has(kindOf(node)));
}

/** A hand-off that brought words back, to an agent that made no call; where it is not known who made each call, nothing is. */
function lacksDelegate({ target, use }: Step, agentOfCall: Known["agentOfCall"]): boolean {
  if (target === undefined || !bringsWords(use)) return false;
  const agents = [...agentOfCall.values()];
  return agents.length > 0 && agents.every((agent) => agent !== null && !sameAgent(agent, target));
}

/** A tool that only hands over returns a name, or a note that it did so. */
function bringsWords({ requested, executions }: ToolUse): boolean {
  const content = requested?.result?.content ?? executions.find(({ result }) => result !== undefined)?.result;
  return typeof content === "string" && content.length > MOST_IN_A_NOTE;
}

const MOST_IN_A_NOTE = 60;

/**
 * A span that lost attributes: it is named like the model calls, has far fewer attributes than each of them, and shows nothing of a call. Names
 * that whole spans of other kinds have as well (every task of a workflow, say) show nothing.
 */
function showsBareCall({ nodes, allCalls }: Evidence): boolean {
  const own = new Set<SpanNode>();
  const leastAttributes = new Map<string, number>();
  for (const { node, around } of allCalls) {
    own.add(node);
    for (const layer of around) own.add(layer);
    const kind = kindOf(node);
    leastAttributes.set(kind, Math.min(node.span.size, leastAttributes.get(kind) ?? Infinity));
  }
  const within = new Nearest((node) => (own.has(node) ? true : undefined));
  const bareKinds = new Set<string>();
  const otherKinds = new Set<string>();
  for (const node of nodes) {
    const least = leastAttributes.get(kindOf(node));
    if (least === undefined || own.has(node) || within.of(node) !== undefined) continue;
    const isBare =
      (node.role === "unknown" || node.role === "step") &&
      node.children.length === 0 &&
      node.span.size <= 0.75 * least;
    (isBare ? bareKinds : otherKinds).add(kindOf(node));
  }
  return [...bareKinds].some((kind) => !otherKinds.has(kind));
}

function kindOf({ span }: SpanNode): string {
  return `${span.scopeName}\n${span.name}`;
}

/** Only the first and the last history are counted: reading all would take the square of a long run's length. */
function showsMoreTurns(calls: readonly LlmCall[], query: string | null): boolean {
  if (query === null) return false;
  return [0, calls.length - 1].some((at) => turnsAfter(calls[at]?.inputs ?? [], query) > at);
}

/** The model's turns after the query that something followed; a history may end with the call's own output. */
function turnsAfter(messages: readonly Message[], query: string): number {
  const from = messages.findLastIndex(({ role, text }) => role === "user" && text === query);
  if (from < 0) return 0;
  let turns = 0;
  for (let at = from + 2; at < messages.length; at++)
    if (messages[at]?.role !== "assistant" && isTurn(messages[at - 1])) turns++;
  return turns;
}

/** Frameworks write the return to an earlier agent into the history by themselves. */
function isTurn(message: Message | undefined): boolean {
  if (message?.role !== "assistant") return false;
  return message.calls.length === 0 || !message.calls.every(({ name }) => isReturn(name));
}

/**
 * Whether an agent's span counts more input tokens than all calls within it, each of which is counted. Where there were earlier turns, it may
 * count those as well.
 */
export function countsMore(evidence: Evidence, query: string | null): boolean {
  const { agentNodes, calls } = evidence;
  if (mayHaveEarlierTurns(calls[0], query)) return false;
  const counting = agentNodes.filter(({ counts }) => counts.input !== undefined);
  if (counting.length === 0) return false;
  const sums = inputsWithin(evidence);
  return counting.some((agent) => (nodeUsage(agent).input ?? 0) > (sums.get(agent) ?? NaN));
}

/** For each agent's span the input tokens of all calls within it; NaN where one is not counted. */
export function inputsWithin({ calls }: Evidence): Map<SpanNode, number> {
  const agents = new Nearest((node) => (node.role === "agent" ? node : undefined));
  const sums = new Map<SpanNode, number>();
  for (const { node, usage } of calls)
    for (let at = agents.of(node.parent); at !== undefined; at = agents.of(at.parent))
      sums.set(at, (sums.get(at) ?? 0) + (usage.input ?? NaN));
  return sums;
}

function mayHaveEarlierTurns(first: LlmCall | undefined, query: string | null): boolean {
  const messages = first?.inputs ?? [];
  const place = messages.findLastIndex(({ role, text }) => role === "user" && text === query);
  return place < 0 || messages.slice(0, place).some(({ role }) => role === "assistant");
}
