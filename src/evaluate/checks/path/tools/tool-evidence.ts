import type { CheckContext, Finding } from "../../check.ts";
import { incomplete } from "../../../result/finding.ts";

/** Result of a tool check if calls or names are hidden and known calls do not decide. */
export function toolsHidden(context: CheckContext): Finding {
  const field = context.metrics.toolsMissing ?? "tools";
  const message = field === "tools" ? "tool calls may have been left out" : "not every tool call has a name";
  return incomplete(field, message, context.run);
}

/** A verdict names this many spans of a violation; a runaway agent may have made thousands. */
const MOST_SPANS = 32;

/** Spans of the tool calls picked by index into the tools used, the first few of them. */
export function spansOf(context: CheckContext, picked: (at: number) => boolean): readonly string[] {
  const spans: string[] = [];
  const { used } = context.metrics;
  for (let at = 0; at < used.length && spans.length < MOST_SPANS; at++) {
    const spanId = used[at]?.spanId ?? null;
    if (spanId !== null && picked(at) && !spans.includes(spanId)) spans.push(spanId);
  }
  return spans;
}

export function allToolSpans(context: CheckContext): readonly string[] {
  return spansOf(context, () => true);
}

/** Each name once, the unknown ones together. */
export function distinctNames(names: readonly (string | null)[]): readonly string[] {
  return [...new Set(names.map((name) => name ?? "an unnamed tool"))];
}
