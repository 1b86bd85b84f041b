import type { LlmCall } from "../calls/llm-call.ts";
import type { Evidence } from "../evidence.ts";
import { isMessageEvent } from "../facts/events.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";

/** Causes and remedies of lost attributes. A span's count of dropped attributes does not show which cause applies. */
export const LOST_ATTRIBUTES =
  "either the sender's SDK dropped them (raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT; for events and links, OTEL_SPAN_EVENT_COUNT_LIMIT and OTEL_SPAN_LINK_COUNT_LIMIT), or Tracejury did not read them, because there are too many attributes or nested values";

/** Whether the span, or one of its log records, lost attributes or its body. */
export function hasLostAttributes({ span }: SpanFacts): boolean {
  return span.droppedAttributes > 0 || span.logs.some(hasLoss);
}

function hasLoss({ droppedAttributes }: { readonly droppedAttributes: number }): boolean {
  return droppedAttributes > 0;
}

/**
 * Whether messages of model calls may be lost. Either a span lost attributes, or a value exceeds the bounds and was not parsed. Lost
 * attributes of a call are not messages if its input and output are present as complete values.
 */
export function mayLackMessages({ calls, nodes }: Evidence): boolean {
  if (calls.length === 0) return nodes.some(hasLostAttributes);
  // The calls of a transcript share a span, so each span is examined once.
  const spans = [...new Set(calls.flatMap(spansOf))];
  const lossy = new Set(spans.filter(hasLostAttributes));
  if ([...lossy].some(hasMessagesInParts) || spans.some(({ hasExcess }) => hasExcess)) return true;
  return lossy.size > 0 && calls.some((call) => lacksSide(call) && spansOf(call).some((at) => lossy.has(at)));
}

function lacksSide(call: LlmCall): boolean {
  return call.inputs.length === 0 || isSilent(call);
}

const messageFields = [F.inputMessages, F.outputMessages];

/** Whether the span's messages are spread over several attributes, events or log records, so that some of them can be lost. */
function hasMessagesInParts(node: SpanFacts): boolean {
  const { logs, events } = node.span;
  return (
    messageFields.some((field) => node.isInParts(field)) ||
    logs.some(hasLoss) ||
    events.some(({ name }) => isMessageEvent(name))
  );
}

function spansOf({ node, around }: LlmCall): SpanFacts[] {
  return [node, ...around];
}

/** Whether the call has neither a text nor a request. */
export function isSilent({ text, requests }: LlmCall): boolean {
  return (text ?? "").trim() === "" && requests.length === 0;
}
