import sql, { raw } from "sql-template-tag";
import { foldName } from "../../evaluate/rules/fold-name.ts";
import type { VerdictSums, Window } from "../archive.ts";
import { allOf, between, type Dialect, equal, type Row, type Steps } from "../sql/dialect.ts";
import { gathered, HOUR_MS, wholeHours } from "../read/gather-sums.ts";
import type { RunRecord } from "../read/stored.ts";
import { tablesWith } from "../sql/tables.ts";

/** Number of characters of an agent's name that are compared, because PostgreSQL limits the length of index entries. */
const LONGEST_NAME = 500;

const tables = tablesWith({
  runs: { query_small: "text", tools: "text", attributes: "text", worker: "text" },
  telemetry: { worker: "text" },
  verdicts: { split: "boolean", first_ms: "bigint", worker: "text" },
  // `runCasts`: attributes are sent as text, because the insert statement would flatten an array of arrays. `runCondition`: a run that
  // another process has stored is replaced only by a version that was judged later.
  runCasts: { attributes: "text[]" },
  runCondition: "WHERE runs.seen_ms <= excluded.seen_ms",
});

/** Matches a JSON string, in PostgreSQL's regular expressions. */
const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;

/** @param worker id of this process among the processes that share the database; stored with each run */
export function postgresDialect(worker: string): Dialect {
  return {
    tables,
    prefix: "tracejury.",
    foldAgent: (name) => foldName(name).slice(0, LONGEST_NAME),
    contains: (column, text) => sql`strpos(${column}, ${text}) > 0`,
    smallQuery: sql`query_small`,
    // A pattern extracts the error, because PostgreSQL's JSON functions fail on an escaped NUL character.
    errorOfRun: raw(
      String.raw`substring(json from '^\{(?:"[a-z_]+":(?:null|${TEXT}),)*"status":"error","error":(${TEXT})')`,
    ),
    outlineOfVerdict: sql`json`,
    matchOfVerdict: raw(String.raw`substring(v.json from '"match":\{"how":"([a-z]+)"')`),
    specHashOfVerdict: raw(String.raw`substring(v.json from '"provenance":\{"spec_hash":"([^"]*)"')`),
    toolsOfRun: sql`r.tools`,
    hasAttribute: (name, value) => sql`${attributeText(name, value)} = ANY(r.attributes)`,
    telemetryOrder: sql`t.trace_id, t.worker, t.part`,
    ownTelemetry: sql`AND worker = ${worker}`,
    moreOfRun: (run) => ({ ...columnsOfRun(run), worker }),
    moreOfTelemetry: { worker },
    moreOfVerdict: (run, judgedUnixMs) => ({ split: run.split === true, first_ms: judgedUnixMs, worker }),
    writeVerdicts,
    *uncount() {
      // Nothing to subtract: PostgreSQL stores no sums, but computes them from the verdicts.
    },
    sums,
    *usedBytes() {
      const [row] = yield sql`
        SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
        WHERE relnamespace = 'tracejury'::regnamespace AND relkind = 'r'`;
      return Number(row?.["bytes"] ?? 0);
    },
  };
}

/**
 * Writes verdicts. The newest revision is determined after the insert, because several processes can write the revisions of a verdict in
 * any order.
 */
function* writeVerdicts(rows: readonly Row[]): Steps<void> {
  yield { into: tables.verdicts, rows };
  const ids = [...new Set(rows.map((row) => row["verdict_id"]))];
  yield sql`
    UPDATE tracejury.verdicts v SET latest = (v.revision = n.newest), first_ms = n.first
    FROM (SELECT verdict_id, max(revision) AS newest, min(first_ms) AS first
          FROM tracejury.verdicts WHERE verdict_id = ANY(${ids}) GROUP BY verdict_id HAVING count(*) > 1) n
    WHERE v.verdict_id = n.verdict_id AND (v.latest <> (v.revision = n.newest) OR v.first_ms <> n.first)`;
}

/** Returns sums over the verdicts of all processes. A verdict counts in the hour of its first revision. */
function* sums(window: Window, bucketMs: number | null): Steps<VerdictSums[]> {
  const { since, until, spec, query, agent } = window;
  const hours = wholeHours(bucketMs);
  const where = allOf(
    sql`latest`,
    between("first_ms", {
      since: Math.floor(since / HOUR_MS) * HOUR_MS,
      until: Math.ceil(until / HOUR_MS) * HOUR_MS,
    }),
    equal("spec", spec),
    equal("query_id", query),
  );
  const bucket = raw(hours === null ? "NULL::bigint" : `first_ms / ${HOUR_MS * hours} * ${hours}`);
  const rows = yield sql`
    SELECT spec, query_id, coalesce(agent, '') AS agent, ${bucket} AS bucket, outcome, count(*) AS verdicts,
      sum(duration_ms) AS duration_ms, sum(coalesce(cost_usd, 0)) AS cost_usd, count(cost_usd) AS costs,
      sum(coalesce(tokens, 0)) AS tokens, count(tokens) AS token_counts
    FROM tracejury.verdicts WHERE ${where}
    GROUP BY 1, 2, 3, 4, 5`;
  return gathered(rows, agent);
}

/** Returns the columns of a run that only PostgreSQL has: tools in order of use, attributes, and the query in lower case. */
function columnsOfRun({ query, json }: RunRecord): Row {
  const { tools = [], attributes = {} } = JSON.parse(json) as {
    tools?: readonly { readonly name: string | null; readonly executed: boolean | null }[];
    attributes?: Readonly<Record<string, unknown>>;
  };
  const used = tools.filter(({ executed }) => executed !== false);
  const texts = Object.entries(attributes).map(([key, value]) => attributeText(key, String(value)));
  return {
    query_small: query?.toLowerCase() ?? null,
    tools: JSON.stringify(used.map(({ name }) => name ?? "(unnamed)")),
    attributes: arrayText(texts),
  };
}

/** Joins key and value into one text, which is different for each pair of key and value. */
function attributeText(key: string, value: string): string {
  return JSON.stringify([key, value]);
}

function arrayText(texts: readonly string[]): string {
  const quoted = texts.map((text) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`);
  return `{${quoted.join(",")}}`;
}
