import { z } from "zod";
import { inParallel } from "../../support/structures/in-parallel.ts";
import {
  answerOf,
  bearer,
  CALLS_AT_ONCE,
  type Posted,
  postedOf,
  type ScoreBackend,
  type ScoreRequest,
  taken,
} from "./backend.ts";
import type { Score, ScoredVerdict } from "./score.ts";

const path = "/v1/span_annotations?sync=true";
/** Maximum number of annotation identifiers in the URL of one request. */
const mostIdentifiers = 50;

/** An annotation that Phoenix already has. */
const presentShape = z.object({
  span_id: z.string(),
  identifier: z.string(),
  metadata: z.looseObject({ "tracejury.revision": z.unknown() }).nullish().catch(null),
});
type Present = z.infer<typeof presentShape>;
const presentPage = z.object({ data: z.array(presentShape) });

/**
 * Phoenix: posts span annotations. An annotation replaces the annotation with the same span, name and identifier. Existing annotations are
 * read first, so that no annotation of a later revision is replaced. If the evidence of a score moved to another span since the last
 * revision, the annotation on the previous span is deleted. Phoenix accepts or refuses a request as a whole; after a refusal, each verdict
 * is sent in its own request.
 */
export const phoenix: ScoreBackend = {
  headers: bearer,
  post: async (verdicts, request, project) => {
    const annotationsPath = `/v1/projects/${encodeURIComponent(project ?? "default")}/span_annotations`;
    const present = await presentAnnotations(verdicts, request, annotationsPath);
    if ("outcome" in present) return verdicts.map(() => present);
    const isOutdated = ({ scores, revision }: ScoredVerdict): boolean =>
      scores.some(({ id }) => revisionOf(present.get(id)) > revision);
    const current = verdicts.filter((verdict) => !isOutdated(verdict));
    const moved = current
      .flatMap(({ scores }) => scores)
      .filter(({ id, spanId }) => (present.get(id)?.span_id ?? spanId) !== spanId);
    const deleted = await inParallel(moved, CALLS_AT_ONCE, async ({ id }) =>
      postedOf(
        await request("DELETE", `${annotationsPath}?identifier=${encodeURIComponent(id)}&delete_all=true`),
        true,
      ),
    );
    const failed = deleted.find(({ outcome }) => outcome === "retry");
    if (failed !== undefined) return verdicts.map(() => failed);
    const results = current.length === 0 ? [] : await postAll(current, request);
    return verdicts.map((verdict) => results[current.indexOf(verdict)] ?? taken);
  },
};

async function postAll(
  verdicts: readonly ScoredVerdict[],
  request: ScoreRequest,
): Promise<readonly Posted[]> {
  const data = verdicts.flatMap((verdict) => annotations(verdict));
  const all = postedOf(await request("POST", path, { data }), true);
  if (all.outcome === "taken") return verdicts.map(() => taken);
  if (all.outcome === "retry" || verdicts.length === 1) return verdicts.map(() => all);
  return inParallel(verdicts, CALLS_AT_ONCE, async (verdict) =>
    postedOf(await request("POST", path, { data: annotations(verdict) }), true),
  );
}

/**
 * Returns existing annotations by identifier. For the first revision of a verdict, looks up one annotation only: all annotations of a
 * verdict are posted together, so either all or none exist.
 */
async function presentAnnotations(
  verdicts: readonly ScoredVerdict[],
  request: ScoreRequest,
  annotationsPath: string,
): Promise<ReadonlyMap<string, Present> | Posted> {
  const ids = verdicts.flatMap(({ scores, revision }) =>
    (revision === 1 ? scores.slice(0, 1) : scores).map(({ id }) => `identifier=${encodeURIComponent(id)}`),
  );
  const present = new Map<string, Present>();
  for (let at = 0; at < ids.length; at += mostIdentifiers) {
    const query = ids.slice(at, at + mostIdentifiers).join("&");
    const response = await request("GET", `${annotationsPath}?limit=10000&${query}`);
    // If this version of Phoenix lacks the API, or the project does not exist yet, existing annotations are unknown. The annotations are
    // then posted without this check. Phoenix still replaces an annotation with the same span, name and identifier.
    const isUnknown = response.status === "failure" && [404, 405, 422].includes(response.statusCode ?? 0);
    if (response.status !== "success" && !isUnknown) return postedOf(response);
    const { data } = answerOf(response, presentPage, { data: [] });
    for (const annotation of data) present.set(annotation.identifier, annotation);
  }
  return present;
}

function revisionOf(annotation: Present | undefined): number {
  return Number(annotation?.metadata?.["tracejury.revision"] ?? 0);
}

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
