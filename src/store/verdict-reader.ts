import { foldName } from "../evaluate/fold-name.ts";
import type { Outcome } from "../model/outcome.ts";
import type { StoredVerdict, VerdictFilter, VerdictPage } from "../api/store.ts";
import { Conditions } from "./conditions.ts";
import type { Database, Row } from "./database.ts";
import { numberOf } from "./cursor.ts";
import { textsIn } from "./json-column.ts";

const columns =
  "seq, verdict_id, revision, outcome, agent, query_id, spec, run_id, trace_ids, judged_ms, json";
/** A search for text looks at so many verdicts for one page: it must not hold up everything else. */
const LOOKED_THROUGH = 50_000;

export type NumberedVerdict = StoredVerdict & { readonly number: number };

/** Reads verdicts; only newest revisions are listed. */
export class VerdictReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  page(filter: VerdictFilter, limit: number, cursor: string | null): VerdictPage | undefined {
    const below = cursor === null ? this.newest() + 1 : numberOf(cursor);
    if (below === undefined) return undefined;
    const floor = filter.text === undefined ? 0 : below - LOOKED_THROUGH;
    const { sql, values } = conditions(filter);
    const rows = this.#database
      .prepare(
        `SELECT ${columns} FROM verdicts WHERE seq < ? AND seq >= ? AND latest = 1 AND ${sql} ORDER BY seq DESC LIMIT ?`,
      )
      .all(below, floor, ...values, limit + 1);
    const verdicts = rows.slice(0, limit).map(verdictOf);
    if (rows.length > limit) return { verdicts, next: (verdicts.at(-1)?.number ?? 0).toString(36) };
    return { verdicts, next: floor > this.#oldest() ? floor.toString(36) : null };
  }

  one(verdictId: string, revision: number | null): StoredVerdict | undefined {
    const which = revision === null ? "latest = 1" : "revision = ?";
    const statement = this.#database.prepare(
      `SELECT ${columns} FROM verdicts WHERE verdict_id = ? AND ${which}`,
    );
    const row = revision === null ? statement.get(verdictId) : statement.get(verdictId, revision);
    return row && verdictOf(row);
  }

  revisions(verdictId: string): NumberedVerdict[] {
    const sql = `SELECT ${columns} FROM verdicts WHERE verdict_id = ? ORDER BY revision`;
    return this.#database.prepare(sql).all(verdictId).map(verdictOf);
  }

  ofRun(runId: string): NumberedVerdict[] {
    const sql = `SELECT ${columns} FROM verdicts WHERE run_id = ? AND latest = 1 ORDER BY seq DESC`;
    return this.#database.prepare(sql).all(runId).map(verdictOf);
  }

  since(number: number, limit: number): NumberedVerdict[] {
    const sql = `SELECT ${columns} FROM verdicts WHERE seq > ? ORDER BY seq LIMIT ?`;
    return this.#database.prepare(sql).all(number, limit).map(verdictOf);
  }

  newest(): number {
    return Number(this.#database.prepare("SELECT max(seq) AS seq FROM verdicts").get()?.["seq"] ?? 0);
  }

  #oldest(): number {
    return Number(this.#database.prepare("SELECT min(seq) AS seq FROM verdicts").get()?.["seq"] ?? 0);
  }
}

function conditions(filter: VerdictFilter): Conditions {
  return new Conditions()
    .add("outcome = ?", filter.outcome)
    .add("agent_folded = ?", filter.agent === undefined ? undefined : foldName(filter.agent))
    .add("query_id = ?", filter.query)
    .add("spec = ?", filter.spec)
    .add("run_id = ?", filter.run)
    .add("run_id IN (SELECT run_id FROM run_traces WHERE trace_id = ?)", filter.trace?.toLowerCase())
    .add("instr(text, ?) > 0", filter.text?.toLowerCase())
    .add("judged_ms >= ?", filter.since)
    .add("judged_ms < ?", filter.until);
}

function verdictOf(row: Row): NumberedVerdict {
  const agent = row["agent"];
  return {
    number: Number(row["seq"]),
    verdictId: String(row["verdict_id"]),
    revision: Number(row["revision"]),
    outcome: row["outcome"] as Outcome,
    agent: typeof agent === "string" ? agent : null,
    queryId: String(row["query_id"]),
    spec: String(row["spec"]),
    runId: String(row["run_id"]),
    traceIds: textsIn(row["trace_ids"]),
    judgedUnixMs: Number(row["judged_ms"]),
    json: String(row["json"]),
  };
}
