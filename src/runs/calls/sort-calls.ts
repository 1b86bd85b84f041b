import { append } from "../../support/structures/long-lists.ts";
import { isObject } from "../../model/json.ts";
import { SUCCEEDED } from "../../model/telemetry/span-view.ts";
import { exceptionOf, repeatsFailure } from "../facts/failure.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { signatureOf } from "../notations/arguments.ts";
import { isOpen } from "../notations/parse-text.ts";
import { answerIn, questionIn } from "../notations/words.ts";
import type { LlmCall } from "./llm-call.ts";
import { above, isAgent, under } from "./tree.ts";

export interface SortedCalls {
  /** Completed calls, by start. */
  readonly served: readonly LlmCall[];
  /** Attempts that failed, by start. */
  readonly failed: readonly LlmCall[];
  /** Completed and failed calls, by start. */
  readonly all: readonly LlmCall[];
  /** The last call, if it was cancelled, or if the telemetry shows neither its end nor whether a model answered; otherwise null. */
  readonly unended: LlmCall | null;
}

/**
 * Separates completed calls from failed attempts. Drops calls of which nothing is recorded (`isNothing`), calls that were not completed,
 * and duplicates of a call. Exception: if all calls that did not fail have no record, although tools ran, content capture is off. The calls
 * with a declared role then count.
 */
export function sortCalls(calls: readonly LlmCall[], nodes: readonly SpanFacts[]): SortedCalls {
  const ordered = calls.toSorted((a, b) => a.start - b.start);
  const served: LlmCall[] = [];
  const failed: LlmCall[] = [];
  const empty: LlmCall[] = [];
  for (const call of ordered) {
    if (isFailed(call)) failed.push(call);
    else if (isNothing(call)) empty.push(call);
    else served.push(call);
  }
  if (empty.length > 0 && served.length === 0 && nodes.some(({ role }) => role === "tool"))
    append(
      served,
      empty.filter(({ node }) => !node.isRoleInferred),
    );
  const answered = withoutDuplicates(withoutUnanswered(served));
  const unended = unendedOf(ordered, answered);
  const isServed = unended !== null && !unended.isCancelled && unended.node.span.status === SUCCEEDED;
  const kept =
    unended === null || isServed || answered.length < 2
      ? answered
      : answered.filter((call) => call !== unended);
  if (failed.length === 0) return { served: kept, failed, all: kept, unended };
  const all = new Set([...kept, ...failed]);
  return { served: kept, failed, all: ordered.filter((call) => all.has(call)), unended };
}

/**
 * Returns the last call if its stream was cancelled, or if it has no end and one of two conditions holds; otherwise null. The first
 * condition: its output is an empty object. The second condition: its status is not success, and the data shows the end of another call of
 * its scope.
 */
function unendedOf(ordered: readonly LlmCall[], answered: readonly LlmCall[]): LlmCall | null {
  const last = ordered[ordered.length - 1];
  if (last === undefined || last.isNested || last.failure !== null) return null;
  // An empty object as output does not show a cancellation, because a redaction may have emptied it.
  last.isCancelled = !hasEmptyOutput(last) && isCancelled(last, answered);
  if (last.isCancelled) return last;
  if (last.finish !== null || !isWithoutResponse(last)) return null;
  const { scopeName, status } = last.node.span;
  const isRecorded =
    status !== SUCCEEDED &&
    answered.some(
      ({ node, counts, finish, responseId, outputs }) =>
        node.span.scopeName === scopeName &&
        counts.output &&
        (last.counts.output === 0 ||
          (finish ?? responseId) !== null ||
          node.span.status === SUCCEEDED ||
          outputs.some(({ isEmpty }) => !isEmpty)),
    );
  return isRecorded || hasEmptyOutput(last) ? last : null;
}

/**
 * Whether the caller cancelled the last call: the span has neither finish reason nor usage, and all earlier calls of its scope have both. The
 * span may have a part of the text, and some producers give it a success status.
 */
function isCancelled({ finish, counts, requests, node }: LlmCall, answered: readonly LlmCall[]): boolean {
  if (finish !== null || counts.input || counts.output || requests.length > 0) return false;
  const { scopeName } = node.span;
  const earlier = answered.filter((call) => call.node !== node && call.node.span.scopeName === scopeName);
  return earlier.length > 0 && earlier.every((call) => call.finish !== null && call.counts.output);
}

/**
 * Whether the output of a call is an empty object. Some exporters send a call at its start and again at its end. If the process is killed
 * during the call, only the first version with an empty output arrives.
 */
function hasEmptyOutput({ inputs, node }: LlmCall): boolean {
  if (inputs.length === 0 || !node.hasField(F.output)) return false;
  const output = node.valueAt(F.output);
  return isObject(output) && Object.keys(output).length === 0 && !isOpen(output);
}

