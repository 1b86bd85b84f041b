import { SUCCEEDED } from "../../model/telemetry/span-view.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { above, isAgent, isBesideAgent, isTool } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import { exceptionOf } from "../facts/failure.ts";
import { F } from "../facts/fields.ts";
import { RecordView } from "../facts/record-view.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { answerOfSpan, mayHoldAnswer, speakersOf } from "./speakers.ts";

/**
 * Returns the failure of the run; null if there is none. A run failed in these cases:
 * - Its last model call failed.
 * - A guardrail stopped it.
 * - Its root, or an agent, workflow or step outside of tools, failed, and no model call of the agent's own work came later.
 * - Its only answer is a model server's refusal.
 * - It ended with a failed tool.
 * Other tool errors and retried attempts are not failures of the run.
 */
export function failureOf(evidence: Evidence): string | null {
  const { nodes, root } = evidence;
  const { served, failed } = lastCallsOf(evidence);
  if (failed !== undefined && (served === undefined || failed.start > served.start))
    return failed.failure ?? "error";
  for (const node of evidence.guardrailNodes)
    if (isTripped(node)) return `guardrail ${node.textAt(F.guardrail) ?? node.span.name}`;
  const lastStart = served?.start ?? 0;
  // If the last model call only requested tools, the application's span around the run shows how the run ended.
  const isUnfinished = served !== undefined && (served.requests.length > 0 || served.finish === "tool_call");
  for (const node of nodes) {
    const { role, failure } = node;
    if (failure === null || node.end < lastStart) continue;
    const isRuns = node === root || role === "agent" || role === "workflow" || role === "step";
    if (!isRuns && !(isUnfinished && above(root, (one) => one === node) !== null)) continue;
    if (above(node, isTool) !== null) continue;
    // A model call after the failure shows that the agent handled the failure. A failure of the root cannot be handled.
    if (node !== root && served !== undefined && lastStart >= node.end) continue;
    if (isCopied(node, evidence)) continue;
    return failure;
  }
  // The last model call may have failed after it returned text or requests.
  if (
    served !== undefined &&
    served.failure !== null &&
    !(served.text !== null && isCopiedTo(served, evidence))
  )
    return served.failure;
  return refusalOf(evidence) ?? (evidence.allCalls.length > 0 ? failedLastTool(evidence) : null);
}

/**
 * Returns the last completed and the last failed call of the agent's own work. Calls within guardrail, evaluation and memory spans neither
 * handle a failure nor make the run fail. They count only if the run has no other calls.
 */
function lastCallsOf(evidence: Evidence): {
  readonly served: LlmCall | undefined;
  readonly failed: LlmCall | undefined;
} {
  const { calls, failedCalls, allCalls, guardrailNodes, besideNodes } = evidence;
  const isWatched = guardrailNodes.length + besideNodes.length > 0;
  const isOwn = ({ node }: LlmCall): boolean => !isBesideAgent(node);
  const counts = isWatched && allCalls.some(isOwn) ? isOwn : () => true;
  return { served: calls.findLast(counts), failed: failedCalls.findLast(counts) };
}

/**
 * Returns the failure of the run's last tool, if the run ended with this tool; otherwise null. The run ended with the tool if no model
 * call ended later, nothing of the tool's agent began later, and no span may contain an answer.
 */
function failedLastTool({ toolNodes, allCalls, root, nodes }: Evidence): string | null {
  let last: SpanFacts | null = null;
  for (const node of toolNodes)
    if (node !== root && above(node, isTool) === null && node.end >= (last?.end ?? 0)) last = node;
  if (last?.failure == null || allCalls.some((call) => call.end > last.end)) return null;
  const agent = above(last, isAgent);
  if (agent !== null && nodes.some((node) => node.start >= last.end && above(node, isAgent) === agent))
    return null;
  return speakersOf(root, nodes).some(mayHoldAnswer) ? null : last.failure;
}

/**
 * Whether the run may have been interrupted, because its last recorded step is a tool. An agent's span around the tool shows that the agent
 * ended, unless the tool failed and no model call is recorded. A root that is a log record, or that does not enclose the tool, does not
 * show the end.
 */
export function mayHaveEndedAtTool(evidence: Evidence, answer: string | null): boolean {
  const { allCalls, toolNodes, root } = evidence;
  if (root.span instanceof RecordView)
    return answer === null && toolNodes.some((tool) => allCalls.every((call) => call.end < tool.end));
  if (allCalls.length === 0) return failedLastTool(evidence) !== null;
  const last = answer === null ? toolNodes[toolNodes.length - 1] : undefined;
  return last !== undefined && isLastBeside(last, evidence);
}

/**
 * Whether the last model call of a session's log records may have requested a tool, so that records of the run may be missing. The records
 * of a run show no end. The run ended if its last call has a text, or a finish reason other than a tool request.
 */
