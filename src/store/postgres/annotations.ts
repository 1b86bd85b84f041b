import type { Pool } from "pg";
import type { Annotation, AnnotationFilter, NewAnnotation } from "../../api/store.ts";
import { changesIn } from "../annotations.ts";
import { Conditions } from "./conditions.ts";
import { withoutNul } from "./insert.ts";

/** Undefined when there is no such run, or no such verdict of it. */
export async function addAnnotation(
  pool: Pool,
  annotation: NewAnnotation,
  nowUnixMs: number,
): Promise<Annotation | undefined> {
  const { run_id: runId, verdict_id: verdictId, label, note, author, changes = null } = annotation;
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO tracejury.annotations (run_id, verdict_id, label, note, author, created_ms, changes)
     SELECT $1, $2, $3, $4, $5, $6, $7 WHERE EXISTS (SELECT 1 FROM tracejury.runs WHERE run_id = $1)
       AND ($2::text IS NULL OR EXISTS (SELECT 1 FROM tracejury.verdicts WHERE verdict_id = $2 AND run_id = $1))
     RETURNING id`,
    [runId, verdictId, label, note, author, nowUnixMs, changes && JSON.stringify(changes)].map(withoutNul),
  );
  const [added] = rows;
  return added && { id: Number(added.id), ...annotation, created_unix_ms: nowUnixMs };
}

export async function removeAnnotation(pool: Pool, id: number): Promise<boolean> {
  const { rowCount } = await pool.query("DELETE FROM tracejury.annotations WHERE id = $1", [id]);
  return (rowCount ?? 0) > 0;
}

/** Newest first. */
export async function listAnnotations(
  pool: Pool,
  { run, verdict, label }: AnnotationFilter,
): Promise<Annotation[]> {
  const conditions = new Conditions()
    .add("run_id = ?", run)
    .add("verdict_id = ?", verdict)
    .add("label = ?", label);
  const { rows } = await pool.query<Row>(
    `SELECT * FROM tracejury.annotations WHERE ${conditions.sql} ORDER BY id DESC LIMIT 10000`,
    conditions.values,
  );
  return rows.map(({ id, run_id, verdict_id, note, author, created_ms, ...row }) => ({
    id: Number(id),
    run_id,
    verdict_id,
    label: row.label,
    note,
    author,
    changes: changesIn(row.changes),
    created_unix_ms: Number(created_ms),
  }));
}

/** The last label of each run, whichever of its verdicts it was given to. */
export async function labelsOf(pool: Pool): Promise<Map<string, "pass" | "fail">> {
  const { rows } = await pool.query<{ run_id: string; label: string }>(
    "SELECT run_id, label FROM tracejury.annotations WHERE label IS NOT NULL ORDER BY id",
  );
  return new Map(rows.map((row) => [row.run_id, row.label === "pass" ? "pass" : "fail"]));
}

interface Row {
  readonly id: string;
  readonly run_id: string;
  readonly verdict_id: string | null;
  readonly label: Annotation["label"];
  readonly note: string;
  readonly author: string | null;
  readonly created_ms: string;
  readonly changes: string | null;
}
