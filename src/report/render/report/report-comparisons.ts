import { dollars, grouped, signedDollars } from "../../../evaluate/rules/text.ts";
import type { ComparisonTest } from "../../statistics/compare/compare-measure.ts";
import type { Comparison, PairOfGroups } from "../../statistics/compare/compare.ts";
import type { ReportData } from "../../statistics/report/report.ts";
import { counted, duration, printable, type Theme } from "../terminal/printable.ts";
import { type Alignment, textTable } from "../terminal/text-table.ts";

const MOST_PAIRS = 20;
/** Significance level. A difference with a smaller adjusted p-value is displayed as significant. */
const LEVEL = 0.05;

const testNames: Readonly<Record<ComparisonTest, string>> = {
  sign: "exact sign test over queries",
  wilcoxon_signed_rank: "Wilcoxon signed-rank test over queries",
  fisher_exact: "Fisher's exact test over runs",
  mann_whitney: "Mann–Whitney test over runs",
  stratified_fisher: "exact test over runs, by query",
  stratified_mann_whitney: "Mann–Whitney test over runs, by query",
};

/**
 * Returns the lines that compare groups. If the report has a base, all measures are listed, otherwise only
 * significant differences.
 */
export function comparisonLines({ base, across }: ReportData, theme: Theme): readonly string[] {
  const blocks = across.pairs.flatMap((pair) => {
    const own = across.comparisons.filter(({ a, b }) => a === pair.a && b === pair.b);
    const shown = base === null ? own.filter(isSure) : own;
    return shown.length === 0 ? [] : [["", ...pairLines(pair, shown, theme)]];
  });
  const rest = blocks.length - MOST_PAIRS;
  return [
    ...blocks.slice(0, MOST_PAIRS).flat(),
    ...(rest > 0 ? ["", `… and ${counted(rest, "more pair")} of groups; --format json has them all`] : []),
    ...(across.comparisons.length > 0 && !across.comparisons.some(isSure)
      ? ["", theme.dim("No difference between groups is significant (adjusted p ≥ 0.05).")]
      : []),
  ];
}

function isSure({ pAdjusted }: Comparison): boolean {
  return pAdjusted !== null && pAdjusted < LEVEL;
}

function pairLines(pair: PairOfGroups, comparisons: readonly Comparison[], theme: Theme): readonly string[] {
  const [a, b] = [printable(pair.a, 40), printable(pair.b, 40)];
  const title = `${printable(pair.b, 60)} against ${printable(pair.a, 60)}, over ${counted(pair.queries, "query", "queries")} that both have`;
  const head = ["", "", a, b, "change per query", "queries", "p", "adjusted", "test"];
  const alignments = head.map((_, at): Alignment => (at === 2 || at === 3 ? "right" : "left"));
  const rows = comparisons.map((one) => [isSure(one) ? "*" : "", ...comparisonRow(one)]);
  const [titles = "", ...lines] = textTable([head, ...rows], alignments);
  const notes = comparisons.some(isSure) ? ["* significant (adjusted p < 0.05)"] : [];
  return [
    title,
    theme.dim(titles),
    ...lines,
    ...notes.map((line) => `  ${theme.dim(line)}`),
    ...leftOut(pair).map((line) => `  ${theme.unsure(line)}`),
  ];
}

function leftOut({ onlyA, onlyB, withoutQuery, overlap }: PairOfGroups): readonly string[] {
  const lines: string[] = [];
  if (onlyA + onlyB > 0) {
    lines.push(`left out: ${counted(onlyA + onlyB, "query", "queries")} with runs in only one group`);
  }
  if (withoutQuery > 0) lines.push(`left out: ${counted(withoutQuery, "run")} with an unknown query`);
  if (overlap > 0) lines.push(`${counted(overlap, "run")} in both groups`);
  return lines;
}

function comparisonRow(one: Comparison): readonly string[] {
  const { metric, p, pAdjusted, test, reason } = one;
  const name = metric.replaceAll("_", " ");
  if (p === null || test === null) return [name, "", "", reason ?? "", "", "", "", ""];
  return [
    name,
    valueOf(metric, one.meanA),
    valueOf(metric, one.meanB),
    changeOf(one),
    queriesOf(one),
    probability(p),
    probability(pAdjusted ?? 1),
    testNames[test],
  ];
}

/**
 * Describes the size of the change: the difference of the pass rates or, for a metric, the typical change per
 * query.
 */
function changeOf({ metric, change, difference, effect, test }: Comparison): string {
  if (metric === "pass_rate") {
    const isPaired = test === "sign" || test === "wilcoxon_signed_rank";
    const range = isPaired && difference !== null ? difference : { low: null, high: null };
    return ranged((value) => signed(100 * value), " points", effect ?? 0, range);
  }
  if (change === null) return "";
  return change.scale === "ratio"
    ? ranged((value) => `${signed(100 * value)}%`, "", change.estimate, change)
    : ranged((value) => differenceOf(metric, value), "", change.estimate, change);
}

function ranged(
  show: (value: number) => string,
  unit: string,
  value: number,
  { low, high }: { readonly low: number | null; readonly high: number | null },
): string {
  const range = low === null || high === null ? "" : ` (${show(low)} to ${show(high)})`;
  return `${show(value)}${unit}${range}`;
}

function queriesOf({ higher, lower, equal }: Comparison): string {
  const parts = [
    higher > 0 ? [`${higher} higher`] : [],
    lower > 0 ? [`${lower} lower`] : [],
    equal > 0 ? [`${equal} equal`] : [],
  ];
  return parts.flat().join(", ");
}

function valueOf(metric: string, value: number | null): string {
  if (value === null) return "—";
  if (metric === "pass_rate") return `${decimals(100 * value)}%`;
  if (metric === "cost_usd") return dollars(value);
  if (metric === "latency_ms") return duration(value);
  return metric.endsWith("_tokens") ? grouped(Math.round(value)) : decimals(value);
}

function decimals(value: number): string {
  return String(Number(value.toFixed(1)));
}

/** Formats a difference in the unit of the metric. Small amounts of money have so many digits that they are not displayed as 0. */
function differenceOf(metric: string, value: number): string {
  if (metric === "cost_usd") return signedDollars(value);
  if (metric !== "latency_ms") return signed(value);
  return `${value < 0 ? "−" : "+"}${duration(Math.abs(value))}`;
}

function signed(value: number): string {
  const size = decimals(Math.abs(value));
  return size === "0" ? size : `${value < 0 ? "−" : "+"}${size}`;
}

function probability(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}
