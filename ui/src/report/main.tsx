import { render } from "preact";
import type { ReportData } from "../../../src/report/render/html/report-data.ts";
import { parseShown } from "../shown-json.ts";
import { Report } from "./report.tsx";

const root = document.querySelector("#report");
const text = document.querySelector("#data")?.textContent;
if (root !== null && text != null) {
  const data = parseShown(text) as ReportData;
  const draw = (isPrinted: boolean): void => render(<Report data={data} isPrinted={isPrinted} />, root);
  // Unfolds everything before the report is printed.
  window.addEventListener("beforeprint", () => draw(true));
  window.addEventListener("afterprint", () => draw(false));
  draw(false);
}
