import { sha256 } from "../../support/structures/sha256.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Attributes } from "./attribute.ts";
import { rootSpan, type SpanReference } from "./judged-span.ts";
import type { EvaluationResults } from "./verdict-records.ts";

export const verdictSpanName = "tracejury.verdict";

/**
 * Placement of a verdict's span: below the judged root span, or separate with a link. `off` sends no span.
 */
export type SpanPlacement = "child" | "link" | "off";

/**
 * Span with a verdict's events in the judged trace. The span starts and ends at the end of the judged root
 * span.
 */
export interface VerdictSpan {
  readonly span: SpanReference;
  readonly judged: SpanReference;
  readonly placement: Exclude<SpanPlacement, "off">;
  readonly timeUnixNano: bigint;
  readonly attributes: Attributes;
  /** Error message if the evaluation itself failed. A run that failed its checks has no error message. */
  readonly errorMessage: string | undefined;
}

/** Span kind attributes for OpenTelemetry, OpenInference backends and Langfuse. */
const spanTypes = [
  ["gen_ai.operation.name", "evaluation"],
  ["openinference.span.kind", "EVALUATOR"],
  ["langfuse.observation.type", "evaluator"],
] as const;

export function verdictSpan(
  verdict: Verdict,
  said: EvaluationResults,
  placement: Exclude<SpanPlacement, "off">,
): VerdictSpan {
  const judged = rootSpan(verdict.run);
  const own = new Map(said.results[0]?.attributes);
  const explanation = own.get("gen_ai.evaluation.explanation");
  return {
    span: { ...judged, spanId: verdictSpanId(verdict) },
    judged,
    placement,
    timeUnixNano: verdict.run.rootEndUnixNano,
    attributes: new Map([...spanTypes, ...own]),
    errorMessage: verdict.outcome === "error" && typeof explanation === "string" ? explanation : undefined,
  };
}

/**
 * Returns a span id of 16 hex digits. The same verdict and revision always get the same id, so a span that is
 * sent twice is one span.
 */
export function verdictSpanId({ verdictId, revision }: Pick<Verdict, "verdictId" | "revision">): string {
  return sha256(`${verdictId}\n${revision}`).slice(0, 16);
}
