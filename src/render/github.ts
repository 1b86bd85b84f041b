import { markdownBody } from "./markdown.ts";
import { printable } from "./printable.ts";
import { type Problem, problemsOf } from "./problems.ts";
import type { TestResult } from "./result.ts";

/** GitHub shows no more than ten warnings of a step; what is left is in the job's summary. */
const MOST_WARNINGS = 10;

/**
 * Workflow commands: an annotation for each problem at its line of the spec, every error, the first warnings, and an error with the
 * reasons when the exit code is not 0.
 */
export function githubReport(result: TestResult): string {
  const problems = problemsOf(result);
  const errors = problems.filter(({ level }) => level === "error");
  const warnings = problems.filter(({ level }) => level === "warning");
  const lines = [...errors, ...warnings.slice(0, MOST_WARNINGS)].map(annotation);
  const rest = warnings.length - MOST_WARNINGS;
  if (rest > 0) lines.push(command("notice", {}, `${rest} more warnings are in the summary of the job`));
  const { exit } = result;
  if (exit.code !== 0) {
    const what = exit.code === 1 ? "failed" : "could not tell";
    lines.push(command("error", { title: `Tracejury: ${what}` }, exit.reasons.join(", ")));
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** The summary of the job, as Markdown: the whole table, and the problems of which no annotation was made. */
export function githubSummary(result: TestResult): string {
  return `${markdownBody(result)}\n`;
}

function annotation({ level, title, message, source }: Problem): string {
  const place = source === null ? {} : { file: source.file, line: source.line, col: source.column };
  return command(level, { ...place, title }, message);
}

function command(
  name: "error" | "warning" | "notice",
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const written = Object.entries(properties).map(
    ([key, value]) => `${key}=${propertyText(printable(String(value), 300))}`,
  );
  const head = written.length === 0 ? name : `${name} ${written.join(",")}`;
  return `::${head}::${dataText(printable(message, 1000))}`;
}

/** `##[` would start a command of the older form, anywhere in a line. */
function dataText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("##[", "# #[");
}

function propertyText(text: string): string {
  return dataText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
