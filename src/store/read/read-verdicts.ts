import sql, { raw, type Sql } from "sql-template-tag";
import type { Outcome } from "../../model/outcome.ts";
import type { NumberedVerdict, VerdictFilter, VerdictPage } from "../archive.ts";
import { allOf, between, type Dialect, equal, type Row, type Steps, when } from "../sql/dialect.ts";
import { textOrNull, textsIn } from "../write/row-values.ts";

/** Maximum number of rows that a text search reads for one page, so that a search does not delay other queries. */
const LOOKED_THROUGH = 50_000;

/** Returns a page of verdicts in their newest revisions, newest first; undefined for an invalid `cursor`. */
export function* pageOfVerdicts(
  dialect: Dialect,
  filter: VerdictFilter,
  limit: number,
  cursor: string | null,
): Steps<VerdictPage | undefined> {
  const below = cursor === null ? (yield* numberAt(dialect, "max", "verdicts")) + 1 : numberOf(cursor);
  if (below === undefined) return undefined;
  const floor = floorOf(below, filter.text);
  const { run, query, spec, outcome, agent, trace, text } = filter;
  const where = allOf(
    sql`seq < ${below} AND seq >= ${floor} AND latest`,
    equal("outcome", outcome),
    equal("agent_folded", agent === undefined ? undefined : dialect.foldAgent(agent)),
    equal("query_id", query),
    equal("spec", spec),
    equal("run_id", run),
    when(trace, (id) => inTrace(dialect, id)),
    when(text, (part) => dialect.contains(sql`text`, part.toLowerCase())),
    between("judged_ms", filter),
  );
  const found = yield* select(dialect, sql`${where} ORDER BY seq DESC LIMIT ${limit + 1}`);
  const verdicts = found.slice(0, limit);
  if (found.length > limit) return { verdicts, next: cursorAt(verdicts.at(-1)?.number ?? 0) };
  const isMore = floor > 0 && floor > (yield* numberAt(dialect, "min", "verdicts"));
  return { verdicts, next: isMore ? cursorAt(floor) : null };
}

export function* oneVerdict(
  dialect: Dialect,
  verdictId: string,
  revision: number | null,
): Steps<NumberedVerdict | undefined> {
  const which = revision === null ? sql`latest` : sql`revision = ${revision}`;
  const [found] = yield* select(dialect, sql`verdict_id = ${verdictId} AND ${which}`);
  return found;
}

export function revisionsOf(dialect: Dialect, verdictId: string): Steps<NumberedVerdict[]> {
  return select(dialect, sql`verdict_id = ${verdictId} ORDER BY revision`);
}

export function verdictsOfRun(dialect: Dialect, runId: string): Steps<NumberedVerdict[]> {
  return select(dialect, sql`run_id = ${runId} AND latest ORDER BY seq DESC`);
}

export function verdictsSince(dialect: Dialect, number: number, limit: number): Steps<NumberedVerdict[]> {
  return select(dialect, sql`seq > ${number} ORDER BY seq LIMIT ${limit}`);
}

/** Returns the greatest or least row number of a table; 0 for an empty table. */
export function* numberAt(
  { prefix }: Dialect,
  end: "max" | "min",
  table: "verdicts" | "runs",
): Steps<number> {
  const [row] = yield sql`SELECT ${raw(end)}(seq) AS seq FROM ${raw(prefix + table)}`;
  return Number(row?.["seq"] ?? 0);
}

/** Returns the SQL condition for rows whose run contains the trace. */
export function inTrace({ prefix }: Dialect, traceId: string): Sql {
  return sql`run_id IN (SELECT run_id FROM ${raw(prefix)}run_traces WHERE trace_id = ${traceId.toLowerCase()})`;
}

function* select({ prefix }: Dialect, where: Sql): Steps<NumberedVerdict[]> {
  const rows = yield sql`
    SELECT seq, verdict_id, revision, outcome, agent, query_id, spec, run_id, trace_ids, judged_ms, json
    FROM ${raw(prefix)}verdicts WHERE ${where}`;
  return rows.map(verdictOf);
}

function verdictOf(row: Row): NumberedVerdict {
  return {
    number: Number(row["seq"]),
    verdictId: String(row["verdict_id"]),
    revision: Number(row["revision"]),
    outcome: row["outcome"] as Outcome,
    agent: textOrNull(row["agent"]),
    queryId: String(row["query_id"]),
    spec: String(row["spec"]),
    runId: String(row["run_id"]),
    traceIds: textsIn(row["trace_ids"]),
    judgedUnixMs: Number(row["judged_ms"]),
    json: String(row["json"]),
  };
}

/** Returns the lowest row number that is read for one page. Without a text search, all rows may be read, and the result is 0. */
export function floorOf(below: number, text: string | undefined): number {
  return text === undefined ? 0 : below - LOOKED_THROUGH;
}

/** Parses the `next` cursor of a page. Returns undefined for an invalid cursor. */
export function numberOf(cursor: string): number | undefined {
  return /^[0-9a-z]{1,10}$/.test(cursor) ? Number.parseInt(cursor, 36) : undefined;
}

export function cursorAt(number: unknown): string {
  return Number(number).toString(36);
}
