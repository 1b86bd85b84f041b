import type { Pool, PoolClient } from "pg";
import { StoreError } from "../store-error.ts";
import { inTransaction, nameOf } from "./connection.ts";

/**
 * Key of the advisory lock that writers and migrations hold. So only one process writes at a time, and verdicts become visible in the order
 * of their numbers.
 */
export const WRITING = 7_239_104_551;

/** Never change a released migration, because existing databases have already run it. */
const migrations: readonly string[] = [
  `
  CREATE TABLE tracejury.runs (
    seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    run_id text PRIMARY KEY,
    agent text, agent_folded text, service text, conversation_id text,
    query text, query_small text, outcome text, complete boolean NOT NULL,
    start_ms double precision NOT NULL, duration_ms double precision NOT NULL,
    total_tokens double precision, cost_usd double precision, models text NOT NULL,
    tools text NOT NULL, attributes text[] NOT NULL,
    seen_ms bigint NOT NULL, worker text NOT NULL,
    json text NOT NULL
  );
  CREATE INDEX runs_seen ON tracejury.runs (seen_ms);
  CREATE INDEX runs_outcome ON tracejury.runs (outcome, seq);
  CREATE INDEX runs_agent ON tracejury.runs (agent_folded, seq);
  CREATE TABLE tracejury.run_traces (trace_id text NOT NULL, run_id text NOT NULL, PRIMARY KEY (trace_id, run_id));
  CREATE INDEX run_traces_run ON tracejury.run_traces (run_id);
  CREATE TABLE tracejury.telemetry (
    trace_id text NOT NULL, worker text NOT NULL, part integer NOT NULL,
    signal text NOT NULL, encoding text NOT NULL, bytes bytea NOT NULL,
    PRIMARY KEY (trace_id, worker, part)
  );
  CREATE TABLE tracejury.verdicts (
    seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    verdict_id text NOT NULL, revision integer NOT NULL, latest boolean NOT NULL,
    run_id text NOT NULL, spec text NOT NULL, query_id text NOT NULL,
    agent text, agent_folded text, outcome text NOT NULL, split boolean NOT NULL,
    judged_ms bigint NOT NULL, first_ms bigint NOT NULL, trace_ids text NOT NULL,
    duration_ms double precision NOT NULL, cost_usd double precision, tokens double precision,
    text text NOT NULL, worker text NOT NULL,
    json text NOT NULL,
    PRIMARY KEY (verdict_id, revision)
  );
  CREATE INDEX verdicts_outcome ON tracejury.verdicts (outcome, seq) WHERE latest;
  CREATE INDEX verdicts_agent ON tracejury.verdicts (agent_folded, seq) WHERE latest;
  CREATE INDEX verdicts_query ON tracejury.verdicts (query_id, spec, seq) WHERE latest;
  CREATE INDEX verdicts_run ON tracejury.verdicts (run_id, seq);
  CREATE INDEX verdicts_sums ON tracejury.verdicts (first_ms)
    INCLUDE (spec, query_id, agent, outcome, duration_ms, cost_usd, tokens) WHERE latest;
  CREATE TABLE tracejury.unjudged (
    seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    run_id text NOT NULL, spec text NOT NULL, reason text NOT NULL, candidates text NOT NULL,
    agent text, query text, judged_ms bigint NOT NULL,
    PRIMARY KEY (run_id, spec)
  );
  CREATE TABLE tracejury.annotations (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id text NOT NULL, verdict_id text, label text, note text NOT NULL, author text,
    created_ms bigint NOT NULL
  );
  CREATE INDEX annotations_run ON tracejury.annotations (run_id);
  CREATE INDEX annotations_verdict ON tracejury.annotations (verdict_id);
  CREATE TABLE tracejury.holders (
    trace_id text PRIMARY KEY, workers text[] NOT NULL, seen_ms bigint NOT NULL, split_ms bigint
  );
  CREATE INDEX holders_seen ON tracejury.holders (seen_ms);
  CREATE INDEX holders_split ON tracejury.holders (split_ms) WHERE split_ms IS NOT NULL;
  `,
  // Adds a column for what became of a run's code changes (how many there were, failed and were reverted), as JSON.
  `ALTER TABLE tracejury.annotations ADD COLUMN changes text;`,
  // Adds the columns that the filters of the list of runs need.
  `
  ALTER TABLE tracejury.runs ADD COLUMN version text;
  ALTER TABLE tracejury.runs ADD COLUMN unmet_checks text;
  ALTER TABLE tracejury.runs ADD COLUMN query_ids text;
  `,
  // Adds the columns by which failures are grouped, so that the list of failures need not read the JSON of verdicts.
  `
  ALTER TABLE tracejury.verdicts ADD COLUMN checks text, ADD COLUMN reason text;
  CREATE INDEX verdicts_reason ON tracejury.verdicts (judged_ms) WHERE latest AND outcome NOT IN ('pass', 'skip');
  `,
  // Adds tables for detected changes in the trends of queries, and for the time at which each query's trend was last examined.
  `
  CREATE TABLE tracejury.trend_looks (
    spec text NOT NULL, query_id text NOT NULL, first_ms bigint NOT NULL, looked_ms bigint NOT NULL,
    PRIMARY KEY (spec, query_id)
  );
  CREATE TABLE tracejury.changes (
    change_id text PRIMARY KEY,
    spec text NOT NULL, query_id text NOT NULL, measure text NOT NULL, direction text NOT NULL, number integer NOT NULL,
    low_ms double precision NOT NULL, high_ms double precision NOT NULL, found_ms bigint NOT NULL,
    claimed_ms bigint NOT NULL, sent_ms bigint,
    json text NOT NULL,
    UNIQUE (spec, query_id, measure, number)
  );
  CREATE INDEX changes_high ON tracejury.changes (high_ms);
  `,
];

/** Waits for the advisory lock of writers. The lock is released at the end of the transaction. */
export async function lockWriting(client: PoolClient): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock($1)", [WRITING]);
}

/**
 * Migrates the database to the current schema. Several processes may migrate at the same time.
 * @throws StoreError if a newer version of the program created the schema
 */
export async function migrate(pool: Pool, url: string): Promise<void> {
  if ((await versionOf(pool)) === migrations.length) return;
  await inTransaction(pool, async (client) => {
    await lockWriting(client);
    const { rows } = await client.query<{ there: boolean }>(
      "SELECT to_regnamespace('tracejury') IS NOT NULL AS there",
    );
    if (rows[0]?.there !== true) await client.query("CREATE SCHEMA tracejury");
    await client.query("CREATE TABLE IF NOT EXISTS tracejury.schema_version (version integer NOT NULL)");
    const version = (await versionOf(client)) ?? 0;
    if (version > migrations.length) {
      throw new StoreError(
        `${nameOf(url)} was created by a newer version of Tracejury (schema ${version}, this version supports ${migrations.length}): ` +
          "upgrade Tracejury, or set store.url to another database",
      );
    }
    for (const sql of migrations.slice(version)) await client.query(sql);
    await client.query("DELETE FROM tracejury.schema_version");
    await client.query("INSERT INTO tracejury.schema_version VALUES ($1)", [migrations.length]);
  });
}

async function versionOf(client: Pick<PoolClient, "query">): Promise<number | undefined> {
  const { rows: there } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('tracejury.schema_version') IS NOT NULL AS there",
  );
  if (there[0]?.there !== true) return undefined;
  const { rows } = await client.query<{ version: number }>("SELECT version FROM tracejury.schema_version");
  return rows[0]?.version;
}
