import type { Pool } from "pg";
import type { StoredVerdict, VerdictFilter, VerdictPage } from "../../api/store.ts";
import type { Outcome } from "../../model/outcome.ts";
import { numberOf } from "../cursor.ts";
import type { NumberedVerdict } from "../verdict-reader.ts";
import { Conditions } from "./conditions.ts";
import { withoutNul } from "./insert.ts";
import { foldAgent } from "./names.ts";

const columns =
  "seq, verdict_id, revision, outcome, agent, query_id, spec, run_id, trace_ids, judged_ms, json";
/** A search for text looks at so many verdicts for one page. */
const LOOKED_THROUGH = 50_000;

export async function pageOfVerdicts(
  pool: Pool,
  filter: VerdictFilter,
  limit: number,
  cursor: string | null,
): Promise<VerdictPage | undefined> {
  const below = cursor === null ? (await newestNumber(pool)) + 1 : numberOf(cursor);
  if (below === undefined) return undefined;
  const floor = filter.text === undefined ? 0 : below - LOOKED_THROUGH;
  const { sql, values } = conditions(filter, below, floor);
  const { rows } = await pool.query<Row>(
    `SELECT ${columns} FROM tracejury.verdicts WHERE latest AND ${sql} ORDER BY seq DESC LIMIT ${limit + 1}`,
    values,
  );
  const verdicts = rows.slice(0, limit).map(verdictOf);
  if (rows.length > limit) return { verdicts, next: (verdicts.at(-1)?.number ?? 0).toString(36) };
  const more = floor > 0 && floor > (await oldestNumber(pool));
  return { verdicts, next: more ? floor.toString(36) : null };
}

export async function oneVerdict(
  pool: Pool,
  verdictId: string,
  revision: number | null,
): Promise<StoredVerdict | undefined> {
  const which = revision === null ? "latest" : `revision = ${Math.trunc(revision)}`;
  const [found] = await select(pool, `verdict_id = $1 AND ${which}`, [verdictId]);
  return found;
}

export function revisionsOf(pool: Pool, verdictId: string): Promise<NumberedVerdict[]> {
  return select(pool, "verdict_id = $1 ORDER BY revision", [verdictId]);
}

export function verdictsOfRun(pool: Pool, runId: string): Promise<NumberedVerdict[]> {
  return select(pool, "run_id = $1 AND latest ORDER BY seq DESC", [runId]);
}

export function verdictsSince(pool: Pool, number: number, limit: number): Promise<NumberedVerdict[]> {
  return select(pool, "seq > $1 ORDER BY seq LIMIT $2", [number, limit]);
}

export async function newestNumber(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ seq: string | null }>("SELECT max(seq) AS seq FROM tracejury.verdicts");
  return Number(rows[0]?.seq ?? 0);
}

async function oldestNumber(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ seq: string | null }>("SELECT min(seq) AS seq FROM tracejury.verdicts");
  return Number(rows[0]?.seq ?? 0);
}

async function select(pool: Pool, where: string, values: readonly unknown[]): Promise<NumberedVerdict[]> {
  const sql = `SELECT ${columns} FROM tracejury.verdicts WHERE ${where}`;
  const { rows } = await pool.query<Row>(sql, values.map(withoutNul));
  return rows.map(verdictOf);
}

function conditions(filter: VerdictFilter, below: number, floor: number): Conditions {
  return new Conditions()
    .add("seq < ?", below)
    .add("seq >= ?", floor)
    .add("outcome = ?", filter.outcome)
    .add("agent_folded = ?", filter.agent === undefined ? undefined : foldAgent(filter.agent))
    .add("query_id = ?", filter.query)
    .add("spec = ?", filter.spec)
    .add("run_id = ?", filter.run)
    .add(
      "run_id IN (SELECT run_id FROM tracejury.run_traces WHERE trace_id = ?)",
      filter.trace?.toLowerCase(),
    )
    .add("strpos(text, ?) > 0", filter.text?.toLowerCase())
    .add("judged_ms >= ?", filter.since)
    .add("judged_ms < ?", filter.until);
}

interface Row {
  readonly seq: string;
  readonly verdict_id: string;
  readonly revision: number;
  readonly outcome: Outcome;
  readonly agent: string | null;
  readonly query_id: string;
  readonly spec: string;
  readonly run_id: string;
  readonly trace_ids: string;
  readonly judged_ms: string;
  readonly json: string;
}

function verdictOf(row: Row): NumberedVerdict {
  return {
    number: Number(row.seq),
    verdictId: row.verdict_id,
    revision: row.revision,
    outcome: row.outcome,
    agent: row.agent,
    queryId: row.query_id,
    spec: row.spec,
    runId: row.run_id,
    traceIds: JSON.parse(row.trace_ids) as string[],
    judgedUnixMs: Number(row.judged_ms),
    json: row.json,
  };
}
