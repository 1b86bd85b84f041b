import { bearer, mapFewAtOnce, postedOf, type ScoreBackend, taken } from "./backend.ts";
import type { Score, ScoredVerdict } from "./score.ts";

const path = "/v1/span_annotations?sync=true";

/**
 * Phoenix: span annotations, replaced by span, name and identifier. A request is taken as a whole or not at all, so that one span that is
 * not there, or one annotation that is not taken, would keep back all: then each verdict has a request of its own.
 */
export const phoenix: ScoreBackend = {
  headers: bearer,
  post: async (verdicts, request) => {
    const data = verdicts.flatMap((verdict) => annotations(verdict));
    const all = postedOf(await request("POST", path, { data }), true);
    if (all.outcome === "taken") return verdicts.map(() => taken);
    if (all.outcome === "retry" || verdicts.length === 1) return verdicts.map(() => all);
    return mapFewAtOnce(verdicts, async (verdict) =>
      postedOf(await request("POST", path, { data: annotations(verdict) }), true),
    );
  },
};

function annotations({ scores }: ScoredVerdict): readonly object[] {
  return scores.map((score) => annotation(score));
}

function annotation({ id, name, label, value, explanation, judge, spanId, metadata }: Score): object {
  return {
    span_id: spanId,
    name,
    annotator_kind: judge === null ? "CODE" : "LLM",
    result: { label, score: value, explanation },
    metadata: { ...metadata, ...(judge === null ? {} : { judge }) },
    identifier: id,
  };
}
