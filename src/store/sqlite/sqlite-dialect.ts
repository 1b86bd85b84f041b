import sql, { empty, raw } from "sql-template-tag";
import { foldName } from "../../evaluate/rules/fold-name.ts";
import { type Layer, layers } from "../../model/outcome.ts";
import type { Dialect } from "../sql/dialect.ts";
import { tablesWith } from "../sql/tables.ts";
import { writeVerdicts } from "./rollups.ts";
import { sumsOf } from "./sums.ts";

/** SQL of a column that holds a JSON object; an empty one where damage has made it something else, as SQLite's functions fail for that. */
function sound(column: string): string {
  return `CASE WHEN typeof(${column}) = 'text' AND json_valid(${column}) THEN ${column} ELSE '{}' END`;
}

const sqliteTables = tablesWith({ runs: { query_folded: "text" }, telemetry: {}, verdicts: {} });

export const sqliteDialect: Dialect = {
  tables: sqliteTables,
  prefix: "",
  foldAgent: foldName,
  contains: (column, text) => sql`instr(${column}, ${text}) > 0`,
  smallQuery: sql`coalesce(query_folded, lower(query))`,
  errorOfRun: raw(`json_quote(json_extract(${sound("json")}, '$.error'))`),
  // Taken out here: a page of runs would read the whole text of all their verdicts otherwise.
  outlineOfVerdict: raw(
    `json_object('expected_fail', json(CASE WHEN json_extract(${sound("json")}, '$.expected_fail') = 1 THEN 'true' ELSE 'false' END),
      'layers', json_object(${layers.map(outlineOfLayer).join(", ")}))`,
  ),
  matchOfVerdict: raw(`json_extract(${sound("v.json")}, '$.match.how')`),
  specHashOfVerdict: raw(`json_extract(${sound("v.json")}, '$.provenance.spec_hash')`),
  toolsOfRun: raw(
    `(SELECT json_group_array(json_extract(value, '$.name')) FROM json_each(${sound("r.json")}, '$.tools')
      WHERE type = 'object' AND json_extract(value, '$.executed') IS NOT 0)`,
  ),
  hasAttribute: (name, value) => sql`
    EXISTS (SELECT 1 FROM json_each(${raw(sound("r.json"))}, '$.attributes') WHERE key = ${name} AND value = ${value})`,
  telemetryOrder: sql`t.trace_id, t.part`,
  ownTelemetry: empty,
  moreOfRun: ({ query }) => ({ query_folded: inSmallLetters(query) }),
  moreOfTelemetry: {},
  moreOfVerdict: () => ({}),
  writeVerdicts: (rows) => writeVerdicts(sqliteTables.verdicts, rows),
  sums: sumsOf,
  *usedBytes() {
    const [row] = yield sql`
      SELECT (page_count - freelist_count) * page_size AS bytes
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;
    return Number(row?.["bytes"] ?? 0);
  },
};

function outlineOfLayer(layer: Layer): string {
  const texts = ["check", "outcome", "message"].map((key) => `'${key}', json_extract(value, '$.${key}')`);
  return `'${layer}', json_object(
    'outcome', json_extract(${sound("json")}, '$.layers.${layer}.outcome'),
    'checks', json((
      SELECT json_group_array(json_object(${texts.join(", ")})) FROM json_each(${sound("verdicts.json")}, '$.layers.${layer}.checks')
      WHERE type = 'object' AND json_extract(value, '$.outcome') NOT IN ('pass', 'skip')
    )))`;
}

/** Null where SQLite's lower(), which knows ASCII only, gives the same. */
function inSmallLetters(text: string | null): string | null {
  return text !== null && /[^\0-\x7f]/.test(text) ? text.toLowerCase() : null;
}
