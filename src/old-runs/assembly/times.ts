import type { SpanNode } from "../span/span-node.ts";

/** When a span began; null where it was sent without a time. */
export function startOf({ start }: SpanNode): number | null {
  return start > 0 ? start : null;
}

/** How long it took from the begin of one span to the end of another, in milliseconds; null where one of the times was not sent. */
export function durationBetween(first: SpanNode, last: SpanNode): number | null {
  const hasEnd = last.end > last.start || last.span.endUnixNano > 0n;
  return first.start > 0 && last.start > 0 && hasEnd ? last.end - first.start : null;
}
