import { sha256 } from "../../../support/structures/sha256.ts";
import { elementText } from "../terminal/escape.ts";
import type { TestResult } from "../json/result.ts";
import { reportHead, reportRun } from "./report-of.ts";

/** Script and style that are embedded in the HTML report. */
export interface ReportPage {
  readonly script: string;
  readonly style: string;
}

/**
 * Yields an HTML report as pieces of text. The file contains its data, script and style, and loads nothing
 * from the network. The content security policy allows only the embedded script and style.
 */
export function* htmlReport(result: TestResult, page: ReportPage): Generator<string> {
  const { exit } = result;
  const word = ["passed", "failed", "undecided"][exit.code] ?? "";
  const script = page.script.trim();
  const style = page.style.trim();
  const policy = `default-src 'none'; style-src ${hashed(style)}; script-src ${hashed(script)}`;
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tracejury: ${word}</title>
<style>${style}</style>
</head>
<body class="report">
<noscript><h1>Tracejury: ${word}</h1><p>${elementText(exit.reasons.join(", "))}</p>
<p>The runs are shown by the script in this file; the browser has scripts switched off.</p></noscript>
<div id="report"></div>
`;
  const head = embedded(reportHead(result));
  yield `<script type="application/json" id="data">${head.slice(0, -1)},"runs":[`;
  let before = "";
  for (const reported of result.verdicts) {
    yield `${before}${embedded(reportRun(reported))}`;
    before = ",";
  }
  yield `]}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

/**
 * Returns JSON text in which `<` and `>` are escaped, so that no text ends the surrounding `<script>`
 * element.
 */
function embedded(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
}

function hashed(text: string): string {
  const bytes = sha256(text).match(/../g) ?? [];
  return `'sha256-${btoa(bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join(""))}'`;
}
