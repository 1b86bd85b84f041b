import { markdownBody } from "./markdown.ts";
import { counted, printable } from "../terminal/printable.ts";
import { type Problem, problemsOf } from "../problems/problems.ts";
import type { TestResult } from "../json/result.ts";
import { workflowCommand } from "./workflow-command.ts";

/**
 * Maximum number of warnings; GitHub shows at most ten warnings of a step. The job's summary contains the
 * rest.
 */
const MOST_WARNINGS = 10;

/** Maximum number of table rows that an annotation names. */
const MOST_ROWS = 20;

/** A problem that one annotation reports for several runs, or for several rows of a table. */
interface CountedProblem {
  readonly problem: Problem;
  count: number;
  /** Row ids with this problem, by line; empty for a query in a spec file. */
  readonly rows: Map<number, string>;
}

/**
 * Yields workflow commands: an annotation for each kind of problem at its line in the spec, with the number
 * of runs, most frequent first. The output includes every error, the first warnings, and an error with the
 * reasons if the exit code is not 0.
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

/** Returns the job's summary as Markdown: the whole table, and the problems without an annotation. */
export function githubSummary(result: TestResult): string {
  return `${markdownBody(result)}\n`;
}

/**
 * Groups problems of runs by level, place, title and rule, and those of a table's rows by table and rule.
 * Each group has the first message. All other problems are separate.
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

/** Returns an annotation at the place of the first run; at its row if several rows have the problem. */
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
