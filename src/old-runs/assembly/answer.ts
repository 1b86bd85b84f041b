import { structuredAnswer } from "../span/read-texts.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { Evidence } from "./evidence.ts";
import { isFinalAnswer as isFinalAnswerName } from "./handoff-target.ts";
import { answerGiven, storedAnswer } from "./output-tool.ts";
import { nodeAnswer } from "./node-answer.ts";
import { speakersOf, toolsAround } from "./speakers.ts";
import { isTripped } from "./status.ts";
import type { Step } from "./step.ts";
import { nameOfUse } from "./tool-use.ts";
import type { Steps } from "./steps.ts";

/**
 * What the run answered: the text of its last call, if that asked for nothing and was the main agent's; else what the root
 * returned. A run that stopped at a tool call has no answer.
 */
export function answerOf(evidence: Evidence, steps: Steps): string | null {
  const last = evidence.lastCall;
  if (last === undefined) return rootAnswer(evidence) ?? emptyAnswer(evidence.root) ?? null;
  const said = last.text;
  const isInner = belongsToInner(evidence, last.node);
  const given =
    isInner || said !== undefined ? undefined : steps.steps.findLast(({ output }) => output !== undefined);
  if (given !== undefined && !isPlainAnswer(given))
    return storedAnswer(evidence) ?? answerGiven(given.use) ?? null;
  if (said === undefined || isInner || steps.steps.some(isFinalAnswer)) {
    const returned = rootAnswer(evidence);
    if (returned !== undefined) return returned;
  }
  return said ?? (given === undefined ? undefined : answerGiven(given.use)) ?? emptyAnswer(last) ?? null;
}

/** Given through a tool that takes a text: the framework may have made another text of it. */
function isPlainAnswer({ use }: Step): boolean {
  const name = nameOfUse(use);
  return name !== null && isFinalAnswerName(name);
}

/**
 * What a run answered that ended in an error all the same: the words of a last call that was answered and asked for nothing, else what
 * the root itself returned. A run whose last call failed, or that a guardrail stopped, has no answer, and the error's own words are none.
 */
export function answerOfFailed(evidence: Evidence, failure: string): string | null {
  const { lastCall, failedCalls, root } = evidence;
  if (failedCalls.some((call) => lastCall === undefined || call.start > lastCall.start)) return null;
  if (evidence.guardrailNodes.some(isTripped)) return null;
  const asked = lastCall !== undefined && lastCall.requests.length > 0;
  if (asked) return null;
  const said = lastCall !== undefined && !belongsToInner(evidence, lastCall.node) ? lastCall.text : undefined;
  const answer = said ?? (root.role === "tool" ? undefined : nodeAnswer(root));
  return answer === undefined || failure.includes(answer) ? null : answer;
}

/** The words were captured, and there are none: that is an answer. */
function emptyAnswer({ outputs }: Pick<SpanNode, "outputs">): "" | undefined {
  const isEmpty = outputs.every(
    ({ role, text, calls }) => role === "assistant" && text === "" && calls.length === 0,
  );
  return isEmpty && outputs.length > 0 ? "" : undefined;
}

function isFinalAnswer({ isControl }: { isControl: boolean }): boolean {
  return isControl;
}

/** A call inside a tool's span speaks to the agent that used the tool, not to the user. */
function belongsToInner(evidence: Evidence, node: SpanNode): boolean {
  const tool = toolsAround().of(node.parent);
  return tool !== undefined && evidence.root.end > tool.end;
}

/** What the outermost span returned, else the agents within it. */
function rootAnswer(evidence: Evidence): string | undefined {
  for (const node of speakersOf(evidence)) {
    const found =
      nodeAnswer(node) ?? (node === evidence.root ? structuredAnswer(node.json("output")) : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}
