import { isTableName } from "../../../spec/table/read-table.ts";
import { markdownBody } from "./markdown.ts";
import { counted, printable } from "../terminal/printable.ts";
import { type Problem, problemsOf } from "../problems/problems.ts";
import type { TestResult } from "../json/result.ts";
import { workflowCommand } from "./workflow-command.ts";

/** GitHub shows no more than ten warnings of a step; what is left is in the job's summary. */
const MOST_WARNINGS = 10;

/** Rows of one table with the same problem that get an annotation each. */
const MOST_ROWS = 3;

/** The same problem of several runs: one annotation. */
interface CountedProblem {
  readonly problem: Problem;
  count: number;
}

/**
 * Workflow commands: an annotation for each kind of problem at its line of the spec with the number of runs that have it, the most frequent
 * first; every error, the first warnings, and an error with the reasons when the exit code is not 0.
 */
export function* githubReport(result: TestResult): Generator<string> {
  let warnings = 0;
  const ofTables = new Map<string, number>();
  for (const { problem, count } of countedProblems(result)) {
    const table = tableOf(problem);
    if (table !== null) {
      const before = ofTables.get(table) ?? 0;
      ofTables.set(table, before + 1);
      if (before >= MOST_ROWS) continue;
    }
    if (problem.level === "error" || warnings < MOST_WARNINGS) yield `${annotation(problem, count)}\n`;
    if (problem.level === "warning") warnings++;
  }
  for (const [table, count] of ofTables)
    if (count > MOST_ROWS)
      yield `${workflowCommand("notice", {}, `${table}: ${count - MOST_ROWS} more rows`)}\n`;
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

/** What rows of one table have in common: table and check; null for a problem elsewhere. */
function tableOf({ level, rule, source }: Problem): string | null {
  return source !== null && isTableName(source.file) ? `${level} ${rule} in ${printable(source.file)}` : null;
}

/** Problems of runs by level, place, title and rule, with the first message; all others each by itself. */
function countedProblems(result: TestResult): readonly CountedProblem[] {
  const kinds = new Map<string, CountedProblem>();
  for (const problem of problemsOf(result)) {
    const { level, title, rule, source, runId, message } = problem;
    const key = JSON.stringify([level, title, rule, source, runId === null ? message : null]);
    const known = kinds.get(key);
    if (known === undefined) kinds.set(key, { problem, count: 1 });
    else known.count++;
  }
  return [...kinds.values()].sort(
    (a, b) => levels[a.problem.level] - levels[b.problem.level] || b.count - a.count,
  );
}

const levels: Readonly<Record<Problem["level"], number>> = { error: 0, warning: 1 };

function annotation({ level, title, message, source }: Problem, count: number): string {
  const place = source === null ? {} : { file: source.file, line: source.line, col: source.column };
  const more = count === 1 ? "" : ` (${counted(count, "run")})`;
  return workflowCommand(level, { ...place, title }, `${message}${more}`);
}
