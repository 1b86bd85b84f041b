import type { AgentRun } from "../../model/run.ts";
import type { CheckResult } from "../../model/verdict.ts";

/** Reference to a span: its ids in lower-case hex, and W3C trace flags. */
export interface SpanReference {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

const sampled = 1;

export function rootSpan(run: AgentRun): SpanReference {
  return { traceId: run.traceId, spanId: run.rootSpanId, traceFlags: run.rootTraceFlags ?? sampled };
}

/**
 * Returns the span that is the evidence of a check. Returns the run's root span if the evidence is no span or several spans, or if the
 * trace of the span is unknown.
 */
export function checkedSpan(run: AgentRun, check: CheckResult): SpanReference {
  const root = rootSpan(run);
  const [spanId, ...others] = check.spanIds;
  if (spanId === undefined || others.length > 0) return root;
  const traceId = traceOf(run, spanId);
  return traceId === undefined ? root : { ...root, traceId, spanId };
}

function traceOf(run: AgentRun, spanId: string): string | undefined {
  if (run.traceIds.length <= 1) return run.traceId;
  for (const call of [...run.llm, ...run.tools]) if (call.spanId === spanId) return call.traceId;
  return undefined;
}
