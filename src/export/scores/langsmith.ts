import { createHash } from "node:crypto";
import { z } from "zod";
import { inParallel } from "../../support/structures/in-parallel.ts";
import {
  answerOf,
  CALLS_AT_ONCE,
  type Posted,
  postedOf,
  type ScoreBackend,
  type ScoreRequest,
  taken,
  worstOf,
} from "./backend.ts";
import type { Score, ScoredVerdict } from "./score.ts";

/** A LangSmith run (which is a span), with the ids that feedback needs. */
const runShape = z.object({
  session_id: z.string().optional().catch(undefined),
  start_time: z.string().optional().catch(undefined),
});
type Run = z.infer<typeof runShape>;
const feedbackShape = z.object({ comment: z.string().nullish().catch(null) });

/**
 * LangSmith: posts feedback about runs (spans). The feedback's id is derived from the score's id. Existing feedback is read first, and is
 * updated if it is of an earlier revision. If a span was sent as OTLP, the id of its LangSmith run ends with the span id.
 */
export const langsmith: ScoreBackend = {
  headers: (key) => ({ "x-api-key": key }),
  post: (verdicts, request) =>
    inParallel(verdicts, CALLS_AT_ONCE, (verdict) => postVerdict(verdict, request)),
};

async function postVerdict(verdict: ScoredVerdict, request: ScoreRequest): Promise<Posted> {
  const results: Posted[] = [];
  for (const spanId of new Set(verdict.scores.map((score) => score.spanId))) {
    const runId = uuid(spanId.padStart(32, "0"));
    const response = await request("GET", `/api/v1/runs/${runId}`);
    if (response.status !== "success") return postedOf(response, true);
    const target = { run_id: runId, ...sessionOf(answerOf<Run>(response, runShape, {})) };
    for (const score of verdict.scores.filter((one) => one.spanId === spanId)) {
      results.push(await postScore(verdict, score, target, request));
    }
  }
  return worstOf(results);
}

function sessionOf({ session_id: session, start_time: start }: Run): object {
  return {
    ...(session === undefined ? {} : { session_id: session }),
    ...(start === undefined ? {} : { start_time: start }),
  };
}

async function postScore(
  verdict: ScoredVerdict,
  score: Score,
  target: object,
  request: ScoreRequest,
): Promise<Posted> {
  const id = uuid(createHash("sha256").update(score.id).digest("hex"));
  const present = await request("GET", `/api/v1/feedback/${id}`);
  const shown = { score: score.value, value: score.label, comment: comment(verdict, score) };
  if (present.status === "success") {
    const { comment: before } = answerOf(present, feedbackShape, { comment: null });
    if (revisionOf(before ?? "") >= verdict.revision) return taken;
    return postedOf(await request("PATCH", `/api/v1/feedback/${id}`, { ...shown, correction: null }), true);
  }
  if (present.status === "retryable" || present.statusCode !== 404) return postedOf(present);
  const { judge, metadata } = score;
  const type = judge === null ? "api" : "model";
  // The metadata contains no revision and no outcome, because an update of feedback cannot change the metadata. The comment contains the
  // revision.
  const lasting = Object.entries(metadata).filter(([name]) => !/^tracejury\.(revision|outcome)$/.test(name));
  const source = { type, metadata: { ...Object.fromEntries(lasting), ...(judge === null ? {} : { judge }) } };
  const feedback = { id, key: score.name, ...target, ...shown, feedback_source: source };
  return postedOf(await request("POST", "/api/v1/feedback", feedback), true);
}

function comment({ link, revision }: ScoredVerdict, { label, explanation }: Score): string {
  return [`${label}: ${explanation}`, ...(link === null ? [] : [link]), `revision ${revision}`].join("\n");
}

/** Returns the revision at the end of a comment; 0 if a user removed the revision from the comment. */
function revisionOf(text: string): number {
  return Number(/\nrevision (\d+)$/.exec(text)?.[1] ?? 0);
}

function uuid(hex: string): string {
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return parts.join("-");
}
