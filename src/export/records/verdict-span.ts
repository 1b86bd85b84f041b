import { sha256 } from "../../support/structures/sha256.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Attributes } from "./attribute.ts";
import { rootSpan, type SpanReference } from "./judged-span.ts";
import type { EvaluationResults } from "./verdict-records.ts";

export const verdictSpanName = "tracejury.verdict";

/** How a verdict's span is tied to the judged root: below it, or beside it with a link. `off` sends none. */
export type SpanPlacement = "child" | "link" | "off";

/** The span that carries a verdict's events in the judged trace. It begins and ends when the judged root ended. */
export interface VerdictSpan {
  readonly span: SpanReference;
  readonly judged: SpanReference;
  readonly placement: Exclude<SpanPlacement, "off">;
  readonly timeUnixNano: bigint;
  readonly attributes: Attributes;
  /** Set when the evaluation itself went wrong; a run that failed its checks was evaluated well. */
  readonly errorMessage: string | undefined;
}

/** Kind of the span for OpenTelemetry, OpenInference backends and Langfuse. */
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

/** 16 hex digits; the same verdict and revision always get the same, so that a span sent twice is one span. */
export function verdictSpanId({ verdictId, revision }: Pick<Verdict, "verdictId" | "revision">): string {
  return sha256(`${verdictId}\n${revision}`).slice(0, 16);
}
