import sql, { raw } from "sql-template-tag";
import type { Annotation, AnnotationFilter, NewAnnotation } from "../archive.ts";
import { allOf, type Dialect, equal, type Row, type Steps } from "../sql/dialect.ts";
import { jsonOrNull, textOrNull } from "../write/row-values.ts";

const MOST_LISTED = 10_000;

/** Adds an annotation. Returns undefined if the run or the verdict does not exist. */
export function* addAnnotation(
  dialect: Dialect,
  annotation: NewAnnotation,
  nowUnixMs: number,
): Steps<Annotation | undefined> {
  const { run_id: runId, verdict_id: verdictId, label, note, author, changes = null } = annotation;
  const prefix = raw(dialect.prefix);
  const isThere = allOf(
    sql`EXISTS (SELECT 1 FROM ${prefix}runs WHERE run_id = ${runId})`,
    verdictId === null
      ? undefined
      : sql`EXISTS (SELECT 1 FROM ${prefix}verdicts WHERE verdict_id = ${verdictId} AND run_id = ${runId})`,
  );
  const [added] = yield sql`
    INSERT INTO ${prefix}annotations (run_id, verdict_id, label, note, author, changes, created_ms)
    SELECT ${runId}, ${verdictId}, ${label}, ${note}, ${author}, ${changes && JSON.stringify(changes)}, ${nowUnixMs}
    WHERE ${isThere} RETURNING id`;
  return added && { id: Number(added["id"]), ...annotation, created_unix_ms: nowUnixMs };
}

/** Removes an annotation. Returns false if the annotation does not exist. */
export function* removeAnnotation({ prefix }: Dialect, id: number): Steps<boolean> {
  const removed = yield sql`DELETE FROM ${raw(prefix)}annotations WHERE id = ${id} RETURNING id`;
  return removed.length > 0;
}

/** Returns at most `MOST_LISTED` annotations, newest first. */
export function* listAnnotations(
  { prefix }: Dialect,
  { run, verdict, label }: AnnotationFilter,
): Steps<Annotation[]> {
  const where = allOf(sql`id > 0`, equal("run_id", run), equal("verdict_id", verdict), equal("label", label));
  const rows = yield sql`
    SELECT * FROM ${raw(prefix)}annotations WHERE ${where} ORDER BY id DESC LIMIT ${MOST_LISTED}`;
  return rows.map(annotationOf);
}

/** Returns the last label of each run. A label on one of the run's verdicts counts as a label of the run. */
export function* labelsByRunId({ prefix }: Dialect): Steps<Map<string, "pass" | "fail">> {
  const rows = yield sql`
    SELECT run_id, label FROM ${raw(prefix)}annotations WHERE label IS NOT NULL ORDER BY id`;
  return new Map(rows.map((row) => [String(row["run_id"]), row["label"] === "pass" ? "pass" : "fail"]));
}

function annotationOf(row: Row): Annotation {
  const changes = textOrNull(row["changes"]);
  return {
    id: Number(row["id"]),
    run_id: String(row["run_id"]),
    verdict_id: textOrNull(row["verdict_id"]),
    label: textOrNull(row["label"]) as Annotation["label"],
    note: String(row["note"]),
    author: textOrNull(row["author"]),
    changes: (changes === null ? null : jsonOrNull(changes)) as Annotation["changes"] & (object | null),
    created_unix_ms: Number(row["created_ms"]),
  };
}
