import { markdownBody } from "./markdown.ts";
import { counted, printable } from "../terminal/printable.ts";
import { type Problem, problemsOf } from "../problems/problems.ts";
import type { TestResult } from "../json/result.ts";
import { workflowCommand } from "./workflow-command.ts";

/**
 * GitHub displays at most ten warnings of a step. The summary of the job lists more, up to its own limits.
 */
const MOST_WARNINGS = 10;

/** Maximum number of table rows that one annotation names. */
const MOST_ROWS = 20;

/** A problem that several runs or table rows have in common, for one annotation. */
interface CountedProblem {
  readonly problem: Problem;
  count: number;
  /**
   * Query ids of the table rows with the problem, by line number. Empty if the queries are in a spec file.
   */
  readonly rows: Map<number, string>;
}

/**
 * Yields GitHub workflow commands. Each kind of problem gets an annotation: first errors, then warnings, the
 * most frequent first. An annotation has the position in the spec and the number of runs. All errors get an annotation, but only the first
 * ten warnings. If the exit code is not 0, an error lists the reasons.
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
    yield `${workflowCommand("notice", {}, `${rest} more warnings are not shown here; the summary of the job lists more`)}\n`;
  const { exit } = result;
  if (exit.code !== 0) {
    const what = exit.code === 1 ? "failed" : "undecided";
    yield `${workflowCommand("error", { title: `Tracejury: ${what}` }, exit.reasons.join(", "))}\n`;
  }
}

/** Returns the Markdown of GitHub's job summary, with the runs and problems, as `markdownBody` limits them. */
export function githubSummary(result: TestResult): string {
  return `${markdownBody(result)}\n`;
}

/**
 * Groups problems that have the same level, rule, title and position. Problems of table rows are grouped by
 * level, rule, spec and table. A problem without a run or row is grouped with problems of the same message. A
 * group has the message of its first problem.
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

/** If several table rows have the problem, the annotation is placed at the first row. */
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
