import { consoleReport, type Detail } from "../terminal/console.ts";
import { csvReport } from "./csv.ts";
import type { Format } from "./format-names.ts";
import { githubReport } from "./github.ts";
import { gitlabReport } from "./gitlab.ts";
import { htmlReport, type ReportPage } from "../html/html.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import { prometheusReport } from "./prometheus.ts";
import { resultJsonText } from "../json/result-json.ts";
import type { TestResult } from "../json/result.ts";
import { sarifReport } from "./sarif.ts";
import type { Theme } from "../terminal/theme.ts";
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
  html: htmlWithPage,
} satisfies Record<Format, Reporter>;

/** Inputs that only some formats need. */
export interface FormatOptions {
  /** Of `console`. */
  readonly detail?: Detail | undefined;
  /** Of `html`, which cannot be written without. */
  readonly page?: ReportPage | undefined;
}

type Reporter = (result: TestResult, theme: Theme, options: FormatOptions) => string | Iterable<string>;

function htmlWithPage(result: TestResult, _: Theme, { page }: FormatOptions): Iterable<string> {
  if (page === undefined) throw new Error("the HTML report needs the page that the build made of it");
  return htmlReport(result, page);
}

function* consoleWithoutCommands(
  result: TestResult,
  theme: Theme,
  { detail }: FormatOptions,
): Generator<string> {
  for (const section of consoleReport(result, theme, detail)) yield withoutCommands(section);
}

/** The report in pieces, to be written one after the other; it ends in a line feed. Only `console` is decorated by the theme. */
export function reportPieces(
  result: TestResult,
  format: Format,
  theme: Theme,
  options: FormatOptions = {},
): Iterable<string> {
  const reporter: Reporter = reporters[format];
  const report = reporter(result, theme, options);
  return typeof report === "string" ? [report] : report;
}

/** The whole report as text. */
export function renderReport(
  result: TestResult,
  format: Format,
  theme: Theme,
  options: FormatOptions = {},
): string {
  return [...reportPieces(result, format, theme, options)].join("");
}
