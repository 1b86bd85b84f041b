import { basic, type Posted, postedOf, type ScoreBackend, taken } from "./backend.ts";
import type { Score, ScoredVerdict } from "./score.ts";

interface IngestionAnswer {
  readonly errors?: readonly { readonly id?: string; readonly status?: number; readonly message?: string }[];
}

/**
 * Langfuse: `score-create` events of the ingestion API, which replaces a score with the same id, and drops an event that it has seen. What is
 * known is a numeric score; an outcome that decides nothing is a categorical one. Scores may come before their trace.
 */
export const langfuse: ScoreBackend = {
  headers: basic,
  post: async (verdicts, request) => {
    const batch = verdicts.flatMap((verdict) => verdict.scores.map((score) => event(verdict, score)));
    const response = await request("POST", "/api/public/ingestion", { batch });
    if (response.status !== "success") return verdicts.map(() => postedOf(response));
    const errors = errorsOf(response.data);
    return verdicts.map((verdict) => resultOf(verdict, errors));
  },
};

function event(verdict: ScoredVerdict, score: Score): object {
  const { id, name, value, label, explanation, traceId, metadata } = score;
  const isElsewhere = score.about === "check" && score.spanId !== verdict.rootSpanId;
  return {
    id: eventId(verdict, score),
    type: "score-create",
    // Langfuse replaces a score only where its time is of the same day.
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

/** By the id of their event; those of an answer that cannot be read are none. */
function errorsOf(answer: Uint8Array | undefined): ReadonlyMap<string, { status: number; message: string }> {
  try {
    const { errors = [] } = JSON.parse(Buffer.from(answer ?? []).toString()) as IngestionAnswer;
    return new Map(
      errors.map(({ id = "", status = 400, message = "" }) => [id, { status, message }] as const),
    );
  } catch {
    return new Map();
  }
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
