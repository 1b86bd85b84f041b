import type { JsonValue } from "../../model/json.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { above, isAgent, isAgentOrTool, isTool } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { isOutputName } from "../ledger/output-tools.ts";
import type { ToolUse } from "../ledger/tool-use.ts";
import { answerOfSpan } from "../results/speakers.ts";
import { isTransfer } from "../who/handoff-target.ts";

/** What one agent, or one tool that runs an agent, did itself: not what further agents and tools within it did. */
export interface Scope {
  /** The agent's or tool's span; null for calls and tools outside of any. */
  readonly owner: SpanFacts | null;
  /** By start. */
  readonly calls: LlmCall[];
  readonly ran: { readonly use: ToolUse; readonly node: SpanFacts }[];
}

export function scopesOf({ allCalls }: Evidence, uses: readonly ToolUse[]): Scope[] {
  const scopes = new Map<SpanFacts | null, Scope>();
  const scopeOf = (node: SpanFacts): Scope => {
    const owner = above(node, isAgentOrTool);
    let scope = scopes.get(owner);
    if (scope === undefined) scopes.set(owner, (scope = { owner, calls: [], ran: [] }));
    return scope;
  };
  for (const call of allCalls) scopeOf(call.node).calls.push(call);
  for (const use of uses) {
    const node = use.executions[0]?.node;
    if (node !== undefined) scopeOf(node).ran.push({ use, node });
  }
  return [...scopes.values()];
}

/** An agent's span, as its producer declares it. */
function isDeclaredAgent(owner: SpanFacts | null): boolean {
  return owner?.role === "agent" && owner.dialects.adapters.length > 0;
}

/**
 * A tool ran that the model asked for, before the agent's first call. A first call whose history is there and has no result of a tool shows that
 * the program itself ran the tool.
 */
export function lacksFirst({ owner, calls, ran }: Scope, { allCalls, nodes, agentNodes }: Evidence): boolean {
  if (ran.length === 0 || owner?.role === "tool") return false;
  const [first] = calls;
  if (!isDeclaredAgent(owner)) {
    const inputs = allCalls[0]?.inputs ?? [];
    if (first === undefined || (inputs.length > 0 && !inputs.some(({ results }) => results.length > 0)))
      return false;
    const firstStart = nodes.find(({ role }) => role === "call")?.start ?? allCalls[0]?.start ?? 0;
    return ran.some(({ use, node }) => isUnseen(use) && hasId(use) && node.start < firstStart);
  }
  // Within an agent's own span a program runs no tools.
  const start = first === undefined ? endOfAlone(allCalls, owner) : startOf(first);
  if (start === null) return false;
  const inputs = first?.inputs ?? [];
  const isShown =
    inputs.some(({ role }) => role === "user") && !inputs.some(({ results }) => results.length > 0);
  const requested = new Set(ran.map(({ use }) => (use.call === null ? null : use.name)));
  return ran.some(({ use, node }) => {
    if (!isUnseen(use) || node.start >= start) return false;
    // An earlier span of the same agent may have asked for it, as where a person had to agree.
    if (agentNodes.some((agent) => agent.end <= node.start && agent.agentName === owner?.agentName))
      return false;
    return !isShown || (use.name !== null && requested.has(use.name));
  });
}

/** Of an agent without a call of its own: its end, unless calls lie elsewhere within its time, as some producers put them beside it. */
function endOfAlone(calls: readonly LlmCall[], owner: SpanFacts | null): number | null {
  if (owner === null || calls.length === 0) return null;
  return calls.some(({ start, end }) => start >= owner.start && end <= owner.end) ? null : owner.end;
}

function startOf({ start, around }: LlmCall): number {
  return around.reduce((first, node) => (node.start > 0 ? Math.min(first, node.start) : first), start);
}

/** No message in the data asks for it. */
function isUnseen({ call, executions }: ToolUse): boolean {
  return call === null && executions.length > 0;
}

/** Ids are a model's: what a program runs by itself has none. */
function hasId({ executions }: ToolUse): boolean {
  return executions.some(({ callId }) => callId !== null);
}

/** An agent's tool ran, the agent went on to an answer of its own, and no call came after the tool. */
export function lacksLast({ owner, calls, ran }: Scope, evidence: Evidence, answer: string | null): boolean {
  const last = calls[calls.length - 1];
  if (last === undefined || last.failure !== null || last.text !== null) return false;
  const after = ran.filter(({ node }) => node.start >= last.start);
  if (after.length === 0 || (owner !== null && owner.failure !== null)) return false;
  // Where nothing shows that the model asked for the tools, the program may have run them and made the answer of their results.
  const ranSilently =
    isDeclaredAgent(owner) &&
    last.outputs.length === 0 &&
    (last.finish === null || after.some(({ use }) => hasId(use)));
  if (last.finish !== "tool_call" && last.requests.length === 0 && !ranSilently) return false;
  if (after.some(({ node }) => node.end <= last.end && node.parent !== last.node)) return false;
  const { allCalls } = evidence;
  // The run was paused, and goes on in another trace.
  if (allCalls.some(({ start, node }) => start > last.start && node.span.traceId !== last.node.span.traceId))
    return false;
  const isInferred = owner === null || owner.dialects.adapters.length === 0;
  const end = Math.max(...after.map(({ node }) => node.end));
  if (isInferred && allCalls.some((call) => call.start >= end && !calls.includes(call))) return false;
  if (owner !== null && goesOnElsewhere(owner, end, allCalls)) return false;
  const said = owner === null || owner === evidence.root ? answer : saidBy(owner);
  const isStopped = owner === null || evidence.calls.some(({ outputs }) => outputs.length > 0);
  if (said === null && answer === null && isStopped) return false;
  return !after.some(
    ({ use }) =>
      use.isControl ||
      (use.target !== null && !isDelegation(use, evidence)) ||
      (said !== null && use.executions.some(({ result }) => isResult(said, result))),
  );
}

