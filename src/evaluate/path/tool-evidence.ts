import type { CheckContext, Finding } from "../check.ts";
import { incomplete } from "../finding.ts";

/** What a check on tools answers when calls or their names are hidden and what is known does not decide. */
export function toolsHidden(context: CheckContext): Finding {
  const field = context.metrics.toolsMissing ?? "tools";
  const message = field === "tools" ? "tool calls may have been left out" : "not every tool call has a name";
  return incomplete(field, message, context.run.dialects);
}

/** Spans of the tool calls picked by index into the tools used. */
export function spansOf(context: CheckContext, picked: (at: number) => boolean): readonly string[] {
  const spans: string[] = [];
  context.metrics.used.forEach((call, at) => {
    if (call.spanId !== null && picked(at) && !spans.includes(call.spanId)) spans.push(call.spanId);
  });
  return spans;
}

export function allToolSpans(context: CheckContext): readonly string[] {
  return spansOf(context, () => true);
}
