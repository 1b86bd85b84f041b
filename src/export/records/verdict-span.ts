import { sha256 } from "../../support/structures/sha256.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Attributes } from "./attribute.ts";
import { rootSpan, type SpanReference } from "./judged-span.ts";
import type { EvaluationResults } from "./verdict-records.ts";

export const verdictSpanName = "tracejury.verdict";

/**
 * Where a verdict's span is exported. `child`: below the judged root span. `link`: in its own trace, with a span link. `off`: the span is
 * not exported.
 */
export type SpanPlacement = "child" | "link" | "off";

/** Span whose events are the results of a verdict. The span starts and ends when the judged root span ends. */
export interface VerdictSpan {
  readonly span: SpanReference;
  readonly judged: SpanReference;
  readonly placement: Exclude<SpanPlacement, "off">;
  readonly timeUnixNano: bigint;
  readonly attributes: Attributes;
  /** Error message if the evaluation could not be completed. Undefined if it was completed, even if checks failed. */
  readonly errorMessage: string | undefined;
}

/** Attributes that mark the span as an evaluation for OpenTelemetry, OpenInference and Langfuse. */
const spanTypes = [
  ["gen_ai.operation.name", "evaluation"],
  ["openinference.span.kind", "EVALUATOR"],
  ["langfuse.observation.type", "evaluator"],
] as const;

export function verdictSpan(
  verdict: Verdict,
  evaluation: EvaluationResults,
  placement: Exclude<SpanPlacement, "off">,
): VerdictSpan {
  const judged = rootSpan(verdict.run);
  const own = new Map(evaluation.results[0]?.attributes);
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

/** Returns a span id of 16 hex digits. The id depends only on verdict and revision, so a span that is sent twice has the same id. */
export function verdictSpanId({ verdictId, revision }: Pick<Verdict, "verdictId" | "revision">): string {
  return sha256(`${verdictId}\n${revision}`).slice(0, 16);
}
