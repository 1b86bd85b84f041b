import type { LlmCall } from "../calls/llm-call.ts";
import { above, isBesideAgent, isTool } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { answerGiven, storedAnswer } from "../ledger/output-tools.ts";
import type { ToolUse } from "../ledger/tool-use.ts";
import { isFinalAnswer } from "../who/handoff-target.ts";
import { answerOfSpan, endsEmpty, holdsEmptyText, mayAnswer, returnsEmpty, speakersOf } from "./speakers.ts";
import { structuredAnswer } from "../notations/words.ts";
import { isTripped } from "./status.ts";

/**
 * Returns the answer of the run: the text of its last model call.
 * - The output of the root, or else of another agent, replaces this text in three cases. The text is missing or truncated. The call belongs
 * to an inner agent or a guardrail. A tool returned control or only contained the answer (`isControl`).
 * - If the text is missing, a stored output or the arguments of an output tool replace it.
 * The answer is `""` if the model returned an empty text. It is null if no source has a text, or if the call that answers the user has no
 * span (`answersCaller`).
 */
export function answerOf(evidence: Evidence, uses: readonly ToolUse[], last: LlmCall | null): string | null {
  const { root } = evidence;
  // If a guardrail stopped the agent before its first call, the last call is the guardrail's.
  const isStopped = last !== null && root.role === "agent" && isBesideAgent(last.node);
  if (last === null || isStopped) return rootAnswer(evidence) ?? (returnsEmpty(evidence, null) ? "" : null);
  const lastText = last.isCut ? null : last.text;
  const isInner = belongsToInner(evidence, last.node);
  const given = isInner || lastText !== null ? undefined : uses.findLast(({ output }) => output !== null);
  if (given !== undefined && !(given.name !== null && isFinalAnswer(given.name)))
    return storedAnswer(evidence) ?? answerGiven(given);
  const isControlled = uses.some(({ isControl }) => isControl);
  // If the agent's last call ended with an empty text, the texts of inner agents do not replace it.
  if (given === undefined && !isInner && !isControlled && evidence.unendedCall !== last && endsEmpty(last))
    return (isOver(root, last) || !mayAnswer(root) || holdsEmptyText(root) ? null : answerOfSpan(root)) ?? "";
  if (lastText === null || isInner || isControlled) {
    const returned = rootAnswer(evidence);
    if (returned !== null && !isBesideRequests(returned, evidence, uses, last)) return returned;
  }
  if (answersCaller(evidence, uses, last)) return null;
  return lastText ?? (given === undefined ? null : answerGiven(given)) ?? emptyAfter(last, evidence);
}

/** Whether a span ended before the last call began, so that its text is not the answer. */
function isOver(node: SpanFacts, last: LlmCall): boolean {
  return node.end > node.start && node.end <= last.start;
}

/**
 * Returns an empty answer if the root's output is empty and the last call has no text; otherwise null. If contents are not recorded, the
 * result is null, too.
 */
function emptyAfter(last: LlmCall, evidence: Evidence): "" | null {
  const { isCut, finish, requests, text, outputs, counts } = last;
  if (outputs.length === 0 && finish === null && counts.output === undefined) return null;
  if (isCut || text !== null || finish === "tool_call" || !last.isServed(requests)) return null;
  return evidence.unendedCall === null && returnsEmpty(evidence, last) ? "" : null;
}

/**
 * Returns the answer of a run that ended in an error; null if it has none. The answer is the text of the last completed call, or the root's
 * output if this call has no text. There is no answer if the last completed call requested tools, or a later call failed. There is none
 * either if a guardrail stopped the run, as shown by a tripped guardrail's span or by the failure. An error message is not an answer.
 */
export function answerOfFailed(evidence: Evidence, failure: string, last: LlmCall | null): string | null {
  const { failedCalls, root } = evidence;
  if (failedCalls.some((call) => last === null || call.start > last.start)) return null;
  if (evidence.guardrailNodes.some(isTripped) || (last !== null && last.requests.length > 0)) return null;
  if (guardrailFailure.test(failure)) return null;
  const lastText = last !== null && !last.isCut && !belongsToInner(evidence, last.node) ? last.text : null;
  const answer = lastText ?? (mayAnswer(root) ? answerOfSpan(root) : null);
  return answer === null || failure.includes(answer) ? null : answer;
}

/** Matches the failure messages that agent frameworks write if a guardrail stopped the agent. */
const guardrailFailure = /guardrail.{0,40}(?:tripwire|tripped|triggered|blocked|intervened)/i;

/**
 * Whether a call wrote the text `words` next to tool requests. Such a text is not an answer, even if an agent span repeats it. Exception:
 * if the tools of the last call did not run, the text of this call may be the answer.
 */
function isBesideRequests(
  words: string,
  { allCalls, calls }: Evidence,
  uses: readonly ToolUse[],
  last: LlmCall,
): boolean {
  const wentOn = uses.some(
    ({ call, executions, isControl }) =>
      call === allCalls.indexOf(last) && executions.length > 0 && !isControl,
  );
  return calls.some(
    (call) =>
      (call !== last || wentOn) &&
      call.outputs.some(({ text, calls: asked }) => asked.length > 0 && text?.trim() === words.trim()),
  );
}

/** Whether a call is inside a tool, so that its text answers the calling agent and not the user. False if the run ended with the tool. */
function belongsToInner({ root }: Evidence, node: SpanFacts): boolean {
  const tool = above(node, isTool);
  return tool !== null && root.end > tool.end;
}

/**
 * Whether the last call is inside a tool that another call requested. Its text then answers the calling agent, and the calling agent's own
 * last call has no span.
 */
export function answersCaller(evidence: Evidence, uses: readonly ToolUse[], last: LlmCall): boolean {
  const tool = above(last.node, isTool);
  if (tool === null || evidence.root.end <= tool.end) return false;
  return uses.some(({ call, executions }) => call !== null && executions.some(({ node }) => node === tool));
}

/**
 * Returns the output of the outermost span, otherwise of the agents within it; null if there is none. If the last call has no end, an
 * object is not an answer.
 */
function rootAnswer({ root, nodes, unendedCall }: Evidence): string | null {
  for (const node of speakersOf(root, nodes)) {
    const isAnswer = node === root && unendedCall === null;
    const found = answerOfSpan(node) ?? (isAnswer ? structuredAnswer(node.valueAt(F.output)) : null);
    if (found !== null) return found;
  }
  return null;
}
