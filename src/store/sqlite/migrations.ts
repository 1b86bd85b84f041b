import { type Database, transaction } from "./database.ts";
import { StoreError } from "../store-error.ts";

/**
 * Never change a released migration, because existing databases have already run it. Each migration must change a table, column or index,
 * because a database counts as damaged if its tables do not fit its version number.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL UNIQUE,
    agent TEXT, agent_folded TEXT, service TEXT, conversation_id TEXT,
    query TEXT, outcome TEXT, complete INTEGER NOT NULL,
    start_ms REAL NOT NULL, duration_ms REAL NOT NULL, total_tokens INTEGER, cost_usd REAL, models TEXT NOT NULL,
    seen_ms INTEGER NOT NULL,
    json TEXT NOT NULL
  );
  CREATE INDEX runs_seen ON runs (seen_ms);
  CREATE TABLE run_traces (trace_id TEXT NOT NULL, run_id TEXT NOT NULL, PRIMARY KEY (trace_id, run_id)) WITHOUT ROWID;
  CREATE INDEX run_traces_run ON run_traces (run_id);
  CREATE TABLE telemetry (
    trace_id TEXT NOT NULL, part INTEGER NOT NULL,
    signal TEXT NOT NULL, encoding TEXT NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (trace_id, part)
  );
  CREATE TABLE verdicts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    verdict_id TEXT NOT NULL, revision INTEGER NOT NULL, latest INTEGER NOT NULL,
    run_id TEXT NOT NULL, spec TEXT NOT NULL, query_id TEXT NOT NULL,
    agent TEXT, agent_folded TEXT, outcome TEXT NOT NULL,
    judged_ms INTEGER NOT NULL, trace_ids TEXT NOT NULL,
    duration_ms REAL NOT NULL, cost_usd REAL, tokens INTEGER,
    text TEXT NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (verdict_id, revision)
  );
  CREATE INDEX verdicts_outcome ON verdicts (outcome, seq);
  CREATE INDEX verdicts_agent ON verdicts (agent_folded, seq);
  CREATE INDEX verdicts_query ON verdicts (query_id, spec, seq);
  CREATE INDEX verdicts_run ON verdicts (run_id, seq);
  CREATE INDEX verdicts_judged ON verdicts (judged_ms);
  CREATE TABLE hours (
    spec TEXT NOT NULL, query_id TEXT NOT NULL, agent TEXT NOT NULL, hour INTEGER NOT NULL, outcome TEXT NOT NULL,
    verdicts INTEGER NOT NULL,
    duration_ms REAL NOT NULL,
    cost_usd REAL NOT NULL, costs INTEGER NOT NULL,
    tokens INTEGER NOT NULL, token_counts INTEGER NOT NULL,
    PRIMARY KEY (spec, query_id, agent, hour, outcome)
  ) WITHOUT ROWID;
  CREATE TABLE unjudged (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL, spec TEXT NOT NULL, reason TEXT NOT NULL, candidates TEXT NOT NULL,
    agent TEXT, query TEXT, judged_ms INTEGER NOT NULL,
    UNIQUE (run_id, spec)
  );
  CREATE TABLE annotations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL, verdict_id TEXT, label TEXT, note TEXT NOT NULL, author TEXT,
    created_ms INTEGER NOT NULL
  );
  CREATE INDEX annotations_run ON annotations (run_id);
  CREATE INDEX annotations_verdict ON annotations (verdict_id);
  `,
  // Adds an index, so that computing the sums of one day does not read the rows of all hours.
  `CREATE INDEX hours_hour ON hours (hour);`,
  // Adds the lower-case text of queries with letters beyond ASCII, because SQLite's lower() changes only ASCII.
  `ALTER TABLE runs ADD COLUMN query_folded TEXT;`,
  // Adds sums by day, so that computing the sums of a month does not read hundreds of thousands of rows.
  `
  CREATE TABLE days (
    spec TEXT NOT NULL, query_id TEXT NOT NULL, agent TEXT NOT NULL, day INTEGER NOT NULL, outcome TEXT NOT NULL,
    verdicts INTEGER NOT NULL,
    duration_ms REAL NOT NULL,
    cost_usd REAL NOT NULL, costs INTEGER NOT NULL,
    tokens INTEGER NOT NULL, token_counts INTEGER NOT NULL,
    PRIMARY KEY (spec, query_id, agent, outcome, day)
  ) WITHOUT ROWID;
  INSERT INTO days
    SELECT spec, query_id, agent, hour / 24 AS day, outcome, sum(verdicts), sum(duration_ms), sum(cost_usd), sum(costs),
      sum(tokens), sum(token_counts)
    FROM hours GROUP BY spec, query_id, agent, day, outcome;
  CREATE INDEX days_day ON days (day);
  CREATE INDEX days_query ON days (query_id, day);
  CREATE INDEX hours_query ON hours (query_id, hour);
  `,
  // Adds a column for what later became of a run's code changes (how many failed or were reverted), as JSON.
  `ALTER TABLE annotations ADD COLUMN changes TEXT;`,
  // Adds the columns for filters and sorting of the list of runs. The index contains all these columns, so that SQLite need not read the
  // rows, which contain long JSON.
  `
  ALTER TABLE runs ADD COLUMN version TEXT;
  ALTER TABLE runs ADD COLUMN unmet_checks TEXT;
  ALTER TABLE runs ADD COLUMN query_ids TEXT;
  CREATE INDEX runs_facets ON runs (
    seen_ms, outcome, agent, agent_folded, service, models, version, unmet_checks, query_ids,
    start_ms, duration_ms, total_tokens, cost_usd
  );
  `,
  // Adds the columns by which failures are grouped, so that the list of failures need not read the JSON of verdicts.
  `
  ALTER TABLE verdicts ADD COLUMN checks TEXT;
  ALTER TABLE verdicts ADD COLUMN reason TEXT;
  CREATE INDEX verdicts_reason ON verdicts (judged_ms, spec, query_id, outcome, checks, reason)
    WHERE latest AND outcome NOT IN ('pass', 'skip');
  `,
  // Adds tables for detected changes in the trends of queries, and for the time at which each query's trend was last examined.
  `
  CREATE TABLE trend_looks (
    spec TEXT NOT NULL, query_id TEXT NOT NULL, first_ms INTEGER NOT NULL, looked_ms INTEGER NOT NULL,
    PRIMARY KEY (spec, query_id)
  ) WITHOUT ROWID;
  CREATE TABLE changes (
    change_id TEXT PRIMARY KEY,
    spec TEXT NOT NULL, query_id TEXT NOT NULL, measure TEXT NOT NULL, direction TEXT NOT NULL, number INTEGER NOT NULL,
    low_ms REAL NOT NULL, high_ms REAL NOT NULL, found_ms INTEGER NOT NULL, claimed_ms INTEGER NOT NULL, sent_ms INTEGER,
    json TEXT NOT NULL,
    UNIQUE (spec, query_id, measure, number)
  );
  CREATE INDEX changes_high ON changes (high_ms);
  `,
];

/** Returns the number of migrations that the database has run (`user_version`). */
function schemaVersion(database: Database): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
}

/**
 * Migrates the database to the current schema in one transaction. The version is read in the same transaction. So if two processes open a
 * new file at the same time, the second one waits until the first has created the tables.
 * @param check called with the version before the migration; throws if the database cannot be migrated
 * @throws StoreError if a newer version of the program wrote the database
 */
export function migrate(
  database: Database,
  path: string,
  steps: readonly string[] = migrations,
  check: (version: number) => void = () => undefined,
): void {
  transaction(database, () => {
    const version = schemaVersion(database);
    check(version);
    if (version > steps.length) {
      throw new StoreError(
        `${path} was written by a newer version of Tracejury (schema ${version}, this version supports ${steps.length}): ` +
          "upgrade Tracejury, or set store.path to another file",
      );
    }
    for (const sql of steps.slice(version)) database.exec(sql);
    // Set even if no migration was needed: this statement throws if the database is not writable.
    database.exec(`PRAGMA user_version = ${steps.length}`);
  });
}
