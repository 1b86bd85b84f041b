import { medianOfSorted } from "../../src/report/statistics/samples/quantiles.ts";
import { number } from "../harness/table.ts";
import type { Comparison } from "./compare.ts";

/** Minimum widths of the columns. */
const widths = [31, 10, 10, 26, 11] as const;

/** The comparison as a table; its last line counts the results. */
export function comparisonLines(comparisons: readonly Comparison[]): string[] {
  const count = (verdict: Comparison["verdict"]): string =>
    `${comparisons.filter((one) => one.verdict === verdict).length} ${verdict}`;
  return [
    line(["figure", "before", "now", "change (95 %)", ""]),
    ...comparisons.map(lineOf),
    (["worse", "better", "same", "cannot tell"] as const).map(count).join(", "),
  ];
}

function lineOf(comparison: Comparison): string {
  const { name, unit, before, after, change, verdict, why } = comparison;
  const shown = unit === "power" ? difference : percent;
  return line([
    name,
    medianOf(before, unit),
    medianOf(after, unit),
    change === null ? "?" : `${shown(change.change)} (${shown(change.low)} to ${shown(change.high)})`,
    verdict,
    why,
  ]);
}

function medianOf(rounds: readonly number[], unit: string): string {
  const middle = medianOfSorted(rounds.toSorted((a, b) => a - b));
  if (middle === null) return "?";
  return unit === "power" ? middle.toFixed(2) : `${number(middle)} ${unit}`.trimEnd();
}

/** The log of a ratio as a percentage of change. */
function percent(log: number): string {
  const share = Math.expm1(log) * 100;
  if (share >= 1_000) return `×${(share / 100 + 1).toFixed(0)}`;
  return `${share < 0 ? "−" : "+"}${Math.abs(share).toFixed(Math.abs(share) < 9.95 ? 1 : 0)} %`;
}

function difference(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

function line(cells: readonly string[]): string {
  return cells
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join("  ")
    .trimEnd();
}
