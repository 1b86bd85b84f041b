import type { Annotation, AnnotationFilter, Changes, NewAnnotation } from "../api/store.ts";
import { jsonIn } from "./json-column.ts";
import { Conditions } from "./conditions.ts";
import type { Database, Row, Value } from "./database.ts";

/** What people said about runs and verdicts. It is kept as long as the run is. */
export class Annotations {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(annotation: NewAnnotation, nowUnixMs: number): Annotation | undefined {
    const { run_id: runId, verdict_id: verdictId, label, note, author, changes = null } = annotation;
    if (!this.#exists("SELECT 1 FROM runs WHERE run_id = ?", runId)) return undefined;
    if (verdictId !== null) {
      const sql = "SELECT 1 FROM verdicts WHERE verdict_id = ? AND run_id = ?";
      if (!this.#exists(sql, verdictId, runId)) return undefined;
    }
    const sql =
      "INSERT INTO annotations (run_id, verdict_id, label, note, author, changes, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?)";
    const { lastInsertRowid } = this.#database
      .prepare(sql)
      .run(runId, verdictId, label, note, author, changes && JSON.stringify(changes), nowUnixMs);
    return { id: Number(lastInsertRowid), ...annotation, created_unix_ms: nowUnixMs };
  }

  remove(id: number): boolean {
    return Number(this.#database.prepare("DELETE FROM annotations WHERE id = ?").run(id).changes) > 0;
  }

  /** Newest first. */
  list({ run, verdict, label }: AnnotationFilter): Annotation[] {
    const conditions = new Conditions()
      .add("run_id = ?", run)
      .add("verdict_id = ?", verdict)
      .add("label = ?", label);
    const sql = `SELECT * FROM annotations WHERE ${conditions.sql} ORDER BY id DESC LIMIT 10000`;
    return this.#database
      .prepare(sql)
      .all(...conditions.values)
      .map(annotationOf);
  }

  /** The last label of each run, whichever of its verdicts it was given to. */
  labels(): Map<string, "pass" | "fail"> {
    const rows = this.#database
      .prepare("SELECT run_id, label FROM annotations WHERE label IS NOT NULL ORDER BY id")
      .all();
    return new Map(rows.map((row) => [String(row["run_id"]), row["label"] === "pass" ? "pass" : "fail"]));
  }

  #exists(sql: string, ...values: readonly Value[]): boolean {
    return this.#database.prepare(sql).get(...values) !== undefined;
  }
}

/** As `add` wrote them. */
export function changesIn(json: string | null): Changes | null {
  return json === null ? null : (jsonIn(json) as Changes | null);
}

function annotationOf(row: Row): Annotation {
  const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    id: Number(row["id"]),
    run_id: String(row["run_id"]),
    verdict_id: text(row["verdict_id"]),
    label: text(row["label"]) as Annotation["label"],
    note: String(row["note"]),
    author: text(row["author"]),
    changes: changesIn(text(row["changes"])),
    created_unix_ms: Number(row["created_ms"]),
  };
}