export function mayHaveEndedAtCall({ root, allCalls }: Evidence, answer: string | null): boolean {
  if (!(root.span instanceof RecordView) || answer !== null) return false;
  const last = allCalls[allCalls.length - 1];
  if (last === undefined || last.failure !== null) return false;
  return last.requests.length > 0 || last.finish === null || last.finish === "tool_call";
}

/** Whether a tool began after all model calls, and the root does not enclose it. */
function isLastBeside(tool: SpanFacts, { nodes, root }: Evidence): boolean {
  if (tool === root || above(tool, (node) => node === root) !== null) return false;
  return nodes.every(({ role, end }) => role !== "call" || end <= tool.start);
}

/**
 * Returns `ok` if the telemetry shows that a run without a failure succeeded; otherwise null. The run may have failed in these cases:
 * - Its last model call has neither an end nor a success status, or was cancelled.
 * - No model call is recorded, and the last tool failed: a model call may have followed.
 * - Only log records show the run, and the last step is a tool, or a model call that may have requested a tool.
 */
export function endOf(evidence: Evidence, answer: string | null): "ok" | null {
  const { unendedCall } = evidence;
  if (mayHaveEndedAtTool(evidence, answer) || mayHaveEndedAtCall(evidence, answer)) return null;
  if (unendedCall === null || answer !== null) return "ok";
  return !unendedCall.isCancelled && unendedCall.node.span.status === SUCCEEDED ? "ok" : null;
}

/**
 * Whether the outermost span ended without an answer and without a success status. If the last model call is also missing, the run may have
 * been interrupted.
 */
export function isWithoutEnd({ root }: Evidence, answer: string | null): boolean {
  const isOutermost = root.span.parentSpanId === undefined || root.parentCame;
  return answer === null && isOutermost && root.span.status !== SUCCEEDED;
}

/** Matches the prefixes of messages with which model servers and their clients refuse a request. */
const refusal =
  /^(?:Error code: \d{3}\b|This model's maximum context length is \d+ tokens|Rate limit (?:reached|exceeded) for |You exceeded your current quota|Incorrect API key provided|The model `[^`]+` does not exist|(?:openai|anthropic|litellm|google\.\w+)\.[\w.]*Error\b)/i;

/**
 * Returns a model server's refusal that a framework returned as a successful answer; null if there is none. The refusal counts as the run's
 * failure (precedence 4). If a model call has a span, the result is null, because the model may have written the text.
 */
function refusalOf({ root, allCalls }: Evidence): string | null {
  if (allCalls.length > 0 || root.role !== "agent") return null;
  const answer = answerOfSpan(root);
  return answer !== null && refusal.test(answer) ? answer : null;
}

/**
 * Returns the failure message of a run. If the deciding failure is only the name of a type, the root's message is used, or else that of
 * another failed span, latest end first.
 */
export function errorTextOf({ root, nodes }: Evidence, failure: string): string {
  if (isWorded(failure)) return failure;
  const others = nodes.filter(({ role }) => role !== "tool").sort((a, b) => b.end - a.end);
  for (const node of [root, ...others]) {
    const text = [node.failure ?? "", exceptionOf(node.span) ?? ""].find(isWorded);
    if (text !== undefined) return text;
  }
  return failure;
}

/** Whether a text is a message. A single word such as `invalid_request_error` is only the name of a type. */
function isWorded(text: string): boolean {
  return /\S\s+\S/.test(text);
}

export function isTripped(node: SpanFacts): boolean {
  return node.booleanAt(F.triggered) === true || node.failure !== null;
}

/** Whether the failure of a call is only a copy of another span's failure (see `isCopied`). */
function isCopiedTo({ node, around }: LlmCall, evidence: Evidence): boolean {
  const failed = [node, ...around].find(({ failure }) => failure !== null);
  return failed !== undefined && isCopied(failed, evidence);
}

/**
 * Whether a failure is only a copy. Some processors copy a failure to enclosing and sibling spans. A copy contains the exception of another
 * tool or failed call. In addition, a later model call was completed, or the failed tool has an output.
 */
export function isCopied(node: SpanFacts, { toolNodes, calls, failedCalls }: Evidence): boolean {
  const { failure, span } = node;
  if (failure === null || exceptionOf(span) !== null) return false;
  const served = calls[calls.length - 1]?.start ?? -Infinity;
  const hasOwn = [F.output, F.outputMessages, F.outputText, F.result].some((field) => node.hasField(field));
  for (const source of [...toolNodes, ...failedCalls.map((call) => call.node)]) {
    const text = exceptionOf(source.span);
    if (text === null || text === "" || source === node || !failure.includes(text)) continue;
    if (node.role === "tool" ? hasOwn : served >= source.end) return true;
  }
  return false;
}
