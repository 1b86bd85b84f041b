import type { Message } from "../../model/message.ts";
import type { LlmCall } from "../fragments/llm-call.ts";
import { nodeUsage } from "../fragments/tokens.ts";
import { TranscriptCall } from "../fragments/transcript-calls.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import { nodeAnswer } from "./node-answer.ts";
import type { Evidence } from "./evidence.ts";
import { isReturn, isTransfer } from "./handoff-target.ts";
import { isOutputName } from "./output-tool.ts";
import { failureOf } from "./status.ts";
import type { Step } from "./step.ts";
import { emptyStep } from "./empty-step.ts";
import type { ToolExecution } from "./tool-executions.ts";
import { type ToolUse, useName } from "./tool-use.ts";
import { isResult } from "./unanswered-call.ts";

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
  | "step";

/** What is known of a run besides its evidence. */
interface Known {
  readonly steps: readonly Step[];
  readonly query: string | null;
  readonly answer: string | null;
}

/** What shows that a model call is not in the data; undefined where nothing does. */
export function lossOf(evidence: Evidence, known: Known): Loss | undefined {
  const { calls } = evidence;
  if (calls.length === 0) return undefined;
  const scopes = scopesOf(evidence, known.steps);
  if (scopes.some((scope) => lacksFirst(scope, evidence))) return "first";
  if (failureOf(evidence) === undefined && scopes.some((scope) => lacksLast(scope, evidence, known.answer)))
    return "last";
  if (showsMoreTurns(calls, known.query)) return "turn";
  if (countsMore(evidence, known.query)) return "usage";
  if (showsBareCall(evidence)) return "bare";
  return !(calls[0] instanceof TranscriptCall) && emptyStep(evidence) !== undefined ? "step" : undefined;
}

/** What one agent, or one tool that runs an agent, did itself: not what further agents and tools within it did. */
interface Scope {
  /** The agent's or tool's span; undefined for what lies in none. */
  readonly owner: SpanNode | undefined;
  /** By start. */
  readonly calls: LlmCall[];
  readonly ran: { readonly step: Step; readonly node: SpanNode }[];
}

function scopesOf({ allCalls }: Evidence, steps: readonly Step[]): Scope[] {
  const owners = new Nearest((node) => (node.role === "agent" || node.role === "tool" ? node : undefined));
  const scopes = new Map<SpanNode | undefined, Scope>();
  const scopeOf = (node: SpanNode): Scope => {
    const owner = owners.of(node.parent);
    let scope = scopes.get(owner);
    if (scope === undefined) scopes.set(owner, (scope = { owner, calls: [], ran: [] }));
    return scope;
  };
  for (const call of allCalls) scopeOf(call.node).calls.push(call);
  for (const step of steps) {
    const node = step.use.executions[0]?.nodes[0];
    if (node !== undefined) scopeOf(node).ran.push({ step, node });
  }
  return [...scopes.values()];
}

/** A first call whose history is there and has no result of a tool shows that the program itself ran the tool. */
function lacksFirst({ owner, calls, ran }: Scope, { allCalls, nodes }: Evidence): boolean {
  if (calls.length === 0 || owner?.role === "tool") return false;
  const inputs = allCalls[0]?.inputs ?? [];
  if (inputs.length > 0 && !inputs.some(({ results }) => results.length > 0)) return false;
  const firstStart = nodes.find(({ role }) => role === "call")?.start ?? allCalls[0]?.start ?? 0;
  return ran.some(
    ({ step: { use }, node }) =>
      use.requested === undefined && use.executions.some(isAsked) && node.start < firstStart,
  );
}

/** Ids are a model's: what a program runs by itself has none. */
function isAsked({ callId }: ToolExecution): boolean {
  return callId !== undefined;
}

function lacksLast({ owner, calls, ran }: Scope, evidence: Evidence, answer: string | null): boolean {
  const last = calls.at(-1);
  if (last === undefined || last.failure !== null || last.text !== undefined) return false;
  // Where nothing shows that the model asked for the tools, the program may have run them and made the answer of their results.
  if (last.finish !== "tool_call" && last.requests.length === 0) return false;
  const after = ran.filter(({ node }) => node.start >= last.start);
  if (after.length === 0 || (owner !== undefined && owner.failure !== null)) return false;
  if (after.some(({ node }) => node.end <= last.end && node.parent !== last.node)) return false;
  if (goesOnElsewhere(last, evidence)) return false;
  if (isInferred(owner) && goesOnLater(after, calls, evidence)) return false;
  const said = owner === undefined || owner === evidence.root ? answer : saidBy(owner);
  const isStopped = owner === undefined || evidence.calls.some(({ outputs }) => outputs.length > 0);
  if (said === null && answer === null && isStopped) return false;
  return !after.some(
    ({ step: { isControl, target, use } }) =>
      isControl ||
      (target !== undefined && !isDelegation(use, evidence)) ||
      (said !== null && use.executions.some(({ result }) => isResult(said, result))),
  );
}

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

/** No adapter says what the span is: its bounds may be drawn wrongly. */
function isInferred(owner: SpanNode | undefined): boolean {
  return owner === undefined || owner.reading.dialects.adapters.length === 0;
}

/** A call outside these follows the tools. */
function goesOnLater(ran: Scope["ran"], calls: Scope["calls"], { allCalls }: Evidence): boolean {
  const end = Math.max(...ran.map(({ node }) => node.end));
  return allCalls.some((call) => call.start >= end && !calls.includes(call));
}

/** The run was paused, and goes on in another trace. */
function goesOnElsewhere({ start, node }: LlmCall, { allCalls }: Evidence): boolean {
  return allCalls.some((other) => other.start > start && other.node.span.traceId !== node.span.traceId);
}

/** What an agent's or a tool's span shows as its output; null where it shows none. */
function saidBy(owner: SpanNode): string | null {
  if (owner.role !== "tool") return nodeAnswer(owner) ?? null;
  const { result = null } = owner.tool;
  return result === null || typeof result === "string" ? result : JSON.stringify(result);
}

/** A tool that ran another agent whose words come back to the agent that used it: no hand-off. */
function isDelegation(use: ToolUse, { allCalls }: Evidence): boolean {
  const name = useName(use);
  if (name === null || isTransfer(name) || isOutputName(name)) return false;
  const tools = new Set(use.executions.map(({ nodes: [node] }) => node));
  const within = new Nearest((node) => (tools.has(node) ? true : undefined));
  return allCalls.some(({ node }) => within.of(node.parent) === true);
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
export function countsMore({ agentNodes, calls }: Evidence, query: string | null): boolean {
  if (mayHaveEarlierTurns(calls[0], query)) return false;
  const counting = agentNodes.filter(({ counts }) => counts.input !== undefined);
  if (counting.length === 0) return false;
  const agents = new Nearest((node) => (node.role === "agent" ? node : undefined));
  const sums = new Map<SpanNode, number>();
  for (const { node, usage } of calls)
    for (let at = agents.of(node.parent); at !== undefined; at = agents.of(at.parent))
      sums.set(at, (sums.get(at) ?? 0) + (usage.input ?? NaN));
  return counting.some((agent) => (nodeUsage(agent).input ?? 0) > (sums.get(agent) ?? NaN));
}

function mayHaveEarlierTurns(first: LlmCall | undefined, query: string | null): boolean {
  const messages = first?.inputs ?? [];
  const place = messages.findLastIndex(({ role, text }) => role === "user" && text === query);
  return place < 0 || messages.slice(0, place).some(({ role }) => role === "assistant");
}
