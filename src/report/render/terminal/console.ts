import { arrows, dollars, grouped } from "../../../evaluate/rules/text.ts";
import type { Outcome } from "../../../model/outcome.ts";
import { differenceLine } from "../diff/diff-console.ts";
import { counted, duration, printable, type Theme } from "./printable.ts";
import type { ReportedVerdict } from "../findings/reported.ts";
import type { TestResult } from "../json/result.ts";
import { callDifferences, withoutCalls } from "./grouped/call-differences.ts";
import { inspectCommand, runPlace } from "./grouped/run-place.ts";
import { groupedReport } from "./grouped/grouped-report.ts";
import { outcomeGlyphs, outcomeWords, paint } from "./grouped/outcome-marks.ts";
import { withoutVerdict } from "./grouped/without-verdict.ts";
import { scoreLine } from "./score-lines.ts";
import { brokenSequence, toolDiff } from "../diff/tool-diff.ts";
import type { CheckJson, LayerJson, VerdictJson } from "../../json/verdict-schema.ts";
import { notJudgedLine } from "./not-judged-line.ts";
import { judgeLine } from "./judge-line.ts";
import type { PlaybackSaving } from "../../../model/playback.ts";

/**
 * Level of detail of the console report.
 * `full`: every check of every run.
 * `grouped`: groups of runs.
 * `quiet`: only groups that failed or are undecided.
 */
export type Detail = "full" | "grouped" | "quiet";

/** Maximum number of runs for which the report is `full` by default. */
const FEW_RUNS = 10;
/** Maximum number of displayed gates. With more gates, only gates that did not pass are displayed. */
const FEW_GROUPS = 20;

/**
 * Yields the console report. The report ends with the counts and the reasons of the exit code.
 * @param detail by default `full` for at most ten runs, otherwise `grouped`
 */
export function* consoleReport(
  result: TestResult,
  theme: Theme,
  detail: Detail = result.summary.runs <= FEW_RUNS ? "full" : "grouped",
): Generator<string> {
  if (detail === "full") yield* fullReport(result, theme);
  else yield* groupedReport(result, theme, detail === "quiet");
  for (const lines of gateSections(result, theme)) yield `${lines.join("\n")}\n\n`;
  yield `${summaryLines(result, theme).join("\n")}\n`;
}

/** Yields each run with its layers, failures last, and then the problems without a verdict. */
function* fullReport(result: TestResult, theme: Theme): Generator<string> {
  for (const outcomes of fromGoodToBad) {
    for (const reported of result.verdicts) {
      if (outcomes.has(reported.verdict.outcome)) yield `${verdictSection(reported, theme).join("\n")}\n\n`;
    }
  }
  for (const lines of withoutVerdict(result, theme, false)) yield `${lines.join("\n")}\n\n`;
}

const fromGoodToBad: readonly ReadonlySet<Outcome>[] = [
  new Set<Outcome>(["pass", "skip"]),
  new Set<Outcome>(["warn"]),
  new Set<Outcome>(["incomplete", "error"]),
  new Set<Outcome>(["fail"]),
];

/** Returns the console output for one verdict, with the checks of each layer (correctness, path, cost). */
export function verdictText(verdict: VerdictJson, theme: Theme): string {
  return `${verdictLines(verdict, theme).join("\n")}\n`;
}

function verdictLines(verdict: VerdictJson, theme: Theme): string[] {
  const title = `${verdict.spec} · ${printable(verdict.query ?? "(query unknown)", 90)}`;
  const place = runPlace(verdict);
  const lines = [
    `${paint(verdict.outcome, ` ${outcomeWords[verdict.outcome]} `, theme)} ${title}`,
    ...(verdict.error === null ? [] : [theme.bad(`   ERROR        ${printable(verdict.error, 400)}`)]),
    theme.dim(`        ${facts(verdict)}`),
    ...(place === null ? [] : [theme.dim(`        ${printable(place, 600)}`)]),
  ];
  if (verdict.hard_fail) lines.push(...forbiddenBanner(verdict, theme));
  const remedies = new Set<string>();
  for (const layer of ["correctness", "path", "cost"] as const) {
    lines.push(...layerLines(layer, verdict.layers[layer], { error: verdict.error, remedies }, theme));
  }
  return lines;
}

function verdictSection(reported: ReportedVerdict, theme: Theme): readonly string[] {
  const { verdict, tools, handoffs, answer } = reported;
  const lines = verdictLines(verdict, theme);
  if (tools !== null) lines.push(...toolLines(verdict, tools, theme));
  if (handoffs.length > 0) lines.push(theme.dim(`   hand-offs    ${printable(handoffs.join(" → "), 400)}`));
  const { outcome } = verdict;
  const isQuiet = outcome === "pass" || outcome === "skip";
  const lacksAnswer = verdict.layers.correctness.outcome === "fail" && verdict.error === null;
  if (!isQuiet && (answer !== null || lacksAnswer)) lines.push(answerLine(reported, theme));
  lines.push(...comparedLines(reported, theme));
  const command = inspectCommand(verdict);
  if (command !== null && !isQuiet) lines.push(theme.hint(`   → ${command}`));
  return lines;
}

