import { looseValue } from "../inference/unclaimed-events.ts";
import { answerIn, lastText, structuredAnswer } from "../span/read-texts.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { Evidence } from "./evidence.ts";
import { isTripped } from "./status.ts";
import type { Steps } from "./steps.ts";

/**
 * What the run answered: the text of its last call, if that asked for nothing and was the main agent's; else what the root
 * returned. A run that stopped at a tool call has no answer.
 */
export function answerOf(evidence: Evidence, steps: Steps): string | null {
  const last = evidence.lastCall;
  if (last === undefined) return rootAnswer(evidence) ?? emptyAnswer(evidence.root) ?? null;
  const said = last.text;
  if (said === undefined || belongsToInner(evidence, last.node) || steps.steps.some(isFinalAnswer)) {
    const returned = rootAnswer(evidence);
    if (returned !== undefined) return returned;
  }
  return said ?? emptyAnswer(last) ?? null;
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

function isFinalAnswer({ aside }: { aside: boolean }): boolean {
  return aside;
}

/** A call inside a tool's span speaks to the agent that used the tool, not to the user. */
function belongsToInner(evidence: Evidence, node: SpanNode): boolean {
  const tool = toolsAround().of(node.parent);
  return tool !== undefined && evidence.root.end > tool.end;
}

function toolsAround(): Nearest<SpanNode> {
  return new Nearest((node) => (node.role === "tool" ? node : undefined));
}

/** What the outermost span returned, else the agents within it, the last to end first. */
function rootAnswer(evidence: Evidence): string | undefined {
  const { root } = evidence;
  // A tool's span as root has no agent in the data: its output is a result, not an answer.
  const own = root.role === "tool" ? undefined : (nodeAnswer(root) ?? structuredAnswer(root.json("output")));
  if (own !== undefined) return own;
  const tools = toolsAround();
  const inner = evidence.nodes.filter((node) => isSpeaker(node) && tools.of(node.parent) === undefined);
  for (const node of inner.sort((a, b) => b.end - a.end)) {
    const found = nodeAnswer(node);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An agent, or the one step in which all of a run lies. */
function isSpeaker(node: SpanNode): boolean {
  if (node.role === "agent" || node.role === "workflow") return true;
  return node.role === "step" && node.parent?.children.length === 1;
}

/** By what adapters declare, else by the looks of what they do not. */
function nodeAnswer(node: SpanNode): string | undefined {
  const known = knownAnswer(node) ?? (node.reading.infer() === undefined ? undefined : knownAnswer(node));
  return known ?? answerIn(looseValue(node.attached.loose, "outputMessages", "output"));
}

function knownAnswer(node: SpanNode): string | undefined {
  for (const field of ["outputText", "outputMessages", "output"] as const) {
    for (const value of node.reading.all(field)) {
      const found = answerIn(value);
      if (found !== undefined) return found;
    }
  }
  return (
    lastText(node.attached.outputs, "assistant") ?? answerIn(node.json("outputText") ?? node.json("output"))
  );
}
