import type { Difference } from "../baseline/difference.ts";
import type { DiffReport, QueryDiff } from "../baseline/diff.ts";
import type { Change, OutcomeChange } from "../baseline/tiers.ts";
import { grouped } from "../evaluate/text.ts";
import { counted, printable } from "./printable.ts";
import type { Theme } from "./theme.ts";

/** The comparison as people read it: each query with its three layers, then what differs. */
export function diffConsole(report: DiffReport, exitCode: number, theme: Theme): string {
  const sections = [
    ...report.queries.map((diff) => querySection(diff, report, theme)),
    ...onlySections(report, theme),
    [summaryLine(report, exitCode, theme)],
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function querySection(diff: QueryDiff, report: DiffReport, theme: Theme): readonly string[] {
  const { tiers, differences } = diff;
  const title = `Diff: ${printable(diff.agent)} · ${printable(diff.query ?? diff.queryId, 90)} (${printable(report.baseline)} → ${printable(report.compare)})`;
  const { correctness, path, cost } = tiers.layers;
  return [
    diff.regressed ? theme.bad(title) : title,
    `   Correctness  ${outcomeText(correctness, theme)}`,
    `   Path         ${outcomeText(path, theme)}`,
    ...measureRows(diff, theme),
    `   Cost         ${outcomeText(cost, theme)}`,
    ...costRows(diff, theme),
    ...(differences.length === 0
      ? [theme.good("   no differences")]
      : differences.map((one) => differenceLine(one, diff.regressed, theme))),
  ];
}

function outcomeText({ before, after, changed }: OutcomeChange, theme: Theme): string {
  const word = (outcome: OutcomeChange["before"]): string => (outcome ?? "not judged").toUpperCase();
  const text = `${changed ? "Changed" : "Unchanged"} (${word(before)} → ${word(after)})`;
  if (!changed) return text;
  return after === "fail" ? theme.bad(text) : after === "pass" ? theme.good(text) : theme.unsure(text);
}

type Better = "more" | "less";

function measureRows({ tiers: { path, reference } }: QueryDiff, theme: Theme): readonly string[] {
  // Against the older run itself, more alike is not better.
  const better: Better | undefined = reference === "spec" ? "more" : undefined;
  const to = reference === "spec" ? "" : theme.dim("  against the baseline's tools");
  return [
    row("Tool calls", path.tool_calls, grouped, "less", theme, "percent"),
    row("Tool precision", path.tool_precision, twoDecimals, better, theme) + to,
    row("Tool recall", path.tool_recall, twoDecimals, better, theme) + to,
    row("Sequence LCS", path.sequence_similarity, twoDecimals, better, theme) + to,
    row("Loops detected", path.loops, grouped, "less", theme),
  ];
}

function costRows({ tiers: { cost } }: QueryDiff, theme: Theme): readonly string[] {
  return [
    row(
      "Total cost",
      cost.cost_usd,
      (value) => `$${value.toFixed(value !== 0 && value < 0.01 ? 6 : 4)}`,
      "less",
      theme,
      "percent",
    ),
    row("Total tokens", cost.total_tokens, grouped, "less", theme, "percent"),
    row("LLM calls", cost.llm_calls, grouped, "less", theme, "percent"),
    row("Latency", cost.latency_ms, (value) => `${grouped(Math.round(value))} ms`, "less", theme, "percent"),
  ];
}

function row(
  name: string,
  change: Change,
  shown: (value: number) => string,
  better: Better | undefined,
  theme: Theme,
  percent?: "percent",
): string {
  const value = (number: number | null): string => (number === null ? "unknown" : shown(number));
  const text = `      ${`${name}:`.padEnd(17)} ${value(change.before)} → ${value(change.after)}`;
  return `${text}  ${movement(change, better, theme, percent)}`.trimEnd();
}

function movement(change: Change, better: Better | undefined, theme: Theme, percent?: "percent"): string {
  const { direction } = change;
  if (direction === null) return "";
  if (direction === "same") return theme.dim("(unchanged)");
  const size =
    percent === undefined || change.percent === null ? "" : ` ${Math.abs(change.percent).toFixed(1)}%`;
  const text = `(${direction === "up" ? "▲" : "▼"}${size})`;
  if (better === undefined) return text;
  return (direction === "up") === (better === "more") ? theme.good(text) : theme.bad(text);
}

function twoDecimals(value: number): string {
  return value.toFixed(2);
}

const glyphs = { error: "✗", warn: "▲", info: "·" } as const;

/** An error that made nothing worse is shown as a warning. */
export function differenceLine(
  { type, severity, message }: Difference,
  regressed: boolean,
  theme: Theme,
): string {
  const shown = severity === "error" && !regressed ? "warn" : severity;
  const paint = shown === "error" ? theme.bad : shown === "warn" ? theme.unsure : theme.dim;
  return `   ${paint(`${glyphs[shown]} ${type}`)}  ${printable(message, 400)}`;
}

function onlySections(
  { baseline, compare, onlyInBaseline, onlyInCompare }: DiffReport,
  theme: Theme,
): string[][] {
  const section = (version: string, names: readonly string[]): string[][] =>
    names.length === 0
      ? []
      : [[theme.unsure(`Only in ${printable(version)}: ${printable(names.join(", "), 400)}`)]];
  return [...section(baseline, onlyInBaseline), ...section(compare, onlyInCompare)];
}

function summaryLine({ queries }: DiffReport, exitCode: number, theme: Theme): string {
  const changed = queries.filter(({ differences }) => differences.length > 0).length;
  const regressed = queries.filter((diff) => diff.regressed).length;
  const text = `exit ${exitCode}: ${counted(queries.length, "query", "queries")} compared, ${changed} changed, ${regressed} regressed`;
  return exitCode === 0 ? theme.good(text) : exitCode === 1 ? theme.bad(text) : theme.unsure(text);
}
