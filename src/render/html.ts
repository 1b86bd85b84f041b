import { dollars, grouped } from "../evaluate/text.ts";
import { layers, outcomes } from "../model/outcome.ts";
import { sha256 } from "../model/sha256.ts";
import { elementText, visible } from "./escape.ts";
import { script, style } from "./html-page.ts";
import { counted, duration, printable } from "./printable.ts";
import { type Problem, problemsBeside } from "./problems.ts";
import type { ComparedRun, ReportedStep, ReportedVerdict } from "./reported.ts";
import type { TestResult } from "./result.ts";
import type { CheckJson } from "./verdict-schema.ts";

const MOST_OTHERS = 200;

/**
 * One file that needs no network: counts, what has no verdict, and the runs with filters, a page at a time. Its policy lets no script
 * and no style run but its own. In pieces, for the text of very many runs is long.
 */
export function* htmlReport(result: TestResult): Generator<string> {
  const { summary, exit } = result;
  const word = ["passed", "failed", "could not tell"][exit.code] ?? "";
  const kind = ["good", "bad", "unsure"][exit.code] ?? "";
  const counts = Object.entries(summary).filter(([name, count]) => count > 0 && name !== "exit_code");
  const policy = `default-src 'none'; style-src ${hashed(style)}; script-src ${hashed(script)}`;
  const options = outcomes.map((outcome) => `<option>${outcome}</option>`).join("");
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>Tracejury: ${word}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Tracejury: <span class="${kind}">${word}</span></h1>
<p>${elementText(exit.reasons.join(", "))}</p>
<p class="dim">${counts.map(([name, count]) => `${count} ${name}`).join(" · ")}</p>
${others(result)}<form>
<label>outcome <select id="outcome"><option value="">all</option>${options}</select></label>
<label>search <input id="words" type="search"></label>
<button type="button" id="before">previous</button>
<button type="button" id="after">next</button>
<span id="place" role="status"></span>
</form>
<div id="runs"></div>
</main>
<script type="application/json" id="data">{"runs":[`;
  let before = "";
  for (const reported of result.verdicts) {
    yield `${before}${embedded(runData(reported))}`;
    before = ",";
  }
  yield `]}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** What no run shows: missing queries, ambiguous runs, unreadable input, reliability gates. */
function others(result: TestResult): string {
  const own = new Set(["missing_query", "ambiguous_run", "invalid_input", "reliability"]);
  const shown: Problem[] = [];
  let found = 0;
  for (const wanted of ["error", "warning"] as const) {
    for (const problem of problemsBeside(result)) {
      if (problem.level !== wanted || !own.has(problem.rule)) continue;
      if (++found <= MOST_OTHERS) shown.push(problem);
    }
  }
  if (found === 0) return "";
  const items = shown.map(
    ({ title, message }) => `<li>${elementText(title)}: ${elementText(message)}</li>\n`,
  );
  const rest = found - items.length;
  const more = rest > 0 ? `<li>… and ${rest} more</li>\n` : "";
  return `<details open><summary>${counted(found, "problem")} beside the runs</summary>\n<ul>\n${items.join("")}${more}</ul>\n</details>\n`;
}

function runData({ verdict, tools, handoffs, answer, steps, compared }: ReportedVerdict): object {
  const known = (name: string, shown: (value: number) => string): string => {
    const value = verdict.metrics[name];
    return typeof value === "number" ? shown(value) : "";
  };
  const shownTools = (tools ?? []).slice(0, 200).map((name) => (name === null ? null : printable(name)));
  return {
    spec: printable(verdict.spec),
    id: printable(verdict.query_id),
    run: printable(verdict.run_id),
    query: printable(verdict.query ?? "(query unknown)", 300),
    outcome: verdict.outcome,
    error: verdict.error === null ? null : printable(verdict.error, 2000),
    time: known("latency_ms", duration),
    tokens: known("total_tokens", (value) => `${grouped(value)} tokens`),
    money: known("cost_usd", dollars),
    tools: shownTools,
    expected: expectedTools(verdict.layers.path.checks),
    handoffs: handoffs.slice(0, 50).map((name) => printable(name)),
    answer: answer === null ? null : visible(answer),
    length: verdict.metrics["latency_ms"] ?? 0,
    steps: steps?.map(stepData) ?? [],
    compared: compared === null ? null : comparedData(compared),
    checks: layers.flatMap((layer) => verdict.layers[layer].checks.map((check) => checkData(layer, check))),
  };
}

/** A step as a list, so that many runs make no large file: what, name, start and length in ms, 1 where it failed. */
function stepData({ kind, name, startMs, durationMs, failed }: ReportedStep): readonly (string | number)[] {
  const ms = (value: number): number => Math.round(value * 10) / 10;
  return [
    kind,
    name === null ? "(unnamed)" : printable(name, 80),
    ms(startMs),
    ms(durationMs),
    failed ? 1 : 0,
  ];
}

const MOST_DIFFERENCES = 50;

function comparedData({ version, variant, regressed, differences }: ComparedRun): object {
  return {
    version: `${printable(version)}${variant > 1 ? `, variant ${variant}` : ""}`,
    regressed,
    differences: differences
      .slice(0, MOST_DIFFERENCES)
      .map(({ type, severity, message }) => [severity, type, printable(message, 600)]),
    more: Math.max(0, differences.length - MOST_DIFFERENCES),
  };
}

/** The tools that the spec names, when it does; null otherwise. */
function expectedTools(checks: readonly CheckJson[]): readonly string[] | null {
  for (const { check, limit } of checks) {
    const named = check === "expected_tools" || check === "expected_sequence";
    if (named && Array.isArray(limit) && limit.every((name) => typeof name === "string")) {
      return limit.map((name) => printable(name));
    }
  }
  return null;
}

function checkData(layer: string, { check, outcome, message, remedy, source, judge }: CheckJson): object {
  return {
    layer,
    check,
    outcome,
    message: printable(message, 1000),
    remedy: remedy === null ? null : printable(remedy, 1000),
    judge: judge?.rationale == null ? null : printable(judge.rationale, 1000),
    where: source === null ? "" : `${printable(source.file)}:${source.line}`,
  };
}

/** JSON in which no element can end or begin. */
function embedded(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
}

function hashed(text: string): string {
  const bytes = sha256(text).match(/../g) ?? [];
  return `'sha256-${btoa(bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join(""))}'`;
}
