import type { LlmCall } from "../fragments/llm-call.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import { isDeclaredAgent, isInferred, type Scope } from "./agent-scopes.ts";
import type { Evidence } from "./evidence.ts";
import { isTransfer } from "./handoff-target.ts";
import { nodeAnswer } from "./node-answer.ts";
import { isOutputName } from "./output-tool.ts";
import { type ToolUse, nameOfUse } from "./tool-use.ts";
import { isResult } from "./unanswered-call.ts";

/**
 * A tool ran that the model asked for, before the agent's first call. A first call whose history is there and has no result of a tool shows that
 * the program itself ran the tool.
 */
export function lacksFirst(scope: Scope, evidence: Evidence): boolean {
  const { owner, ran } = scope;
  if (ran.length === 0 || owner?.role === "tool") return false;
  return isDeclaredAgent(owner) ? lacksAgentsFirst(scope, evidence) : lacksRunsFirst(scope, evidence);
}

function lacksRunsFirst({ calls, ran }: Scope, { allCalls, nodes }: Evidence): boolean {
  if (calls.length === 0) return false;
  const inputs = allCalls[0]?.inputs ?? [];
  if (inputs.length > 0 && !inputs.some(({ results }) => results.length > 0)) return false;
  const firstStart = nodes.find(({ role }) => role === "call")?.start ?? allCalls[0]?.start ?? 0;
  return ran.some(({ step: { use }, node }) => isUnseen(use) && hasId(use) && node.start < firstStart);
}

/** Within an agent's own span a program runs no tools: where nothing shows how its first call began, one that ran before it was asked for. */
function lacksAgentsFirst({ owner, calls, ran }: Scope, { allCalls, agentNodes }: Evidence): boolean {
  const [first] = calls;
  const start = first === undefined ? startAmong(allCalls, owner) : startOf(first);
  if (start === undefined) return false;
  const inputs = first?.inputs ?? [];
  const isShown =
    inputs.some(({ role }) => role === "user") && !inputs.some(({ results }) => results.length > 0);
  const requested = isShown ? namesRequested(ran) : undefined;
  return ran.some(({ step: { use }, node }) => {
    if (!isUnseen(use) || node.start >= start || mayResume(owner, node, agentNodes)) return false;
    const name = nameOfUse(use);
    return requested === undefined || (name !== null && requested.has(name));
  });
}

/** Of an agent without a call of its own: its end, unless calls lie elsewhere within its time, as some producers put them beside it. */
function startAmong(calls: readonly LlmCall[], owner: SpanNode | undefined): number | undefined {
  if (owner === undefined) return undefined;
  const isBeside = calls.some(({ start, end }) => start >= owner.start && end <= owner.end);
  return isBeside || calls.length === 0 ? undefined : owner.end;
}

function startOf({ start, around }: LlmCall): number {
  return around.reduce((first, node) => (node.start > 0 ? Math.min(first, node.start) : first), start);
}

function namesRequested(ran: Scope["ran"]): ReadonlySet<string> {
  const names = ran.map(({ step: { use } }) => (use.requested === undefined ? null : nameOfUse(use)));
  return new Set(names.filter((name) => name !== null));
}

/** No message in the data asks for it. */
function isUnseen({ requested, executions }: ToolUse): boolean {
  return requested === undefined && executions.length > 0;
}

/** Ids are a model's: what a program runs by itself has none. */
function hasId({ executions }: ToolUse): boolean {
  return executions.some(({ callId }) => callId !== undefined);
}

/** An earlier span of the same agent may have asked for it, as where a person had to agree. */
function mayResume(owner: SpanNode | undefined, tool: SpanNode, agents: readonly SpanNode[]): boolean {
  return agents.some((agent) => agent.end <= tool.start && agent.agentName === owner?.agentName);
}

/** An agent's tool ran, the agent went on to an answer of its own, and no call came after the tool. */
export function lacksLast(scope: Scope, evidence: Evidence, answer: string | null): boolean {
  const { owner, calls, ran } = scope;
  const last = calls.at(-1);
  if (last === undefined || last.failure !== null || last.text !== undefined) return false;
  const after = ran.filter(({ node }) => node.start >= last.start);
  if (after.length === 0 || (owner !== undefined && owner.failure !== null)) return false;
  // Where nothing shows that the model asked for the tools, the program may have run them and made the answer of their results.
  if (last.finish !== "tool_call" && last.requests.length === 0 && !ranSilently(scope, last, after))
    return false;
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

/** The span of the agent's last call shows neither words nor requests; the tools after it ran in the agent's own span, or have ids. */
function ranSilently({ owner }: Scope, { outputs, finish }: LlmCall, after: Scope["ran"]): boolean {
  if (!isDeclaredAgent(owner) || outputs.length > 0) return false;
  return finish === null || after.some(({ step: { use } }) => hasId(use));
}

/** A call outside these follows the tools. */
function goesOnLater(ran: Scope["ran"], calls: readonly LlmCall[], { allCalls }: Evidence): boolean {
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
  const name = nameOfUse(use);
  if (name === null || isTransfer(name) || isOutputName(name)) return false;
  const tools = use.executions.map(({ nodes: [node] }) => node);
  const within = new Nearest((node) => (tools.includes(node) ? true : undefined));
  return allCalls.some(
    (call) => within.of(call.node.parent) === true || tools.some((tool) => isDuring(call, tool)),
  );
}

/** The call began and ended while the tool ran: some producers put the agent that a tool runs beside the tool. */
function isDuring({ start, end, node }: LlmCall, tool: SpanNode): boolean {
  return node.span.traceId === tool.span.traceId && start >= tool.start && end <= tool.end && start > 0;
}
