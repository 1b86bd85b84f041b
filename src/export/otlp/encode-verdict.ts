import type { Verdict } from "../../model/verdict.ts";
import { evaluationResults } from "../records/verdict-records.ts";
import { type SpanPlacement, verdictSpan } from "../records/verdict-span.ts";
import { encodeAttributes } from "./attribute-block.ts";
import { encodeLogRecord, encodeSpan } from "./encode.ts";

/** Kinds of records that at least one destination needs. */
export interface Shapes {
  readonly logs: boolean;
  readonly spanWithEvents: boolean;
  readonly spanWithoutEvents: boolean;
  readonly span: SpanPlacement;
  readonly content: boolean;
}

/** Encoded records of a verdict. A kind of record that no destination needs is empty. */
export interface EncodedVerdict {
  readonly logs: readonly Uint8Array[];
  readonly spanWithEvents: readonly Uint8Array[];
  readonly spanWithoutEvents: readonly Uint8Array[];
}

export function encodeVerdict(verdict: Verdict, shapes: Shapes, judgedUnixMs: number): EncodedVerdict {
  const evaluation = evaluationResults(verdict, shapes.content);
  const common = encodeAttributes(evaluation.common);
  const results = evaluation.results.map((result) => ({
    ...result,
    attributes: encodeAttributes(result.attributes),
  }));
  const span = shapes.span === "off" ? undefined : verdictSpan(verdict, evaluation, shapes.span);
  const encodeIf = (wanted: boolean, events: typeof results): Uint8Array[] =>
    wanted && span !== undefined ? [encodeSpan(span, common, events)] : [];
  return {
    logs: shapes.logs ? results.map((result) => encodeLogRecord(result, common, judgedUnixMs)) : [],
    spanWithEvents: encodeIf(shapes.spanWithEvents, results),
    spanWithoutEvents: encodeIf(shapes.spanWithoutEvents, []),
  };
}
