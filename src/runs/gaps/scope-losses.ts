import { largest } from "../../support/structures/long-lists.ts";
import type { JsonValue } from "../../model/json.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { above, isAgent, isAgentOrTool, isTool } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { isOutputName } from "../ledger/output-tools.ts";
import type { ToolUse } from "../ledger/tool-use.ts";
import { plainName } from "../notations/names.ts";
import { answerOfSpan } from "../results/speakers.ts";
import { isTransfer } from "../who/handoff-target.ts";

/** The calls and tools of one agent, or of one tool that runs an agent, without those of nested agents and tools. */
export interface Scope {
  /** Span of the agent or tool; null for calls and tools outside of any agent and tool. */
  readonly owner: SpanFacts | null;
  /** Model calls, ordered by start time. */
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

function isDeclaredAgent(owner: SpanFacts | null): boolean {
  return owner?.role === "agent" && owner.dialects.adapters.length > 0;
}

function isWithoutTexts({ requests, text, inputs }: LlmCall): boolean {
  return requests.length === 0 && text === null && inputs.length === 0;
}

/**
 * Whether a tool ran before the agent's first recorded call, although only a model could have requested it. False if the first call has a
 * history without a tool result, because the program itself may have run the tool.
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
  // A call with neither a duration nor texts is a record of its usage, which may be written after the tools that the call requested.
  if (first !== undefined && first.start === first.end && isWithoutTexts(first)) return false;
  // Inside an agent's span, each tool was run by the agent, so a model requested it.
  const start = first === undefined ? endOfAlone(allCalls, owner) : startOf(first);
  if (start === null) return false;
  const inputs = first?.inputs ?? [];
  const isShown =
    inputs.some(({ role }) => role === "user") &&
    // An empty message may be a tool result without recorded content.
    !inputs.some(({ results, isEmpty }) => results.length > 0 || isEmpty);
  const requested = new Set(ran.map(({ use }) => (use.call === null ? null : use.name)));
  return ran.some(({ use, node }) => {
    if (!isUnseen(use) || node.start >= start) return false;
    // An earlier span of the same agent may have requested the tool, for example before an approval.
    if (agentNodes.some((agent) => agent.end <= node.start && agent.agentName === owner?.agentName))
      return false;
    return !isShown || (use.name !== null && requested.has(use.name));
  });
}

/**
 * End of an agent that has no call of its own. Null if the run has no call at all, or if another call is within the agent's time. Some
 * producers write the agent's calls next to the agent span, not within it.
 */
function endOfAlone(calls: readonly LlmCall[], owner: SpanFacts | null): number | null {
  if (owner === null || calls.length === 0) return null;
  return calls.some(({ start, end }) => start >= owner.start && end <= owner.end) ? null : owner.end;
}

function startOf({ start, around }: LlmCall): number {
  return around.reduce((first, node) => (node.start > 0 ? Math.min(first, node.start) : first), start);
}

/** Whether no message requests the tool. */
function isUnseen({ call, executions }: ToolUse): boolean {
  return call === null && executions.length > 0;
}

/** Whether an execution has a call id. Only a tool that a model requested has one. */
function hasId({ executions }: ToolUse): boolean {
  return executions.some(({ callId }) => callId !== null);
}

/**
 * Whether an agent's tool ran and no model call follows it, although the agent must have continued. The agent continued if it has an
 * answer. It also continued if neither recorded content nor a failure shows that it stopped at the tool.
 */
export function lacksLast(
  { owner, calls, ran }: Scope,
  evidence: Evidence,
  answer: string | null,
  isRequested: boolean,
): boolean {
  const last = calls[calls.length - 1];
  if (last === undefined || last.failure !== null || last.text !== null) return false;
  const after = ran.filter(({ node }) => node.start >= last.start);
  if (after.length === 0 || (owner !== null && owner.failure !== null)) return false;
  // Without a call id or a request, the program may have run the tools itself and formatted their results as the answer.
  const isModels = after.some(({ use }) => hasId(use)) || isRequested;
  const ranSilently =
    last.outputs.length === 0 && (isModels || (isDeclaredAgent(owner) && last.finish === null));
  if (last.finish !== "tool_call" && last.requests.length === 0 && !ranSilently) return false;
  if (
    evidence.nodes.some(
      (node) => node.role === "call" && node.start >= last.end && above(node, isAgentOrTool) === owner,
    )
  )
    return false;
  if (after.some(({ node }) => node.end <= last.end && node.parent !== last.node)) return false;
  const { allCalls } = evidence;
  // A later call in another trace means that the run paused and continues there.
  if (allCalls.some(({ start, node }) => start > last.start && node.span.traceId !== last.node.span.traceId))
    return false;
  const isInferred = owner === null || owner.dialects.adapters.length === 0;
  const end = largest(after.map(({ node }) => node.end));
  if (isInferred && allCalls.some((call) => call.start >= end && !calls.includes(call))) return false;
  if (owner !== null && goesOnElsewhere(owner, end, allCalls)) return false;
  const ownAnswer = owner === null || owner === evidence.root ? answer : answerOfSpan(owner);
  // If contents are recorded, a missing answer means that the agent stopped at the tool.
  const isStopped = evidence.calls.some(({ outputs }) => outputs.some(({ isEmpty }) => !isEmpty));
  if (
    ownAnswer === null &&
    answer === null &&
    (isStopped || isCutOff(evidence) || evidence.failedCalls.length > 0)
  )
    return false;
  return !after.some(
    ({ use }) =>
      use.isControl ||
      (use.target !== null && !isDelegation(use, evidence)) ||
      (ownAnswer !== null && use.executions.some(({ result }) => isResult(ownAnswer, result))),
  );
}

/** Whether a later sibling span of the same agent contains a later call. Some frameworks create a span for each turn of an agent. */
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

/** Whether a tool ran another agent and returned that agent's text to its caller. This is not a hand-off. */
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
 * Returns the last call of the outermost agent, if its tools ran, no call follows, and the run has an answer; otherwise null. The final
 * call is then missing from the data. No final call is needed if a tool's result is the answer, or after a hand-off. For runs without an
 * answer, see `stoppedSilently`.
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
  if (asked.length === 0) {
    if (last.finish === "tool_call" && last.requests.length === 0) return last;
    const after = uses.filter(({ executions }) => executions.some(({ start }) => start >= last.end));
    return last.outputs.length > 0 && after.length > 0 && !after.some((use) => isEnd(use, answer))
      ? last
      : null;
  }
  const isAnswered = asked.some(
    (use) =>
      isEnd(use, answer) ||
      (use.executions.length === 0 &&
        !ranAsStep(use, last, evidence, answer) &&
        mayBeLast(use, evidence, answer)) ||
      (use.target !== null &&
        !allCalls.some(
          ({ node }) => above(node, (at) => use.executions.some(({ nodes }) => nodes.includes(at))) !== null,
        )),
  );
  return isAnswered ? null : last;
}

