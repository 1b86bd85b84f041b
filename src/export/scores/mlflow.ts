import { createHash } from "node:crypto";
import { z } from "zod";
import type { HttpResponse } from "../otlp/http-transport.ts";
import { inParallel } from "../../support/structures/in-parallel.ts";
import {
  answerOf,
  basic,
  bearer,
  CALLS_AT_ONCE,
  type Posted,
  postedOf,
  type ScoreBackend,
  type ScoreRequest,
  taken,
  worstOf,
} from "./backend.ts";
import type { Score, ScoredVerdict } from "./score.ts";

/** Fields of an MLflow assessment that Tracejury needs to find its own assessments. */
const assessmentShape = z.object({
  assessment_id: z.string().optional().catch(undefined),
  metadata: z.record(z.string(), z.unknown()).nullish().catch(null),
});
type Assessment = z.infer<typeof assessmentShape>;
const traceShape = z.object({
  trace: z.object({ trace_info: z.object({ assessments: z.array(assessmentShape) }) }),
});

/** Key in an assessment's metadata that contains the id of Tracejury's score. */
const scoreIdKey = "tracejury.score.id";

/**
 * MLflow: posts assessments of a trace. Some stores assign their own assessment ids, so the assessments of the trace are read first. An
 * existing assessment of the same score is updated if it is of an earlier revision.
 */
export const mlflow: ScoreBackend = {
  headers: (key) => (key.includes(":") ? basic(key) : bearer(key)),
  post: (verdicts, request) =>
    inParallel(verdicts, CALLS_AT_ONCE, (verdict) => postVerdict(verdict, request)),
};

async function postVerdict(verdict: ScoredVerdict, request: ScoreRequest): Promise<Posted> {
  const results: Posted[] = [];
  for (const traceId of new Set(verdict.scores.map((score) => score.traceId))) {
    const path = `/api/3.0/mlflow/traces/tr-${traceId}`;
    const response = await request("GET", path);
    if (response.status !== "success") return postedOf(response, true);
    const present = assessmentsOf(response);
    const scores = verdict.scores.filter((score) => score.traceId === traceId);
    for (const score of scores)
      results.push(await postScore(verdict, score, present, `${path}/assessments`, request));
  }
  return worstOf(results);
}

async function postScore(
  { revision }: ScoredVerdict,
  score: Score,
  present: readonly Assessment[],
  path: string,
  request: ScoreRequest,
): Promise<Posted> {
  const body = assessment(score);
  const before = present.find(({ metadata }) => metadata?.[scoreIdKey] === score.id);
  if (before === undefined) return postedOf(await request("POST", path, { assessment: body }), true);
  if (Number(before.metadata?.["tracejury.revision"]) >= revision) return taken;
  const change = { assessment: body, update_mask: "feedback,rationale,metadata" };
  return postedOf(
    await request("PATCH", `${path}/${encodeURIComponent(before.assessment_id ?? "")}`, change),
    true,
  );
}

function assessment(score: Score): object {
  const { id, name, explanation, judge, traceId, spanId, metadata } = score;
  return {
    // MLflow uses this id if its store accepts ids from clients. Then two processes cannot add the same score twice. An id has at most 50
    // characters.
    assessment_id: `a-${createHash("sha256").update(id).digest("hex").slice(0, 32)}`,
    trace_id: `tr-${traceId}`,
    span_id: spanId,
    assessment_name: name,
    source:
      judge === null
        ? { source_type: "CODE", source_id: "tracejury" }
        : { source_type: "LLM_JUDGE", source_id: judge },
    feedback: feedback(score),
    rationale: explanation,
    metadata: { ...metadata, [scoreIdKey]: id },
  };
}

/**
 * Returns the value of an assessment. For a verdict or a layer: its outcome. For a check: its number; if it has none, its outcome. The
 * outcomes `incomplete` and `error` are sent as errors, without a value.
 */
function feedback({ about, label, value, explanation, errorType }: Score): object {
  if (about !== "check") return { value: label };
  if (value !== null) return { value };
  if (label !== "incomplete" && label !== "error") return { value: label };
  return { error: { error_code: (errorType ?? label).toUpperCase(), error_message: explanation } };
}

function assessmentsOf(response: HttpResponse): readonly Assessment[] {
  return answerOf(response, traceShape, { trace: { trace_info: { assessments: [] } } }).trace.trace_info
    .assessments;
}