/** Returns the called tools in order. If the order differs from the expected order, returns the expected tools beside the called tools. */
function toolLines(verdict: VerdictJson, tools: readonly (string | null)[], theme: Theme): readonly string[] {
  const expected = brokenSequence(verdict);
  if (expected === null) return [theme.dim(`   tools        ${printable(arrows(tools), 400)}`)];
  return toolDiff(expected, tools, theme);
}

const MOST_DIFFERENCES = 20;

function comparedLines({ compared }: ReportedVerdict, theme: Theme): readonly string[] {
  if (compared === null) return [];
  const { differences, regressed, version, variant } = compared;
  const name = `${version}${variant > 1 ? `, variant ${variant}` : ""}`;
  const summary = differences.length === 0 ? "no differences" : counted(differences.length, "difference");
  const head = `   baseline     ${printable(name)}: ${summary}${regressed ? ", regressed" : ""}`;
  const lines = differences
    .slice(0, MOST_DIFFERENCES)
    .map((one) => `  ${differenceLine(one, regressed, theme)}`);
  const rest = differences.length - lines.length;
  return [
    regressed ? theme.bad(head) : theme.dim(head),
    ...lines,
    ...(rest > 0 ? [`     … and ${rest} more`] : []),
  ];
}

function facts(verdict: VerdictJson): string {
  const of = verdict.metrics;
  const known = (name: string, shown: (value: number) => string): string => {
    const value = of[name];
    return typeof value === "number" ? shown(value) : "";
  };
  const parts = [
    `query ${verdict.query_id}`,
    // The heading names the spec. An agent with the same name as the spec is left out, because the name would be repeated.
    verdict.agent === null || verdict.agent === verdict.spec ? "" : `agent ${printable(verdict.agent, 60)}`,
    unknownIdNote(verdict) ?? "",
    verdict.expected_fail === true ? "expected to fail" : "",
    `run ${verdict.run_id.slice(0, 12)}…`,
    known("latency_ms", duration),
    known("total_tokens", (value) => `${grouped(value)} tokens`),
    known("cost_usd", dollars),
    verdict.complete ? "" : `not complete (${verdict.close_reason})`,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

/** Returns a note if the run names a query id that the spec lacks, otherwise null. */
function unknownIdNote({ match: { how, unknown_id: id } }: VerdictJson): string | null {
  if (id === undefined) return null;
  return `matched by ${how === "wildcard" ? '"*"' : "its text"}: the run names query ${printable(id, 60)}, which the spec does not have`;
}

function forbiddenBanner(verdict: VerdictJson, theme: Theme): readonly string[] {
  const hit = verdict.layers.path.checks.find(
    ({ check, outcome }) => check === "forbidden_tools" && outcome === "fail",
  );
  return hit === undefined ? [] : [theme.bad(`   FORBIDDEN TOOL: ${printable(hit.message, 200)}`)];
}

interface Printed {
  /** Error of the run. A check with the same message refers to this error and does not print it again. */
  readonly error: string | null;
  /** Remedies that were already printed for this verdict. */
  readonly remedies: Set<string>;
}

function layerLines(name: string, layer: LayerJson, printed: Printed, theme: Theme): readonly string[] {
  const head = `   ${name.padEnd(12)} ${paint(layer.outcome, outcomeWords[layer.outcome].toLowerCase(), theme)}`;
  if (layer.checks.length === 0) return [`${head}${theme.dim("  this layer has no check")}`];
  const shown = layer.checks.map((check) =>
    check.message === printed.error ? { ...check, message: "the run ended in the error above" } : check,
  );
  return [head, ...shown.flatMap((check) => checkLines(check, printed.remedies, theme))];
}

function checkLines(check: CheckJson, remedies: Set<string>, theme: Theme): readonly string[] {
  const mark = paint(check.outcome, outcomeGlyphs[check.outcome], theme);
  const message = printable(withoutCalls(check.message), 400);
  const quiet = check.outcome === "pass" || check.outcome === "skip";
  const lines = [`     ${mark} ${check.check.padEnd(26)} ${quiet ? theme.dim(message) : message}`];
  const indent = " ".repeat(34);
  if (!quiet && check.source !== null) {
    lines.push(theme.dim(`${indent}${printable(check.source.file)}:${check.source.line}`));
  }
  if (check.judge?.rationale != null)
    lines.push(theme.dim(`${indent}judge: ${printable(check.judge.rationale, 400)}`));
  if (check.remedy !== null && !remedies.has(check.remedy))
    lines.push(theme.hint(`${indent}→ ${printable(check.remedy, 400)}`));
  if (check.remedy !== null) remedies.add(check.remedy);
  lines.push(...callDifferences(check, theme).map((line) => `${" ".repeat(indent.length - 5)}${line}`));
  return lines;
}

function answerLine({ answer }: ReportedVerdict, theme: Theme): string {
  return theme.dim(
    `   answer       ${answer === null ? "(not captured)" : JSON.stringify(printable(answer, 300))}`,
  );
}

function gateSections({ groups }: TestResult, theme: Theme): readonly (readonly string[])[] {
  if (groups.length === 0) return [];
  const isLong = groups.length > FEW_GROUPS;
  const shown = isLong ? groups.filter(({ report: { gate } }) => gate?.outcome !== "pass") : groups;
  const lines = shown.flatMap(({ spec, queryId, report }) => {
    const outcome = report.gate?.outcome ?? "pass";
    const kind = outcome === "pass" ? "pass" : outcome === "fail" ? "fail" : "incomplete";
    const needed = report.gate?.runsNeeded;
    const isCounted = report.gate?.parts.some(({ check }) => check === "min_runs") === true;
    const more =
      outcome === "not_enough_runs" && !isCounted && needed
        ? ` (about ${counted(needed, "more run")} would decide)`
        : "";
    const word = outcome === "not_enough_runs" ? "not enough runs" : outcome;
    const text = `${word}: ${printable(report.gate?.reason ?? "", 500)}${more}`;
    return [
      `   ${paint(kind, outcomeGlyphs[kind], theme)} ${spec} · ${queryId}: ${text}`,
      ...scoreLine(report, "score").map((line) => theme.dim(`     ${line}`)),
    ];
  });
  const held = groups.length - shown.length;
  const rest =
    held > 0
      ? [
          `   ${paint("pass", outcomeGlyphs.pass, theme)} ${held} other ${held === 1 ? "group" : "groups"} passed`,
        ]
      : [];
  return [["Reliability", ...rest, ...lines]];
}

/** Returns lines with the number of verdicts by outcome, and the exit code. */
function summaryLines(result: TestResult, theme: Theme): readonly string[] {
  const { summary, exit, tally } = result;
  const counts: readonly (readonly [number, string, (text: string) => string])[] = [
    [summary.failed, "failed", theme.bad],
    [summary.errors, summary.errors === 1 ? "error" : "errors", theme.unsure],
    [summary.incomplete, "incomplete", theme.unsure],
    [summary.warnings, summary.warnings === 1 ? "warning" : "warnings", theme.unsure],
    [summary.passed, "passed", theme.good],
    [summary.skipped, "skipped", theme.dim],
  ];
  const shown = counts.filter(([count]) => count > 0).map(([count, word, show]) => show(`${count} ${word}`));
  const verdicts = `${counted(summary.total, "verdict")}${shown.length > 0 ? `: ${shown.join(", ")}` : ""}`;
  const lines = [
    `${verdicts} · ${counted(summary.runs, "run")}, ${summary.unmatched} unmatched, ${summary.ambiguous} ambiguous · ${counted(summary.missing, "missing query", "missing queries")}`,
  ];
  if (tally.unknownIds > 0)
    lines.push(
      theme.dim(
        `${counted(tally.unknownIds, "run")} with a query id that the spec lacks: matched by the text of the query, or by "*"`,
      ),
    );
  const notJudged = notJudgedLine(tally.notJudged, summary.total, "verdicts");
  if (notJudged !== null) lines.push(theme.unsure(notJudged));
  const judges = judgeLine(result.judging);
  if (judges !== null) lines.push(theme.dim(judges));
  const why = exit.reasons.length === 0 ? "" : `: ${exit.reasons.join(", ")}`;
  const show = exit.code === 0 ? theme.good : exit.code === 1 ? theme.bad : theme.unsure;
  lines.push(show(`exit ${exit.code}${why}`));
  // A test with exit code 2 must be repeated, so the line about calls saved by recorded answers is left out.
  if (result.models !== undefined && result.models.runs > 0 && exit.code !== 2)
    lines.push(theme.dim(savingLine(result.models)));
  return lines;
}

/**
 * Returns a line with the number of runs that used recorded answers, and the calls, tokens and cost that they
 * saved.
 */
function savingLine({ runs, calls, tokens, usd }: PlaybackSaving): string {
  const spared = [
    counted(calls, "model call"),
    ...(tokens === null ? [] : [counted(tokens, "token")]),
    ...(usd === null ? [] : [dollars(usd)]),
  ];
  const cost = usd === null ? ", cost unknown" : "";
  return `${counted(runs, "run")} used recorded model answers: ${spared.join(", ")} saved${cost}`;
}
