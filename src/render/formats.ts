import { consoleReport, type Detail } from "./console.ts";
import { csvReport } from "./csv.ts";
import type { Format } from "./format-names.ts";
import { githubReport } from "./github.ts";
import { gitlabReport } from "./gitlab.ts";
import { htmlReport } from "./html.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import { prometheusReport } from "./prometheus.ts";
import { resultJsonText } from "./result-json.ts";
import type { TestResult } from "./result.ts";
import { sarifReport } from "./sarif.ts";
import type { Theme } from "./theme.ts";
import { withoutCommands } from "./workflow-command.ts";

/** Every way a test result can be written, by name. */
const reporters = {
  console: consoleWithoutCommands,
  json: resultJsonText,
  junit: junitReport,
  github: githubReport,
  markdown: markdownReport,
  prometheus: prometheusReport,
  csv: csvReport,
  gitlab: gitlabReport,
  sarif: sarifReport,
  html: htmlReport,
} satisfies Record<Format, (result: TestResult, theme: Theme, detail?: Detail) => string | Iterable<string>>;

function* consoleWithoutCommands(result: TestResult, theme: Theme, detail?: Detail): Generator<string> {
  for (const section of consoleReport(result, theme, detail)) yield withoutCommands(section);
}

/**
 * The report in pieces, to be written one after the other; it ends in a line feed. Only `console` is decorated by the theme.
 * @param detail of `console`
 */
export function reportPieces(
  result: TestResult,
  format: Format,
  theme: Theme,
  detail?: Detail,
): Iterable<string> {
  const reporter: (result: TestResult, theme: Theme, detail?: Detail) => string | Iterable<string> =
    reporters[format];
  const report = reporter(result, theme, detail);
  return typeof report === "string" ? [report] : report;
}

/** The whole report as text. */
export function renderReport(result: TestResult, format: Format, theme: Theme): string {
  return [...reportPieces(result, format, theme)].join("");
}
