import { consoleReport } from "./console.ts";
import { csvReport } from "./csv.ts";
import type { Format } from "./format-names.ts";
import { githubReport } from "./github.ts";
import { gitlabReport } from "./gitlab.ts";
import { htmlReport } from "./html.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import { prometheusReport } from "./prometheus.ts";
import { resultJson } from "./result-json.ts";
import type { TestResult } from "./result.ts";
import { sarifReport } from "./sarif.ts";
import type { Theme } from "./theme.ts";
import { withoutCommands } from "./workflow-command.ts";

/** Every way a test result can be written, by name. */
const reporters = {
  console: (result: TestResult, theme: Theme) => withoutCommands(consoleReport(result, theme)),
  json: (result: TestResult) => `${JSON.stringify(resultJson(result))}\n`,
  junit: junitReport,
  github: githubReport,
  markdown: markdownReport,
  prometheus: prometheusReport,
  csv: csvReport,
  gitlab: gitlabReport,
  sarif: sarifReport,
  html: htmlReport,
} satisfies Record<Format, (result: TestResult, theme: Theme) => string>;

/** The whole report as text that ends in a line feed. Only `console` is decorated by the theme. */
export function renderReport(result: TestResult, format: Format, theme: Theme): string {
  return reporters[format](result, theme);
}