/** A later span of the same agent has the call: some frameworks give each turn of an agent a span of its own. */
function goesOnElsewhere(owner: SpanFacts, end: number, calls: readonly LlmCall[]): boolean {
  if (!isDeclaredAgent(owner) || owner.agentName === null) return false;
  return calls.some((call) => {
    const agent = call.start >= end ? above(call.node, isAgent) : null;
    return (
      agent !== null &&
      agent !== owner &&
      agent.parent === owner.parent &&
      agent.agentName === owner.agentName
    );
  });
}

/** What an agent's or a tool's span shows as its output; null where it shows none. */
function saidBy(owner: SpanFacts): string | null {
  return answerOfSpan(owner);
}

/** A tool that ran another agent whose words come back to the agent that used it: no hand-off. */
function isDelegation({ name, executions }: ToolUse, { allCalls }: Evidence): boolean {
  if (name === null || isTransfer(name) || isOutputName(name)) return false;
  return executions.some(({ node }) =>
    allCalls.some(
      (call) =>
        above(call.node, (at) => at === node) !== null ||
        (call.node.span.traceId === node.span.traceId &&
          call.start > 0 &&
          call.start >= node.start &&
          call.end <= node.end),
    ),
  );
}

/**
 * The model call of the outermost agent whose tools ran, and after which that agent made no call although the run has an answer: the call that
 * gave it is not in the data. A tool whose result is the answer needs no such call, nor does a hand-off. Null where none is missing.
 */
export function unansweredCall(
  evidence: Evidence,
  uses: readonly ToolUse[],
  answer: string | null,
): LlmCall | null {
  const { allCalls } = evidence;
  if (answer === null) return stoppedSilently(evidence, uses);
  const last = allCalls.findLast(({ node }) => above(node, isTool) === null);
  if (last === undefined || last.failure !== null || last.text !== null) return null;
  const place = allCalls.indexOf(last);
  const asked = uses.filter(({ call }) => call === place);
  if (asked.length === 0) return last.finish === "tool_call" && last.requests.length === 0 ? last : null;
  const isAnswered = asked.some(
    ({ executions, isControl, target }) =>
      isControl ||
      executions.length === 0 ||
      (target !== null &&
        !allCalls.some(
          ({ node }) => above(node, (at) => executions.some(({ nodes }) => nodes.includes(at))) !== null,
        )) ||
      executions.some(({ result }) => isResult(answer, result)),
  );
  return isAnswered ? null : last;
}

/**
 * Where no contents are recorded: the last call, if it asked for a tool by its finish reason, and neither a tool nor a call came after it although
 * the run ended well.
 */
function stoppedSilently({ allCalls, root }: Evidence, uses: readonly ToolUse[]): LlmCall | null {
  const last = allCalls[allCalls.length - 1];
  if (last?.finish !== "tool_call" || last.outputs.length > 0 || last.failure !== null) return null;
  // A root whose own parent never came may be all that is left of a run that was cut off.
  const isCutOff = root.span.parentSpanId !== undefined && !root.parentCame;
  if (root === last.node || isCutOff || root.failure !== null) return null;
  return uses.some(({ executions }) => executions.some(({ start }) => start >= last.start)) ? null : last;
}

/** Whether an answer only repeats what a tool returned: words of a model may quote a result among others. */
function isResult(answer: string, result: JsonValue | undefined): boolean {
  if (result === undefined || result === null) return false;
  const text = (typeof result === "string" ? result : JSON.stringify(result)).trim();
  if (text === "") return false;
  return text.includes(answer.trim()) || (2 * text.length >= answer.length && answer.includes(text));
}

/**
 * Whether a tool ran that no model call in the data asked for, after one whose own requests had all run, and before another call: a call between
 * the two is not in the data. Tools that a program runs by itself come before the first request, or after words.
 */
export function ranUnrequested({ allCalls }: Evidence, uses: readonly ToolUse[]): boolean {
  const asked = new Set(uses.map((use) => (use.call === null ? null : use.name)));
  return uses.some((use) => {
    const node = use.executions[0]?.node;
    if (use.call !== null || node === undefined) return false;
    const agent = above(node, ({ role }) => role === "agent");
    // Calls that lie elsewhere in the agent's span count for tools that models are known to ask for.
    const inAgent = asked.has(use.name) && agent !== null;
    const beside = allCalls.filter(({ node: call }) =>
      inAgent
        ? above(call, ({ role }) => role === "agent") === agent
        : call.span.parentSpanId === node.span.parentSpanId,
    );
    const next = beside.findIndex(({ start }) => start >= node.end);
    const before = beside[next - 1];
    if (next < 1 || before === undefined || before.requests.length === 0) return false;
    const own = uses.filter(({ call }) => call !== null && allCalls[call] === before);
    return (
      own.length === before.requests.length &&
      own.every(({ executions }) => executions.length > 0 && executions.every(({ end }) => end <= node.start))
    );
  });
}
