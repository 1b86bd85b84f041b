import { key } from "../../model/telemetry/attribute-key.ts";
import type { SpanView } from "../../model/telemetry/span-view.ts";
import type { SpanReading } from "./span-reading.ts";

const EXCEPTION_TYPE = key("exception.type");
const EXCEPTION_MESSAGE = key("exception.message");

/** Exceptions by which frameworks steer: a hand-over, a pause for a person, a stream that was closed. */
const controlFlow =
  /(?:ParentCommand|GraphInterrupt|GraphBubbleUp|NodeInterrupt|CallDeferred|ApprovalRequired|HandoffException|SuspendError|GeneratorExit|StopAsyncIteration|EndStream)$/;

/** The exceptions recorded on a span that are failures. */
export function exceptionsOf(span: SpanView): string[] {
  const messages: string[] = [];
  for (const event of span.events) {
    if (event.name !== "exception") continue;
    const type = event.text(EXCEPTION_TYPE) ?? "";
    if (!controlFlow.test(type)) messages.push(event.text(EXCEPTION_MESSAGE) ?? type);
  }
  return messages;
}

/** The words in which LangGraph's pauses and hand-overs are printed; a pause for a person is a tuple of `Interrupt(…)`. */
const steeringWords =
  /^(?:\w+\.)*(?:ParentCommand|GraphInterrupt|GraphBubbleUp|NodeInterrupt)\b|^\(Interrupt\(value=/;

/** True when the span ended by an exception that only steers. */
export function isControlFlow(reading: SpanReading): boolean {
  const { span } = reading;
  const types = span.events
    .filter((event) => event.name === "exception")
    .map((event) => event.text(EXCEPTION_TYPE) ?? "");
  if (types.length > 0) return types.every((type) => controlFlow.test(type));
  return steeringWords.test(span.statusMessage === "" ? (reading.text("error") ?? "") : span.statusMessage);
}

/** What went wrong in a span, by its status or the dialect's own mark; null when nothing did. */
export function failureOf(reading: SpanReading): string | null {
  const { span } = reading;
  const hasFailed =
    span.status === 2 ||
    (reading.has("level") &&
      /^(?:error|fatal|critical|failed|failure)$/i.test(reading.text("level") ?? "")) ||
    (reading.has("success") && reading.boolean("success") === false);
  return hasFailed && !isControlFlow(reading) ? failureText(reading) : null;
}

/** The best words for a failure: dialect's attribute, the exception, the status, the type. */
export function failureText(reading: SpanReading): string {
  const { span } = reading;
  const message = span.statusMessage === "" ? undefined : span.statusMessage;
  return reading.text("error") ?? exceptionsOf(span)[0] ?? message ?? reading.text("errorType") ?? "error";
}
