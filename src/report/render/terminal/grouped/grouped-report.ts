import { decidingChecks } from "../../../json/deciding-checks.ts";
import { dollars } from "../../../../evaluate/rules/text.ts";
import { type Overview, overviewOf, type QueryOverview, type VerdictGroup } from "../../overview/overview.ts";
import { counted, duration, printable, type Theme } from "../printable.ts";
import type { TestResult } from "../../json/result.ts";
import { failureLines, rowsText } from "./failure.ts";
import { placeText } from "./run-place.ts";
import { dumpWords } from "./next-command.ts";
import { paint } from "./outcome-marks.ts";
import { unreadableInput, withoutVerdict } from "./without-verdict.ts";

/** Width of the line above the failures. It fits into a terminal of 80 columns. */
const WIDTH = 80;
/** Number of lines that fit on one screen. If the failures need more lines, a list of the failures follows. */
const ONE_SCREEN = 45;

/**
 * Yields the report of many runs: passed queries, warnings and undecided groups on one line each, then failures in detail.
 * @param isQuiet leaves out passed queries, warnings, and everything without a verdict except unreadable input
 */
export function* groupedReport(result: TestResult, theme: Theme, isQuiet: boolean): Generator<string> {
  const overview = overviewOf(result);
  if (!isQuiet) {
    yield* section(passedLines(overview, theme));
    yield* section(warnedLines(overview, theme));
  }
  yield* section(undecidedLines(overview, result, theme));
  if (isQuiet) yield* section(unreadableInput(result, theme));
  else for (const lines of withoutVerdict(result, theme, true)) yield* section(lines);
  yield* failedSection(overview, theme);
}

function* section(lines: readonly string[]): Generator<string> {
  if (lines.length > 0) yield `${lines.join("\n")}\n\n`;
}

function passedLines({ queries }: Overview, theme: Theme): readonly string[] {
  const passed = queries.filter(({ counts }) => counts.pass > 0);
  if (passed.length === 0) return [];
  const width = Math.max(16, ...passed.map(({ queryId }) => printable(queryId, 48).length));
  let spec = "";
  return passed.flatMap((query) => {
    const heads =
      spec === ""
        ? theme.dim(`${"runs".padStart(6)}${"median time".padStart(14)}${"total cost".padStart(13)}`)
        : "";
    const head =
      query.spec === spec
        ? []
        : [` ${heads === "" ? query.spec : `${query.spec.padEnd(width + 3)}${heads}`}`];
    spec = query.spec;
    return [...head, passedLine(query, width, theme)];
  });
}

function passedLine(
  { queryId, rowCount, counts, medianMs, costUsd }: QueryOverview,
  width: number,
  theme: Theme,
): string {
  const figures = [
    `×${counts.pass}`.padStart(6),
    (medianMs === undefined ? "" : duration(medianMs)).padStart(14),
    (costUsd === undefined ? "" : dollars(rounded(costUsd))).padStart(13),
  ];
  const failed = counts.fail === 0 ? "" : `   ${theme.bad(`✗ ${counts.fail} failed`)}, below`;
  const name = printable(queryId, 48).padEnd(width);
  const rows = rowCount === 0 ? "" : theme.dim(`   ${counted(rowCount, "row")}`);
  return ` ${theme.good("✓")} ${name} ${theme.dim(figures.join(""))}${rows}${failed}`;
}

function warnedLines({ warned }: Overview, theme: Theme): readonly string[] {
  if (warned.length === 0) return [];
  return [" Warnings", ...warned.map((group) => groupLine(group, theme))];
}

function undecidedLines({ undecided }: Overview, result: TestResult, theme: Theme): readonly string[] {
  if (undecided.length === 0) return [];
  return [
    " Not decided",
    ...undecided.flatMap((group) => [groupLine(group, theme), ...sourceLine(group, theme)]),
    ...(undecided.some(({ outcome }) => outcome === "incomplete")
      ? [`${theme.hint(`   → tracejury doctor ${dumpWords(result)}`)}   settings for missing evidence`]
      : []),
  ];
}

/** Returns a group as one line: the number of runs, and the message of the first check. */
function groupLine(
  { queryId, rows, outcome, count, checks, example, messages }: VerdictGroup,
  theme: Theme,
): string {
  const [first = "error"] = checks;
  const message = [...(messages.get(first) ?? [])][0]?.[0] ?? example.verdict.error ?? "";
  const others =
    checks.length > 1 ? ` · also ${checks.slice(1, 4).join(", ")}${checks.length > 4 ? " …" : ""}` : "";
  const reason = printable(message, Math.max(40, 110 - others.length));
  const glyph = paint(outcome, outcome === "warn" ? "▲" : outcome === "error" ? "!" : "?", theme);
  const rule = decidingChecks(example.verdict)[0]?.source;
  const place =
    rows.length > 0
      ? theme.dim(`   ${rowsText(rows)}`)
      : rule == null
        ? ""
        : theme.dim(`   ${printable(rule.file)}:${rule.line}`);
  return ` ${glyph} ${printable(queryId, 48).padEnd(18)} ${theme.dim(`×${count}`.padStart(5))}   ${first}: ${reason}${others}${place}`;
}

function sourceLine({ example: { verdict }, count }: VerdictGroup, theme: Theme): readonly string[] {
  const { source } = verdict;
  if (source === undefined) return [];
  const more = count > 1 ? ` and ${count - 1} more` : "";
  return [theme.dim(`${" ".repeat(29)}${printable(placeText(source), 300)}${more}`)];
}

function* failedSection({ failed, queries }: Overview, theme: Theme): Generator<string> {
  if (failed.length === 0) return;
  const runs = failed.reduce((sum, { count }) => sum + count, 0);
  const title = ` ${counted(failed.length, "failure")}, ${counted(runs, "run")}`;
  yield `${theme.dim("─".repeat(Math.max(3, WIDTH - title.length)))}${theme.bad(title)}\n`;
  let lines = 0;
  for (const group of failed) {
    const text = failureLines(group, runsOf(queries, group), theme);
    lines += text.length;
    yield `${text.join("\n")}\n`;
  }
  if (lines > ONE_SCREEN) {
    const queryCount = new Set(failed.map(({ spec, queryId }) => JSON.stringify([spec, queryId]))).size;
    yield* section([
      " Failed",
      ...failed.map((group) => failedLine(group, theme)),
      `${theme.hint("   → the same command with --last-failed")}   only the ${counted(queryCount, "query", "queries")} that failed`,
    ]);
  }
}

function failedLine(group: VerdictGroup, theme: Theme): string {
  const { source, run_id: runId } = group.example.verdict;
  const place = source === undefined ? `run ${runId.slice(0, 12)}…` : printable(placeText(source), 300);
  const what = printable(group.checks.join(", "), 60);
  return ` ${theme.bad("✗")} ${printable(group.queryId, 48).padEnd(18)} ${theme.dim(`×${group.count}`.padStart(5))}   ${what}   ${theme.dim(place)}`;
}

function runsOf(queries: readonly QueryOverview[], { spec, queryId }: VerdictGroup): number {
  const counts = queries.find((query) => query.spec === spec && query.queryId === queryId)?.counts;
  return Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);
}

/** Rounds US dollars to four decimals. Amounts below 0.01 are rounded to two significant digits. */
function rounded(usd: number): number {
  return usd < 0.01 ? Number(usd.toPrecision(2)) : Math.round(usd * 1e4) / 1e4;
}
