import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../../support/process/package-folder.ts";
import type { ReportPage } from "../../report/render/html/html.ts";
import { UserError } from "../../support/process/exit-code.ts";

/** The page of the HTML report as `npm run build` made it. @throws UserError where it is not built */
export function readReportPage(): ReportPage {
  const read = (name: string): string =>
    readFileSync(fileURLToPath(new URL(`dist/report/${name}`, packageFolder())), "utf8");
  try {
    return { script: read("report.js"), style: read("report.css") };
  } catch (error) {
    throw new UserError(
      `the page of the HTML report cannot be read: ${(error as Error).message}`,
      "run `npm run build`, or install the package again",
    );
  }
}
