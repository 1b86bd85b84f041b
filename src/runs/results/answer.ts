import type { LlmCall } from "../calls/llm-call.ts";
import { above, isTool } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { answerGiven, storedAnswer } from "../ledger/output-tools.ts";
import type { ToolUse } from "../ledger/tool-use.ts";
import { outputsOf } from "../calls/call-messages.ts";
import { isFinalAnswer } from "../who/handoff-target.ts";
import { answerOfSpan, speakersOf } from "./speakers.ts";
import { structuredAnswer } from "../notations/words.ts";
import { isTripped } from "./status.ts";

/**
 * What the run answered: the text of its last call, if that asked for nothing and was the main agent's; else what the root returned. A run
 * that stopped at a tool call has no answer; words that were cut off are none.
 */
export function answerOf(evidence: Evidence, uses: readonly ToolUse[], last: LlmCall | null): string | null {
  if (last === null) return rootAnswer(evidence) ?? emptyAnswer(outputsOf(evidence.root));
  const said = last.isCut ? null : last.text;
  const isInner = belongsToInner(evidence, last.node);
  const given = isInner || said !== null ? undefined : uses.findLast(({ output }) => output !== null);
  if (given !== undefined && !(given.name !== null && isFinalAnswer(given.name)))
    return storedAnswer(evidence) ?? answerGiven(given);
  if (said === null || isInner || uses.some(({ isControl }) => isControl)) {
    const returned = rootAnswer(evidence);
    if (returned !== null && !isBesideRequests(returned, evidence, last)) return returned;
  }
  return (
    said ??
    (given === undefined ? null : answerGiven(given)) ??
    (last.isCut ? null : emptyAnswer(last.outputs))
  );
}

/**
 * What a run answered that ended in an error all the same: the words of a last call that was answered and asked for nothing, else what the
 * root itself returned. A run whose last call failed, or that a guardrail stopped, has no answer, and the error's own words are none.
 */
export function answerOfFailed(evidence: Evidence, failure: string, last: LlmCall | null): string | null {
  const { failedCalls, root } = evidence;
  if (failedCalls.some((call) => last === null || call.start > last.start)) return null;
  if (evidence.guardrailNodes.some(isTripped) || (last !== null && last.requests.length > 0)) return null;
  const said = last !== null && !belongsToInner(evidence, last.node) ? last.text : null;
  const answer = said ?? (root.role === "tool" ? null : answerOfSpan(root));
  return answer === null || failure.includes(answer) ? null : answer;
}

/** The words were captured, and there are none: that is an answer. */
function emptyAnswer(outputs: LlmCall["outputs"]): "" | null {
  if (outputs.length === 0) return null;
  return outputs.every(({ role, text, calls }) => role === "assistant" && text === "" && calls.length === 0)
    ? ""
    : null;
}

/** Words that a model said while it asked for a tool, before its last call, are no answer, though an agent's span repeats them. */
function isBesideRequests(words: string, { calls }: Evidence, last: LlmCall): boolean {
  return calls.some(
    (call) =>
      call !== last &&
      call.outputs.some(({ text, calls: asked }) => asked.length > 0 && text?.trim() === words.trim()),
  );
}

/** A call inside a tool's span speaks to the agent that used the tool, not to the user. */
function belongsToInner({ root }: Evidence, node: SpanFacts): boolean {
  const tool = above(node, isTool);
  return tool !== null && root.end > tool.end;
}

/** What the outermost span returned, else the agents within it. */
function rootAnswer({ root, nodes }: Evidence): string | null {
  for (const node of speakersOf(root, nodes)) {
    const found = answerOfSpan(node) ?? (node === root ? structuredAnswer(node.valueAt(F.output)) : null);
    if (found !== null) return found;
  }
  return null;
}
