import { markdownBody } from "./markdown.ts";
import { counted, printable } from "../terminal/printable.ts";
import { type Problem, problemsOf } from "../problems/problems.ts";
import type { TestResult } from "../json/result.ts";
import { workflowCommand } from "./workflow-command.ts";

/** GitHub shows no more than ten warnings of a step; what is left is in the job's summary. */
const MOST_WARNINGS = 10;

/** Rows of a table that an annotation names. */
const MOST_ROWS = 20;

/** The same problem of several runs, or of several rows of a table: one annotation. */
interface CountedProblem {
  readonly problem: Problem;
  count: number;
  /** By line: the ids of the rows that have it; empty for a query that a spec writes. */
  readonly rows: Map<number, string>;
}

/**
 * Workflow commands: an annotation for each kind of problem at its line of the spec with the number of runs that have it, the most frequent
 * first; every error, the first warnings, and an error with the reasons when the exit code is not 0.
 */
export function* githubReport(result: TestResult): Generator<string> {
  let warnings = 0;
  for (const counted of countedProblems(result)) {
    const { level } = counted.problem;
    if (level === "error" || warnings < MOST_WARNINGS) yield `${annotation(counted)}\n`;
    if (level === "warning") warnings++;
  }
  const rest = warnings - MOST_WARNINGS;
  if (rest > 0)
    yield `${workflowCommand("notice", {}, `${rest} more warnings are in the summary of the job`)}\n`;
  const { exit } = result;
  if (exit.code !== 0) {
    const what = exit.code === 1 ? "failed" : "could not tell";
    yield `${workflowCommand("error", { title: `Tracejury: ${what}` }, exit.reasons.join(", "))}\n`;
  }
}

/** The summary of the job, as Markdown: the whole table, and the problems of which no annotation was made. */
export function githubSummary(result: TestResult): string {
  return `${markdownBody(result)}\n`;
}

/**
 * Problems of runs by level, place, title and rule, those of a table's rows by table and rule, each with the first message; all others each by
 * itself.
 */
function countedProblems(result: TestResult): readonly CountedProblem[] {
  const kinds = new Map<string, CountedProblem>();
  for (const problem of problemsOf(result)) {
    const { level, title, rule, spec, queryId, source, row, runId, message } = problem;
    const kind =
      row === null ? [title, source, runId === null ? message : null] : [spec, printable(row.file)];
    const key = JSON.stringify([level, rule, ...kind]);
    const known = kinds.get(key) ?? { problem, count: 0, rows: new Map<number, string>() };
    kinds.set(key, known);
    known.count++;
    if (row !== null) known.rows.set(row.line, queryId ?? "");
  }
  return [...kinds.values()].sort(
    (a, b) => levels[a.problem.level] - levels[b.problem.level] || b.count - a.count,
  );
}

const levels: Readonly<Record<Problem["level"], number>> = { error: 0, warning: 1 };

/** At the place of the first run; at its row where several rows have the problem. */
function annotation({ problem, count, rows }: CountedProblem): string {
  const { level, title, message, source, row, spec } = problem;
  if (row !== null && rows.size > 1) {
    const sorted = [...rows].sort(([a], [b]) => a - b);
    const named = sorted.slice(0, MOST_ROWS).map(([line, id]) => `${line} (${printable(id, 24)})`);
    const rest = rows.size - named.length;
    const lines = `lines ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
    const place = { file: row.file, line: sorted[0]?.[0] ?? row.line, col: 1 };
    const of = `${printable(spec ?? "")} · ${printable(row.file, 100)}: ${counted(rows.size, "row")}`;
    return workflowCommand(level, { ...place, title: of }, `${message}; ${lines}`);
  }
  const place = source === null ? {} : { file: source.file, line: source.line, col: source.column };
  const more = count === 1 ? "" : ` (${counted(count, "run")})`;
  return workflowCommand(level, { ...place, title }, `${message}${more}`);
}
