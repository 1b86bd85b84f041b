import { z } from "zod";
import type { HttpResponse } from "../otlp/http-transport.ts";
import { answerOf, basic, type Posted, postedOf, type ScoreBackend, taken } from "./backend.ts";
import type { Score, ScoredVerdict } from "./score.ts";

const ingestionShape = z.object({
  errors: z.array(
    z.object({
      id: z.string().catch(""),
      status: z.number().catch(400),
      message: z.string().catch(""),
    }),
  ),
});

/**
 * Langfuse: posts `score-create` events to the ingestion API. A score replaces the score with the same id, and a repeated event is ignored.
 * Decided results are numeric scores; undecided results are categorical scores. Scores may arrive before their trace.
 */
export const langfuse: ScoreBackend = {
  headers: basic,
  post: async (verdicts, request) => {
    const batch = verdicts.flatMap((verdict) => verdict.scores.map((score) => event(verdict, score)));
    const response = await request("POST", "/api/public/ingestion", { batch });
    if (response.status !== "success") return verdicts.map(() => postedOf(response));
    const errors = errorsOf(response);
    return verdicts.map((verdict) => resultOf(verdict, errors));
  },
};

function event(verdict: ScoredVerdict, score: Score): object {
  const { id, name, value, label, explanation, traceId, metadata } = score;
  const isElsewhere = score.about === "check" && score.spanId !== verdict.rootSpanId;
  return {
    id: eventId(verdict, score),
    type: "score-create",
    // Langfuse replaces a score only if the old and the new score have a time on the same day. The run's end is the same in all revisions.
    timestamp: new Date(verdict.endUnixMs).toISOString(),
    body: {
      id,
      traceId,
      ...(isElsewhere ? { observationId: score.spanId } : {}),
      name,
      value: value ?? label,
      dataType: value === null ? "CATEGORICAL" : "NUMERIC",
      comment: [`${label}: ${explanation}`, ...(verdict.link === null ? [] : [verdict.link])].join("\n"),
      metadata,
    },
  };
}

function eventId({ revision }: ScoredVerdict, { id }: Score): string {
  return `${id}-r${revision}`;
}

/** Returns the errors of a response by event id; empty if the response is invalid. */
function errorsOf(answer: HttpResponse): ReadonlyMap<string, { status: number; message: string }> {
  const { errors } = answerOf(answer, ingestionShape, { errors: [] });
  return new Map(errors.map(({ id, status, message }) => [id, { status, message: message.slice(0, 300) }]));
}

function resultOf(
  verdict: ScoredVerdict,
  errors: ReadonlyMap<string, { status: number; message: string }>,
): Posted {
  const found = verdict.scores.flatMap((score) => errors.get(eventId(verdict, score)) ?? []);
  const [first] = found;
  if (first === undefined) return taken;
  const passing = found.find(({ status }) => status >= 500 || status === 429);
  const { status, message } = passing ?? first;
  const error = `HTTP ${status} ${message}`.trim();
  return passing === undefined ? { outcome: "refused", error } : { outcome: "retry", error, retryAfterMs: 0 };
}
