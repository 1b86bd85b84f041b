import sql, { join, raw } from "sql-template-tag";
import type { ChangeFilter, ChangeRecord } from "../recorded-changes.ts";
import { allOf, type Dialect, equal, type Row, type Steps } from "../sql/dialect.ts";

/**
 * Milliseconds for which changes are retained: longer than the thirty days of verdicts that are examined, so that a change is not recorded
 * a second time.
 */
const RETAINED_MS = 90 * 86_400_000;

/**
 * Claims the next examination of a query for this process, if it is due. An examination is due if the last one, by any process, began at
 * least `everyMs` ago. It is also due if the last one began in the future, according to this process's clock.
 * @returns time of the query's first examination; undefined if none is due
 */
export function* claimLook(
  { prefix }: Dialect,
  { spec, query }: { readonly spec: string; readonly query: string },
  everyMs: number,
  nowUnixMs: number,
): Steps<number | undefined> {
  const [claimed] = yield sql`
    INSERT INTO ${raw(prefix)}trend_looks AS l (spec, query_id, first_ms, looked_ms)
    VALUES (${spec}, ${query}, ${nowUnixMs}, ${nowUnixMs})
    ON CONFLICT (spec, query_id) DO UPDATE SET looked_ms = excluded.looked_ms
    WHERE l.looked_ms <= ${nowUnixMs - everyMs} OR l.looked_ms > ${nowUnixMs}
    RETURNING first_ms`;
  return claimed && Number(claimed["first_ms"]);
}

/** Records a change, and deletes changes older than the retention time. Returns false if a change with this number is already recorded. */
export function* addChange(
  { prefix }: Dialect,
  change: ChangeRecord,
  sentUnixMs: number | null,
): Steps<boolean> {
  const { changeId, spec, queryId, measure, direction, number, lowUnixMs, highUnixMs, foundUnixMs, json } =
    change;
  yield sql`DELETE FROM ${raw(prefix)}changes WHERE found_ms < ${foundUnixMs - RETAINED_MS}`;
  const added = yield sql`
    INSERT INTO ${raw(prefix)}changes
      (change_id, spec, query_id, measure, direction, number, low_ms, high_ms, found_ms, claimed_ms, sent_ms, json)
    VALUES (${changeId}, ${spec}, ${queryId}, ${measure}, ${direction}, ${number}, ${lowUnixMs}, ${highUnixMs},
      ${foundUnixMs}, ${foundUnixMs}, ${sentUnixMs}, ${json})
    ON CONFLICT DO NOTHING RETURNING number`;
  return added.length > 0;
}

/** Returns at most `limit` changes, latest first. */
export function* listChanges(
  { prefix }: Dialect,
  { spec, query, since }: ChangeFilter,
  limit: number,
): Steps<ChangeRecord[]> {
  const where = allOf(
    sql`high_ms >= ${since ?? Number.MIN_SAFE_INTEGER}`,
    equal("spec", spec),
    equal("query_id", query),
  );
  const rows = yield sql`
    SELECT * FROM ${raw(prefix)}changes WHERE ${where} ORDER BY high_ms DESC, change_id LIMIT ${limit}`;
  return rows.map(changeOf);
}

/**
 * Claims, for this process, the changes that no process has sent, and whose last claim is at least `graceMs` old.
 * @param beingSent ids of changes that this process is sending; their claims are renewed
 */
export function* claimUnsent(
  { prefix }: Dialect,
  beingSent: readonly string[],
  graceMs: number,
  nowUnixMs: number,
): Steps<ChangeRecord[]> {
  if (beingSent.length > 0)
    yield sql`
      UPDATE ${raw(prefix)}changes SET claimed_ms = ${nowUnixMs} WHERE change_id IN (${join(beingSent)})`;
  const rows = yield sql`
    UPDATE ${raw(prefix)}changes SET claimed_ms = ${nowUnixMs}
    WHERE sent_ms IS NULL AND claimed_ms <= ${nowUnixMs - graceMs} RETURNING *`;
  return rows.map(changeOf);
}

export function* markSent({ prefix }: Dialect, changeId: string, nowUnixMs: number): Steps<void> {
  yield sql`UPDATE ${raw(prefix)}changes SET sent_ms = ${nowUnixMs} WHERE change_id = ${changeId}`;
}

function changeOf(row: Row): ChangeRecord {
  return {
    changeId: String(row["change_id"]),
    spec: String(row["spec"]),
    queryId: String(row["query_id"]),
    measure: String(row["measure"]),
    direction: String(row["direction"]),
    number: Number(row["number"]),
    lowUnixMs: Number(row["low_ms"]),
    highUnixMs: Number(row["high_ms"]),
    foundUnixMs: Number(row["found_ms"]),
    json: String(row["json"]),
  };
}
