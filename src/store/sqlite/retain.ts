import { DELETED_AT_ONCE, deleteRuns, oldestRuns } from "../write/delete-runs.ts";
import type { Steps } from "../sql/steps.ts";
import type { Retention } from "../read/stored.ts";
import { trimRollups } from "./rollups.ts";
import type { SqliteSession } from "./session.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

/** Result of one deletion round. */
export interface Retained {
  readonly deletedRuns: number;
  /** Whether more runs must be deleted. */
  readonly more: boolean;
}

/**
 * Deletes a batch of the oldest runs with all their data, if they exceed the age limit or the store exceeds its size limit. Call again
 * while `more` is true.
 */
export function retain(
  session: SqliteSession,
  { maxAgeMs, maxBytes }: Retention,
  nowUnixMs: number,
): Retained {
  const cutoff = nowUnixMs - maxAgeMs;
  const isTooLarge = (): boolean => session.run(sqliteDialect.usedBytes()) > maxBytes;
  const ids = session.run(oldestRuns(sqliteDialect, isTooLarge() ? undefined : cutoff));
  session.runInTransaction(deleteAndTrim(ids, cutoff));
  if (ids.length === 0) return { deletedRuns: 0, more: false };
  session.database.exec("PRAGMA incremental_vacuum(2000)");
  return { deletedRuns: ids.length, more: ids.length === DELETED_AT_ONCE || isTooLarge() };
}

function* deleteAndTrim(runIds: readonly string[], cutoffUnixMs: number): Steps<void> {
  if (runIds.length > 0) yield* deleteRuns(sqliteDialect, runIds);
  yield* trimRollups(cutoffUnixMs);
}
