import type { CheckContext, Finding } from "../../check.ts";
import { incomplete } from "../../../result/finding.ts";

/**
 * Returns the `incomplete` finding of a tool check whose known calls leave the result open, because calls or their names may be missing.
 */
export function toolsHidden(context: CheckContext): Finding {
  const field = context.metrics.toolsMissing ?? "tools";
  const message = field === "tools" ? "the telemetry may lack tool calls" : "not every tool call has a name";
  return incomplete(field, message, context.run);
}

/** Maximum number of spans in a violation. A looping agent can have thousands of spans. */
const MOST_SPANS = 32;

/**
 * Returns the span ids of the selected tool calls, at most `MOST_SPANS`.
 * @param picked selects calls by index
 */
export function spansOf(context: CheckContext, picked: (at: number) => boolean): readonly string[] {
  const spans: string[] = [];
  const { used } = context.metrics;
  for (let at = 0; at < used.length && spans.length < MOST_SPANS; at++) {
    const spanId = used[at]?.spanId ?? null;
    if (spanId !== null && picked(at) && !spans.includes(spanId)) spans.push(spanId);
  }
  return spans;
}

/** Returns the spans of the tool calls as evidence. */
export function allToolSpans(context: CheckContext): { readonly spanIds: readonly string[] } {
  return { spanIds: spansOf(context, () => true) };
}

/** Returns each name once. All calls without a name share one entry. */
export function distinctNames(names: readonly (string | null)[]): readonly string[] {
  return [...new Set(names.map((name) => name ?? "an unnamed tool"))];
}
