import type { Difference } from "../../baseline/differences/difference.ts";
import type { DiffReport, QueryDiff } from "../../baseline/diff.ts";
import { type Change, type OutcomeChange, smallDurationChange } from "../../baseline/differences/tiers.ts";
import { dollars, grouped } from "../../../evaluate/rules/text.ts";
import { counted, printable, type Theme } from "../terminal/printable.ts";

/** Returns the console output of `diff`: for each query the layers, the measures and the differences. */
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
    diff.regressed ? theme.bad(title) : diff.improved ? `${title}  ${theme.good("improved")}` : title,
    `   Correctness  ${outcomeText(correctness, theme)}`,
    `   Path         ${outcomeText(path, theme)}`,
    ...measureLines(pathMeasures(diff, theme), theme),
    `   Cost         ${outcomeText(cost, theme)}`,
    ...measureLines(costMeasures(diff), theme),
    ...(diff.lost.length === 0
      ? []
      : [theme.unsure(`   ? unknown in the newer run: ${diff.lost.join(", ")}`)]),
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

/** A measure with its format, for one line of the output. */
interface Measure {
  readonly name: string;
  readonly change: Change;
  readonly shown: (value: number) => string;
  readonly better: Better | undefined;
  readonly percent?: "percent";
  /** Text after the older and the newer value. */
  readonly note?: string;
}

function pathMeasures({ tiers: { path, reference } }: QueryDiff, theme: Theme): readonly Measure[] {
  // Against the spec, a higher similarity is better. Against the older run, a higher similarity is neither
  // better nor worse.
  const better: Better | undefined = reference === "spec" ? "more" : undefined;
  const note = reference === "spec" ? "" : theme.dim("  against the baseline's tools");
  const likeness = (name: string, change: Change): Measure => ({
    name,
    change,
    shown: twoDecimals,
    better,
    note,
  });
  return [
    { name: "Tool calls", change: path.tool_calls, shown: grouped, better: "less", percent: "percent" },
    likeness("Tool precision", path.tool_precision),
    likeness("Tool recall", path.tool_recall),
    likeness("Sequence LCS", path.sequence_similarity),
    { name: "Loops detected", change: path.loops, shown: grouped, better: "less" },
  ];
}

function costMeasures({ tiers: { cost } }: QueryDiff): readonly Measure[] {
  const measure = (name: string, change: Change, shown: (value: number) => string): Measure => ({
    name,
    change,
    shown,
    better: "less",
    percent: "percent",
  });
  return [
    measure("Total cost", cost.cost_usd, dollars),
    measure("Total tokens", cost.total_tokens, grouped),
    measure("LLM calls", cost.llm_calls, grouped),
    measure("Latency", cost.latency_ms, (value) => `${grouped(Math.round(value))} ms`),
  ];
}

/** Returns a line for each changed measure, and one line that names all unchanged measures. */
function measureLines(measures: readonly Measure[], theme: Theme): readonly string[] {
  // A measure also counts as unchanged if its older and newer value are displayed with the same text.
  const same = measures.filter(
    ({ change: { direction, before, after }, shown }) =>
      direction === "same" || (before !== null && after !== null && shown(before) === shown(after)),
  );
  const rows = measures.filter((one) => !same.includes(one)).map((one) => row(one, theme));
  if (same.length === 0) return rows;
  const values = same.map(({ name, change, shown }) => {
    const [before, after] = [shown(change.before ?? 0), shown(change.after ?? 0)];
    return before === after ? `${name} ${after}` : `${name} ${before} → ${after} (${withinTolerance})`;
  });
  return [...rows, theme.dim(`      ${"unchanged:".padEnd(17)} ${values.join(", ")}`)];
}

/** Why a duration counts as unchanged although its values differ. */
export const withinTolerance = `a change below ${smallDurationChange.percent}% or ${smallDurationChange.ms} ms counts as unchanged`;

function row({ name, change, shown, better, percent, note = "" }: Measure, theme: Theme): string {
  const value = (number: number | null): string => (number === null ? "unknown" : shown(number));
  const text = `      ${`${name}:`.padEnd(17)} ${value(change.before)} → ${value(change.after)}`;
  return `${text}  ${movement(change, better, theme, percent)}`.trimEnd() + note;
}

function movement(change: Change, better: Better | undefined, theme: Theme, percent?: "percent"): string {
  const { direction } = change;
  if (direction === null || direction === "same") return "";
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

/** Returns the console line of a difference. If the query did not regress, an error is displayed as a warning. */
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
  { baseline, compare, onlyInBaseline, onlyInCompare, failingOnlyInCompare }: DiffReport,
  theme: Theme,
): string[][] {
  const section = (version: string, names: readonly string[]): string[][] =>
    names.length === 0
      ? []
      : [[theme.unsure(`Only in ${printable(version)}: ${printable(names.join(", "), 400)}`)]];
  const failing = failingOnlyInCompare.map((name) => [
    theme.bad(`✗ ${printable(name, 400)} fails; the older version has no run of this query`),
  ]);
  return [...section(baseline, onlyInBaseline), ...section(compare, onlyInCompare), ...failing];
}

function summaryLine({ queries }: DiffReport, exitCode: number, theme: Theme): string {
  const changed = queries.filter(({ differences }) => differences.length > 0).length;
  const regressed = queries.filter((diff) => diff.regressed).length;
  const better = queries.filter(({ improved }) => improved).length;
  const text = [
    `exit ${exitCode}: ${counted(queries.length, "query", "queries")} compared`,
    `${changed} changed`,
    ...(better > 0 ? [`${better} improved`] : []),
    `${regressed} regressed`,
  ].join(", ");
  return exitCode === 0 ? theme.good(text) : exitCode === 1 ? theme.bad(text) : theme.unsure(text);
}