/**
 * Whether the run may end with a requested tool whose execution is unknown: the tool contains the answer or hands over, or the run was
 * interrupted.
 */
function mayBeLast(use: ToolUse, evidence: Evidence, answer: string): boolean {
  if (isCutOff(evidence) || use.output !== null || use.isControl || use.target !== null) return true;
  if (use.arguments === undefined) return true;
  const given = JSON.stringify(use.arguments);
  const trimmed = answer.trim();
  // The arguments contain the answer as JSON if it is an object, or as a text within an object, where it is escaped.
  return given.includes(trimmed) || given.includes(JSON.stringify(trimmed).slice(1, -1));
}

/** Whether no model call needs to follow the tool: the tool ends the run, or its result is the answer. */
function isEnd({ isControl, executions }: ToolUse, answer: string): boolean {
  return isControl || executions.some(({ result }) => isResult(answer, result));
}

/**
 * Whether a step with the name of the requested tool follows the call. Producers that trace only functions write such a step, and no tool
 * span.
 */
function ranAsStep({ name }: ToolUse, last: LlmCall, { nodes }: Evidence, answer: string): boolean {
  if (name === null) return false;
  return nodes.some(
    (node) =>
      node.start >= last.start &&
      (node.role === "step" || node.role === "unknown") &&
      plainName(node.span.name) === plainName(name) &&
      !isResult(answer, node.valueAt(F.output)),
  );
}

/**
 * Returns the last call of a run without recorded content, if three conditions hold; otherwise null. Its finish reason is a tool call, no
 * tool follows, and its root did not fail.
 */
function stoppedSilently(evidence: Evidence, uses: readonly ToolUse[]): LlmCall | null {
  const { allCalls, root } = evidence;
  const last = allCalls[allCalls.length - 1];
  if (last?.finish !== "tool_call" || last.outputs.some(({ isEmpty }) => !isEmpty) || last.failure !== null)
    return null;
  if ((root === last.node && !root.parentCame) || isCutOff(evidence) || root.failure !== null) return null;
  return uses.some(({ executions }) => executions.some(({ start }) => start >= last.start)) ? null : last;
}

/** Whether the root has a missing parent, so that the spans may be the remaining part of an interrupted run. */
export function isCutOff({ root }: Evidence): boolean {
  return root.span.parentSpanId !== undefined && !root.parentCame;
}

/** Whether an answer only repeats a tool result. A model's text may quote a result among other text, which is not a repetition. */
function isResult(answer: string, result: JsonValue | undefined): boolean {
  if (result === undefined || result === null) return false;
  const text = (typeof result === "string" ? result : JSON.stringify(result)).trim();
  if (text === "" || answer.trim() === "") return false;
  return text.includes(answer.trim()) || (2 * text.length >= answer.length && answer.includes(text));
}
