import { key } from "../../model/telemetry/attribute-key.ts";
import { type EventView, SUCCEEDED, type SpanView } from "../../model/telemetry/span-view.ts";
import { F } from "./fields.ts";
import type { SpanFacts } from "./span-facts.ts";

const EXCEPTION_TYPE = key("exception.type");
const EXCEPTION_MESSAGE = key("exception.message");
const FAILED = 2;

/** Newer conventions name an exception after the failed operation: `gen_ai.client.operation.exception`. */
function isException(name: string): boolean {
  return name === "exception" || name.endsWith(".exception");
}

/**
 * Matches exception types that frameworks use for control flow: a hand-off, a pause for an approval, a closed stream, the end of a session.
 */
const steeringTypes =
  /(?:ParentCommand|GraphInterrupt|GraphBubbleUp|NodeInterrupt|CallDeferred|ApprovalRequired|HandoffException|SuspendError|GeneratorExit|StopAsyncIteration|EndStream|SessionCompleteException)$/;
/** Matches the printed form of LangGraph's pauses and hand-offs; a pause for a person is a tuple of `Interrupt(…)`. */
const steeringWords =
  /^(?:\w+\.)*(?:ParentCommand|GraphInterrupt|GraphBubbleUp|NodeInterrupt)\b|^\(Interrupt\(value=/;
const failedLevels = /^(?:error|fatal|critical|failed|failure)$/i;

/** Sets `isControlFlow` and `failure` of a span. A span failed by its status, an exception at its end, or an attribute of its dialect. */
export function readFailure(facts: SpanFacts): void {
  const { span } = facts;
  const hasFailed =
    span.status === FAILED ||
    (span.status !== SUCCEEDED && isEndedByException(span)) ||
    ((facts.plan.mayTellFailure || facts.isInferred) &&
      (failedLevels.test(facts.textAt(F.level) ?? "") ||
        facts.booleanAt(F.success) === false ||
        // OpenTracing marks a failed span by an error attribute, and sets no status.
        (span.status !== SUCCEEDED && facts.textAt(F.errorType) !== null)));
  const events = span.events.length > 0;
  if (!hasFailed && !events) return;
  facts.isControlFlow = isSteering(facts, hasFailed);
  const isOwn = !facts.isControlFlow && !isOfInstrumentation(span);
  facts.failure = hasFailed && isOwn ? failureText(facts) : null;
}

/**
 * Longest time in ms from an exception that ended a span to the span's end. If the program handled the exception, the span usually
 * continues for longer.
 */
const MOST_UNTIL_END_MS = 100;

/** Whether an exception ended the span. Some SDKs record the exception and set no status. */
function isEndedByException(span: SpanView): boolean {
  return (
    span.events.some(
      ({ name, timeUnixMs }) => isException(name) && span.endUnixMs - timeUnixMs <= MOST_UNTIL_END_MS,
    ) && (exceptionOf(span) ?? "") !== ""
  );
}

const EXCEPTION_STACK = key("exception.stacktrace");
const LONGEST_STACK = 10_000;
/** Matches exceptions that a programming error raises. */
const mistakes = /^(?:Attribute|Index|Key|Name|Type|UnboundLocal)Error$/;

/** Whether a stack frame is in a file of an installed instrumentation. A folder `instrumentation` of the program itself is not. */
const isInstalled = (frame: string): boolean =>
  /[\\/](?:lib|site-packages|dist-packages)[\\/]/.test(frame) && /[\\/]instrumentation[\\/]/.test(frame);

/**
 * Whether all exceptions of the span are programming errors of the instrumentation: each frame of the Python stack is the
 * instrumentation's. They were raised after the traced function returned, so the function itself did not fail.
 */
function isOfInstrumentation(span: SpanView): boolean {
  let count = 0;
  for (const event of span.events) {
    if (!isException(event.name)) continue;
    if (!isMistake(event)) return false;
    count++;
  }
  return count > 0;
}

function isMistake(event: EventView): boolean {
  if (!mistakes.test(event.text(EXCEPTION_TYPE) ?? "")) return false;
  const stack = event.text(EXCEPTION_STACK) ?? "";
  if (stack.length > LONGEST_STACK) return false;
  const lines = stack.trimEnd().split("\n");
  // A complete stack ends with the exception. A truncated stack may lack frames of the program, so it proves nothing.
  if (!/^(?:\w+\.)*\w+Error: /.test(lines[lines.length - 1] ?? "")) return false;
  const frames = lines.filter((line) => line.startsWith('  File "'));
  return frames.length > 0 && frames.every(isInstalled);
}

function isSteering({ span }: SpanFacts, hasFailed: boolean): boolean {
  let types = 0;
  for (const event of span.events) {
    if (!isException(event.name)) continue;
    if (!steeringTypes.test(event.text(EXCEPTION_TYPE) ?? "")) return false;
    types++;
  }
  return types > 0 || (hasFailed && steeringWords.test(span.statusMessage));
}

/** Message of the first exception on a span, without exceptions for control flow and mistakes of the instrumentation. */
export function exceptionOf(span: SpanView): string | null {
  for (const event of span.events) {
    if (!isException(event.name)) continue;
    const type = event.text(EXCEPTION_TYPE) ?? "";
    if (steeringTypes.test(type) || isMistake(event)) continue;
    // Many exceptions have no message, and SDKs record an empty one.
    const message = event.text(EXCEPTION_MESSAGE) ?? "";
    return message === "" ? type : message;
  }
  return null;
}

const LEAST_LENGTH = 8;
const COMPARED_LENGTH = 60;

/** Whether a text repeats the message of a failure: `text` contains the first `COMPARED_LENGTH` characters of `failure`, or the reverse. */
export function repeatsFailure(text: string, failure: string): boolean {
  if (text.length < LEAST_LENGTH || failure.length < LEAST_LENGTH) return false;
  return text.includes(failure.slice(0, COMPARED_LENGTH)) || failure.includes(text.slice(0, COMPARED_LENGTH));
}

/**
 * Message of a failure, from the first of these sources that has a message: the dialect's attribute, the exception, the status, the type.
 */
export function failureText(facts: SpanFacts): string {
  const { statusMessage } = facts.span;
  const message = statusMessage === "" ? null : statusMessage;
  return facts.textAt(F.error) ?? exceptionOf(facts.span) ?? message ?? facts.textAt(F.errorType) ?? "error";
}
