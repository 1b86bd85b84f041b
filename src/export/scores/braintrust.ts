import { z } from "zod";
import {
  absent,
  answerOf,
  bearer,
  type Posted,
  postedOf,
  type ScoreBackend,
  type ScoreRequest,
} from "./backend.ts";
import { type Score, type ScoredVerdict, uniqueNameOf } from "./score.ts";

/** A row of Braintrust, which is a stored span, with the scores that Tracejury posted before. */
const rowShape = z.object({
  id: z.string(),
  span_id: z.string(),
  root_span_id: z.string(),
  metadata: z
    .looseObject({ tracejury: z.record(z.string(), z.unknown()).nullish().catch(null) })
    .nullish()
    .catch(null),
});
type Row = z.infer<typeof rowShape>;
const rowsShape = z.object({ data: z.array(rowShape) });

/** The verdict and revision that wrote a stored score. */
const writtenShape = z.looseObject({
  "tracejury.verdict.id": z.string(),
  "tracejury.revision": z.union([z.string(), z.number()]).optional(),
});

/** Update of a row: scores by name, and their details in the row's metadata under `tracejury`. */
interface Change {
  readonly scores: Record<string, number | null>;
  readonly tracejury: Record<string, object>;
}

/**
 * Braintrust: merges scores into the row of a span, one score for each name. Rows have their own ids, which are looked up by trace and
 * span. A stored score of a later revision is not replaced. Verdicts and layers have the same scores as in OTLP. A check scores 1 for a
 * pass, 0 for a violation, and null for any other outcome, because Braintrust accepts no score above 1. The measured value of the check is
 * in the metadata.
 */
export const braintrust: ScoreBackend = {
  headers: bearer,
  post: async (verdicts, request, project) => {
    const wanted = new Set(verdicts.flatMap(({ scores }) => scores.map(addressOf)));
    const response = await request("POST", "/btql", { query: rowsQuery(project ?? "", wanted), fmt: "json" });
    if (response.status !== "success") return verdicts.map(() => postedOf(response));
    const { data } = answerOf(response, rowsShape, { data: [] });
    const rows = new Map(data.map((row) => [`${row.root_span_id} ${row.span_id}`, row]));
    const isThere = ({ scores }: ScoredVerdict): boolean =>
      scores.every((score) => rows.has(addressOf(score)));
    const posted = await insert(changesOf(verdicts.filter(isThere), rows), request, project ?? "");
    return verdicts.map((verdict) => (isThere(verdict) ? posted : absent));
  },
};

function addressOf({ traceId, spanId }: Score): string {
  return `${traceId} ${spanId}`;
}

function rowsQuery(project: string, addresses: ReadonlySet<string>): string {
  const filter = [...addresses].map((address) => {
    const [traceId, spanId] = address.split(" ");
    return `(root_span_id = '${traceId}' and span_id = '${spanId}')`;
  });
  return [
    "select: id, span_id, root_span_id, metadata",
    `from: project_logs('${project}') spans`,
    `filter: ${filter.join(" or ")}`,
    `limit: ${addresses.size}`,
  ].join(" | ");
}

/** Returns the update of each row, by row id. */
function changesOf(
  verdicts: readonly ScoredVerdict[],
  rows: ReadonlyMap<string, Row>,
): ReadonlyMap<string, Change> {
  const changes = new Map<string, Change>();
  for (const verdict of verdicts) {
    for (const score of verdict.scores) {
      const row = rows.get(addressOf(score));
      const name = uniqueNameOf(verdict, score);
      if (row === undefined || isAsNew(row.metadata?.tracejury?.[name], verdict)) continue;
      const change = changes.get(row.id) ?? { scores: {}, tracejury: {} };
      changes.set(row.id, change);
      const { label: outcome, value, explanation, judge, metadata } = score;
      change.scores[name] = scoreOf(score);
      change.tracejury[name] = { outcome, value, explanation, judge, ...metadata };
    }
  }
  return changes;
}

function isAsNew(written: unknown, { verdictId, revision }: ScoredVerdict): boolean {
  const { data } = writtenShape.safeParse(written);
  return data?.["tracejury.verdict.id"] === verdictId && Number(data["tracejury.revision"] ?? 0) >= revision;
}

function scoreOf({ about, label, value }: Score): number | null {
  if (about !== "check") return value;
  if (label === "pass") return 1;
  return label === "fail" || label === "warn" ? 0 : null;
}

async function insert(
  changes: ReadonlyMap<string, Change>,
  request: ScoreRequest,
  project: string,
): Promise<Posted> {
  if (changes.size === 0) return { outcome: "taken" };
  const events = [...changes].map(([id, { scores, tracejury }]) => ({
    id,
    _is_merge: true,
    scores,
    metadata: { tracejury },
  }));
  return postedOf(await request("POST", `/v1/project_logs/${project}/insert`, { events }));
}