function isWithoutResponse({ outputs, counts, responseId, node }: LlmCall): boolean {
  return (
    outputs.every(({ text, calls, results }) => !text && calls.length + results.length === 0) &&
    !counts.input &&
    !counts.output &&
    responseId === null &&
    holdsNoAnswer(node)
  );
}

/** Whether the output is absent, or is complete and contains no answer. */
function holdsNoAnswer(node: SpanFacts): boolean {
  const output = node.valueAt(F.output);
  return answerIn(output) === null && !isOpen(output);
}

/**
 * Whether the call has no result because the call itself, an enclosing call or an enclosing step failed. If the error is recorded only on
 * another span or in the call's text, sets `call.failure`.
 */
function isFailed(call: LlmCall): boolean {
  if (call.isStandIn) {
    call.failure ??= call.text ?? "error";
    return true;
  }
  if (call.requests.length > 0) return false;
  if (call.text !== null && !isPrintedFailure(call, call.text)) return false;
  if (call.failure !== null) return call.counts.output === undefined || call.counts.output === 0;
  // Zero output tokens do not prove an answer.
  if (call.counts.output) return false;
  if (call.finish === "error") return true;
  if (exceptionOf(call.node.span) !== null) {
    call.failure = exceptionOf(call.node.span);
    return true;
  }
  for (let at = call.node.parent; at !== null && (at.role === "call" || at.role === "step"); at = at.parent) {
    if (
      at.failure === null ||
      at.children.some((child) => child !== call.node && child.start > call.node.start)
    )
      continue;
    call.failure = at.failure;
    return true;
  }
  return isGivenUp(call) || isRefused(call);
}

/** Whether the call has no result, and the last failed span within it (`errorBelow`) is the step that sent the request. */
function isRefused(call: LlmCall): boolean {
  if (!isNothing(call)) return false;
  const failure = errorBelow(call.node);
  call.failure ??= failure;
  return failure !== null;
}

/** Error of the span within a call that ended last and reports an error; null if there is none. */
function errorBelow(call: SpanFacts): string | null {
  let last: SpanFacts | null = null;
  for (const node of under(call)) {
    if (node === call || (node.failure === null && node.textAt(F.error) === null)) continue;
    if (last === null || node.end >= last.end) last = node;
  }
  return last === null ? null : (last.failure ?? last.textAt(F.error));
}

/** Severity number of a warning. */
const WARNING = 13;

/**
 * Whether the call has no end, nothing followed it below its parent, and the parent shows a failure. The parent recorded an exception, or
 * it failed, and the call has a log record with a warning or error. Many programs record an exception without a status.
 */
function isGivenUp(call: LlmCall): boolean {
  const { node } = call;
  const { parent } = node;
  if (parent === null || call.finish !== null || !isWithoutResponse(call)) return false;
  if (parent.children.some((child) => child !== node && child.start > node.start)) return false;
  const isWarned = node.span.logs.some(({ severityNumber }) => severityNumber >= WARNING);
  const failure = exceptionOf(parent.span) ?? (isWarned ? parent.failure : null);
  if (failure === null) return false;
  call.failure = failure;
  return true;
}

/** Whether the answer only repeats the exception's message, as some producers write. */
function isPrintedFailure({ failure, counts, finish }: LlmCall, text: string): boolean {
  return failure !== null && !counts.output && finish === null && repeatsFailure(text, failure);
}

/** Whether the span shows neither input nor output of the call, for example because it was cancelled before its request was sent. */
function isNothing(call: LlmCall): boolean {
  return (
    !call.isNested &&
    call.inputs.length === 0 &&
    call.outputs.length === 0 &&
    call.counts.input === undefined &&
    call.counts.output === undefined &&
    call.finish === null &&
    call.responseId === null &&
    call.field("responseModel") === null &&
    questionIn(call.node.valueAt(F.input)) === null &&
    holdsNoAnswer(call.node)
  );
}

/**
 * Removes calls that broke off (`isBrokenOff`) and that another call of their scope repeats. Three examples: a call was suspended for an
 * approval and the agent's next invocation repeats it; the program started the call's span a second time; a stream broke off, and the
 * program sent the same messages again. A call stays if an answered call of its scope has no output count, because the producer may omit
 * counts.
 */
function withoutUnanswered(calls: readonly LlmCall[]): readonly LlmCall[] {
  if (calls.length < 2 || !calls.some(({ isBrokenOff }) => isBrokenOff)) return calls;
  return calls.filter((call) => {
    if (!call.isBrokenOff) return true;
    const isEmpty = isUnanswered(call);
    const beside = calls.filter(
      (other) =>
        other !== call && !isUnanswered(other) && other.node.span.scopeName === call.node.span.scopeName,
    );
    if (beside.some(({ counts }) => counts.output === undefined)) return true;
    return !beside.some((other) => {
      if (isEmpty && isBegunAnew(call, other)) return true;
      if (other.start < call.end) return false;
      if (isEmpty && isNextInvocation(call.node, other.node)) return true;
      // Two answered calls that send the same texts show that the producer does not record the whole history.
      return sendsSame(call, other) && !beside.some((one) => one !== other && sendsSame(one, other));
    });
  });
}

