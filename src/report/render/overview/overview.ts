import type { Outcome } from "../../../model/outcome.ts";
import type { SourceLine } from "../../../model/source-line.ts";
import { compare, type ReportedVerdict } from "../findings/reported.ts";
import type { TestResult } from "../json/result.ts";
import { type Standing, standingIn } from "../tally/standing.ts";
import { decidingChecks } from "../../json/deciding-checks.ts";
import type { CheckJson, VerdictJson } from "../../json/verdict-schema.ts";

/** Maximum number of run positions that are listed for a group, not counting its example. */
const MOST_SOURCES = 50;
/** Maximum number of different messages that a group counts for each check. */
const MOST_MESSAGES = 20;

/** Position of a table row that defines a query, with the query id. */
export interface TableRow extends SourceLine {
  readonly queryId: string;
}

/** Verdicts of one query whose outcomes were decided by the same checks. */
export interface VerdictGroup {
  readonly spec: string;
  /** Id of the query. For queries of a table, name of the table's file. */
  readonly queryId: string;
  /** Table rows of the verdicts, sorted by line; empty for a query in a spec file. */
  readonly rows: readonly TableRow[];
  readonly outcome: Outcome;
  /**
   * Names of the checks that decided the outcome. If no check decided the outcome, the only name is `error`.
   */
  readonly checks: readonly string[];
  readonly count: number;
  readonly example: ReportedVerdict;
  /** Positions of the first runs after the example. */
  readonly sources: readonly SourceLine[];
  /**
   * For each check, the number of verdicts with each message. The number of different messages is limited.
   */
  readonly messages: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Counts of the verdicts of one query, or of all rows of one table. */
export interface QueryOverview {
  readonly spec: string;
  /** Id of the query. For queries of a table, name of the table's file. */
  readonly queryId: string;
  /** Number of table rows; 0 for a query in a spec file. */
  readonly rowCount: number;
  readonly counts: Readonly<Record<Outcome, number>>;
  /**
   * Median duration in milliseconds of the runs with the outcome `pass`. Undefined if no duration is known.
   */
  readonly medianMs: number | undefined;
  /** Total cost in US dollars of the runs with the outcome `pass`. Undefined if no cost is known. */
  readonly costUsd: number | undefined;
}

/** Counts of each query, and groups of verdicts that did not pass. The largest group is first. */
export interface Overview {
  /** Counts of each query. Queries are sorted by spec. */
  readonly queries: readonly QueryOverview[];
  /** Groups of verdicts that cause exit code 1. With `--fail-on warn`, warnings are included. */
  readonly failed: readonly VerdictGroup[];
  readonly undecided: readonly VerdictGroup[];
  /**
   * Groups of verdicts that do not affect the exit code: warnings, and failures that are known from an
   * earlier result, expected, or replaced by a gate.
   */
  readonly warned: readonly VerdictGroup[];
}

type Part = "failed" | "undecided" | "warned";
const partOf: Readonly<Record<Standing, Part | null>> = {
  failed: "failed",
  error: "undecided",
  doubtful: "undecided",
  warned: "warned",
  passed: null,
  skipped: null,
};

/**
 * Groups the verdicts in one pass. The memory used grows with the number of queries and groups, plus one
 * number for each run.
 */
export function overviewOf(result: TestResult): Overview {
  const standing = standingIn(result);
  const queries = new Map<string, QueryCount>();
  const groups = new Map<string, GroupCount>();
  for (const reported of result.verdicts) {
    const { spec, outcome } = reported.verdict;
    const queryId = nameOf(reported.verdict);
    const query = `${spec}\n${queryId}`;
    const count = queries.get(query) ?? new QueryCount(spec, queryId);
    queries.set(query, count);
    count.add(reported.verdict);
    const part = partOf[standing(reported)];
    if (part === null) continue;
    const checks = decidingChecks(reported.verdict);
    const key = [part, query, outcome, ...names(checks)].join("\n");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, new GroupCount(part, reported, checks));
    else group.add(reported, checks);
  }
  const all = [...groups.values()].sort((a, b) => b.count - a.count);
  return {
    queries: [...queries.values()].sort((a, b) => compare(a.spec, b.spec)),
    failed: all.filter(({ part }) => part === "failed"),
    undecided: all.filter(({ part }) => part === "undecided"),
    warned: all.filter(({ part }) => part === "warned"),
  };
}

/**
 * Returns the name under which a verdict is grouped: the query id or, for a query of a table, the table's
 * file.
 */
function nameOf({ row, query_id: queryId }: VerdictJson): string {
  return row?.file ?? queryId;
}

function names(checks: readonly CheckJson[]): readonly string[] {
  return checks.length === 0 ? ["error"] : [...new Set(checks.map(({ check }) => check))];
}

class GroupCount implements VerdictGroup {
  readonly spec: string;
  readonly queryId: string;
  readonly outcome: Outcome;
  readonly checks: readonly string[];
  readonly example: ReportedVerdict;
  readonly sources: SourceLine[] = [];
  readonly #rows = new Map<number, TableRow>();
  readonly messages = new Map<string, Map<string, number>>();
  count = 0;

  readonly part: Part;

  constructor(part: Part, example: ReportedVerdict, checks: readonly CheckJson[]) {
    this.part = part;
    const { spec, outcome } = example.verdict;
    this.spec = spec;
    this.queryId = nameOf(example.verdict);
    this.outcome = outcome;
    this.checks = names(checks);
    this.example = example;
    this.add(example, checks);
  }

  get rows(): readonly TableRow[] {
    return [...this.#rows.values()].sort((a, b) => a.line - b.line);
  }

  add({ verdict: { source, row, query_id: queryId } }: ReportedVerdict, checks: readonly CheckJson[]): void {
    if (row !== undefined) this.#rows.set(row.line, { ...row, queryId });
    if (this.count > 0 && source !== undefined && this.sources.length < MOST_SOURCES)
      this.sources.push(source);
    this.count++;
    for (const { check, message } of checks) {
      const counts = this.messages.get(check) ?? new Map<string, number>();
      this.messages.set(check, counts);
      if (counts.has(message) || counts.size < MOST_MESSAGES)
        counts.set(message, (counts.get(message) ?? 0) + 1);
    }
  }
}

class QueryCount implements QueryOverview {
  readonly spec: string;
  readonly queryId: string;
  readonly counts = { fail: 0, error: 0, incomplete: 0, warn: 0, pass: 0, skip: 0 };
  readonly #durations: number[] = [];
  readonly #rows = new Set<number>();
  costUsd: number | undefined;

  constructor(spec: string, queryId: string) {
    this.spec = spec;
    this.queryId = queryId;
  }

  get rowCount(): number {
    return this.#rows.size;
  }

  add({ outcome, metrics, row }: VerdictJson): void {
    if (row !== undefined) this.#rows.add(row.line);
    this.counts[outcome]++;
    if (outcome !== "pass") return;
    const { latency_ms: latency, cost_usd: cost } = metrics;
    if (typeof latency === "number") this.#durations.push(latency);
    if (typeof cost === "number") this.costUsd = (this.costUsd ?? 0) + cost;
  }

  get medianMs(): number | undefined {
    const sorted = this.#durations.toSorted((a, b) => a - b);
    const upper = sorted[sorted.length >> 1];
    const lower = sorted[(sorted.length - 1) >> 1];
    return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2;
  }
}
