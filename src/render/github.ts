import { markdownBody } from "./markdown.ts";
import { type Problem, problemsOf } from "./problems.ts";
import type { TestResult } from "./result.ts";
import { workflowCommand } from "./workflow-command.ts";

/** GitHub shows no more than ten warnings of a step; what is left is in the job's summary. */
const MOST_WARNINGS = 10;

/**
 * Workflow commands: an annotation for each problem at its line of the spec, every error, the first warnings, and an error with the
 * reasons when the exit code is not 0.
 */
export function* githubReport(result: TestResult): Generator<string> {
  let warnings = 0;
  for (const problem of problemsOf(result)) {
    if (problem.level === "error" || warnings < MOST_WARNINGS) yield `${annotation(problem)}\n`;
    if (problem.level === "warning") warnings++;
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

function annotation({ level, title, message, source }: Problem): string {
  const place = source === null ? {} : { file: source.file, line: source.line, col: source.column };
  return workflowCommand(level, { ...place, title }, message);
}