function isUnanswered({ isBrokenOff, outputs }: LlmCall): boolean {
  return isBrokenOff && outputs.every(({ text }) => (text ?? "") === "");
}

/** Whether two calls send the same texts. */
function sendsSame({ inputs }: LlmCall, { inputs: others }: LlmCall): boolean {
  if (inputs.length !== others.length || (inputs[inputs.length - 1]?.text ?? "") === "") return false;
  return inputs.every(({ text }, at) => text === others[at]?.text);
}

/** Whether the next call is in another agent span with the same agent name. */
function isNextInvocation(node: SpanFacts, next: SpanFacts): boolean {
  const agent = above(node, isAgent);
  const other = above(next, isAgent);
  return (
    other !== agent && (agent === null || agent.agentName === null || other?.agentName === agent.agentName)
  );
}

/**
 * Whether the other call began at the moment when `call` ended without a result. A program that starts a span a second time abandons the
 * first span.
 */
function isBegunAnew(call: LlmCall, other: LlmCall): boolean {
  const pauseMs = other.start - call.end;
  const isBehind = pauseMs >= 0 && pauseMs <= MOST_MS_BETWEEN;
  return isBehind && call.node.parent === other.node.parent && modelAsked(call) === modelAsked(other);
}

function modelAsked({ node }: LlmCall): string | null {
  return node.requestModel ?? node.model;
}

const MOST_MS_BETWEEN = 0.5;
const MOST_COMPARED = 1000;
const MOST_MS_BEHIND = 5;
const MOMENT_MS = 5;

/**
 * Merges duplicates of one call (`isSame`). Two calls are duplicates in these cases:
 * - They have an equal response id. If they have one scope, their times must also overlap.
 * - One is within a call of another scope, and the output counts are equal. If the outer call has no count, text and requests must be
 * equal.
 * - One is a span of less than 5 ms, directly after a call of another scope with an equal input count.
 * The duplicate with more messages is retained, and gets missing fields from the other duplicate.
 */
function withoutDuplicates(calls: readonly LlmCall[]): readonly LlmCall[] {
  if (calls.length > MOST_COMPARED || !mayRepeat(calls)) return calls;
  const kept: LlmCall[] = [];
  for (const call of calls) {
    const place = kept.findIndex((other) => isSame(call, other));
    const other = kept[place];
    if (other === undefined) kept.push(call);
    else if (richness(other) >= richness(call)) other.addLayers([call.node, ...call.around]);
    else {
      call.addLayers([other.node, ...other.around]);
      kept[place] = call;
    }
  }
  return kept;
}

/** Whether some of these calls may be duplicates: the calls have several scopes, or the same response id. */
export function mayRepeat(calls: readonly LlmCall[]): boolean {
  const scope = calls[0]?.node.span.scopeName;
  const ids = new Set<string>();
  for (const { node, responseId } of calls) {
    if (node.span.scopeName !== scope || (responseId !== null && ids.has(responseId))) return true;
    if (responseId !== null) ids.add(responseId);
  }
  return false;
}

function richness({ inputs, outputs }: LlmCall): number {
  return inputs.length + outputs.length;
}

/** Whether two calls are the same; `other` began earlier. */
export function isSame(call: LlmCall, other: LlmCall): boolean {
  const isShared = call.responseId !== null && call.responseId === other.responseId;
  if (call.node.span.scopeName === other.node.span.scopeName)
    return isShared && call.start < other.end && other.start < call.end;
  if (isShared) return true;
  // Two spans without duration at the same time are two calls if their response ids differ.
  if (call.responseId !== null && other.responseId !== null && call.start === call.end) return false;
  const { input, output } = call.counts;
  if (output !== undefined && output === other.counts.output)
    if (other.end >= call.end || other.start === call.start) return true;
  if (other.counts.output === undefined && other.end >= call.end && saysSame(call, other)) return true;
  if (input === undefined || input !== other.counts.input) return false;
  // No model answers within `MOMENT_MS`, so a shorter span was written after the end of a stream.
  const pauseMs = call.start - other.end;
  const isMoment = call.end - call.start < MOMENT_MS && other.end - other.start >= MOMENT_MS;
  return isMoment && pauseMs >= 0 && pauseMs <= MOST_MS_BEHIND && call.node.parent === other.node.parent;
}

/** Whether two calls have the same text and request the same tools with the same arguments. */
function saysSame({ text, requests }: LlmCall, other: LlmCall): boolean {
  if (text !== other.text || requests.length !== other.requests.length) return false;
  const signatures = other.requests.map(signatureOf);
  return (
    (text !== null || requests.length > 0) && requests.every((one, at) => signatureOf(one) === signatures[at])
  );
}
