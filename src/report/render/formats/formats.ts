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
import type { Theme } from "../terminal/printable.ts";
import { withEscapedCommands, withoutCommands } from "./workflow-command.ts";

const reporters = {
  console: consoleWithoutCommands,
  json: resultJsonText,
  junit: junitReport,
  github: githubReport,
  markdown: markdownReport,
  prometheus: (result) => withoutCommands(prometheusReport(result)),
  csv: csvReport,
  gitlab: gitlabReport,
  sarif: sarifReport,
  html: htmlWithPage,
} satisfies Record<Format, Reporter>;

export interface FormatOptions {
  /** Level of detail of the `console` format. */
  readonly detail?: Detail | undefined;
  /** Script and style of the `html` report; other formats do not need them. */
  readonly page?: ReportPage | undefined;
}

type Reporter = (result: TestResult, theme: Theme, options: FormatOptions) => string | Iterable<string>;

function htmlWithPage(result: TestResult, _: Theme, { page }: FormatOptions): Iterable<string> {
  if (page === undefined) throw new Error("the HTML report needs the built page");
  return htmlReport(result, page);
}

function* consoleWithoutCommands(
  result: TestResult,
  theme: Theme,
  { detail }: FormatOptions,
): Generator<string> {
  for (const section of consoleReport(result, theme, detail)) yield withoutCommands(section);
}

/** Formats that write JSON, in which a character can be replaced by its escape without changing the text. */
const jsonFormats: ReadonlySet<Format> = new Set(["json", "gitlab", "sarif"]);

/** Yields the report as pieces of text. Only the `console` format uses the theme. */
export function reportPieces(
  result: TestResult,
  format: Format,
  theme: Theme,
  options: FormatOptions = {},
): Iterable<string> {
  const reporter: Reporter = reporters[format];
  const report = reporter(result, theme, options);
  const pieces = typeof report === "string" ? [report] : report;
  return jsonFormats.has(format) ? withEscapedCommands(pieces) : pieces;
}

export function renderReport(
  result: TestResult,
  format: Format,
  theme: Theme,
  options: FormatOptions = {},
): string {
  return [...reportPieces(result, format, theme, options)].join("");
}
