import type { ReportPage } from "../../src/report/render/html/html.ts";

/** A stub of the HTML report's page, for tests of the report's data. */
export const reportPage: ReportPage = { script: "show();", style: "body{margin:0}" };
