import type { LlmCall } from "../calls/llm-call.ts";
import type { Evidence } from "../evidence.ts";
import { isMessageEvent } from "../facts/events.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";

/** Cause and remedy of dropped attributes. The count of a span covers both causes. */
export const LOST_ATTRIBUTES =
  "the sender dropped them (raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT; for events and links, OTEL_SPAN_EVENT_COUNT_LIMIT and OTEL_SPAN_LINK_COUNT_LIMIT), or there are too many attributes or nested values, which were not read";

/** Whether the span, or a log record of the span, lost attributes or its body. */
export function hasLostAttributes({ span }: SpanFacts): boolean {
  return span.droppedAttributes > 0 || span.logs.some(hasLoss);
}

function hasLoss({ droppedAttributes }: { readonly droppedAttributes: number }): boolean {
  return droppedAttributes > 0;
}

/**
 * Whether messages of model calls may be lost with the attributes of a span, or are in a value that exceeds the bounds and stayed text. If
 * input and output of a call are present as whole values, the lost attributes are not messages.
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

/** Whether several attributes, events or log records form the messages of the span, so that a part can be lost. */
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

/** Whether the call shows neither text nor a request. */
export function isSilent({ text, requests }: LlmCall): boolean {
  return (text ?? "").trim() === "" && requests.length === 0;
}
