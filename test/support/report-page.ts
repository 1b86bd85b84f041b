import type { ReportPage } from "../../src/report/render/html/html.ts";

/** Stands for the built page of the HTML report where a test is about the report's data. */
export const reportPage: ReportPage = { script: "show();", style: "body{margin:0}" };
