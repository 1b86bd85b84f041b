/** Column names with their PostgreSQL types. */
export type Columns = Readonly<Record<string, string>>;

/** A table and the parts of its insert statement. */
export interface Table {
  readonly name: string;
  readonly columns: Columns;
  /** SQL that follows the rows in the insert statement, such as `ON CONFLICT …`. */
  readonly ending: string;
  /** PostgreSQL types of columns whose values are sent as text. */
  readonly casts?: Columns;
}

export type Tables = Readonly<Record<"runs" | "runTraces" | "telemetry" | "verdicts" | "unjudged", Table>>;

/** Columns that only SQLite or only PostgreSQL has. */
export interface MoreColumns {
  readonly runs: Columns;
  readonly telemetry: Columns;
  readonly verdicts: Columns;
  readonly runCasts?: Columns;
  /** SQL condition under which a stored run is replaced by a new one. If absent, it is always replaced. */
  readonly runCondition?: string;
}

const run = columnsOf({
  text: "run_id agent agent_folded service conversation_id query outcome models version unmet_checks query_ids json",
  boolean: "complete",
  "double precision": "start_ms duration_ms total_tokens cost_usd",
  bigint: "seen_ms",
});

const verdict = columnsOf({
  text: "verdict_id run_id spec query_id agent agent_folded outcome trace_ids text checks reason json",
  integer: "revision",
  boolean: "latest",
  "double precision": "duration_ms cost_usd tokens",
  bigint: "judged_ms",
});

const telemetry = columnsOf({ text: "trace_id signal encoding", integer: "part", bytea: "bytes" });

const unjudged = columnsOf({ text: "run_id spec reason candidates agent query", bigint: "judged_ms" });

const UNLESS_THERE = "ON CONFLICT DO NOTHING";

export function tablesWith(more: MoreColumns): Tables {
  const { runCasts = {}, runCondition = "" } = more;
  const runs = { ...run, ...more.runs };
  const replaced = Object.keys(runs).filter((name) => name !== "run_id");
  const replacing = replaced.map((name) => `${name} = excluded.${name}`).join(", ");
  return {
    runs: {
      name: "runs",
      columns: runs,
      ending: `ON CONFLICT (run_id) DO UPDATE SET ${replacing} ${runCondition}`,
      casts: runCasts,
    },
    runTraces: { name: "run_traces", columns: { trace_id: "text", run_id: "text" }, ending: UNLESS_THERE },
    telemetry: { name: "telemetry", columns: { ...telemetry, ...more.telemetry }, ending: "" },
    verdicts: { name: "verdicts", columns: { ...verdict, ...more.verdicts }, ending: UNLESS_THERE },
    unjudged: {
      name: "unjudged",
      columns: unjudged,
      ending:
        "ON CONFLICT (run_id, spec) DO UPDATE SET reason = excluded.reason, candidates = excluded.candidates",
    },
  };
}

/** @param namesByType names of the columns of each type, separated by spaces */
function columnsOf(namesByType: Readonly<Record<string, string>>): Columns {
  return Object.fromEntries(
    Object.entries(namesByType).flatMap(([type, names]) => names.split(" ").map((name) => [name, type])),
  );
}
