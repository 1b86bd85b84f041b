import type { ReportData } from "../../statistics/report/report.ts";
import { printable } from "../terminal/printable.ts";
import { textTable } from "../terminal/text-table.ts";

const MOST_ROWS = 60;

/**
 * Returns the lines that `report --statistics full` adds to the console output. Empty without `--statistics
 * full`.
 */
export function fullStatisticsLines({ full }: ReportData): readonly string[] {
  if (full === null) return [];
  const { sensitivity, transitions, ablation, bestValue, power, judges } = full;
  return [
    ...table("Dependence of rates on the group", ["measure", "sensitivity"], [...sensitivity]),
    ...table(
      "Changes from group to group",
      ["from", "to", "quality", "cost", "worthwhile"],
      transitions.map(({ from, to, qualityGain, costIncrease, worthwhile }) => [
        printable(from, 40),
        printable(to, 40),
        signed(qualityGain),
        `${signed(100 * costIncrease)}%`,
        worthwhile ? "yes" : "no",
      ]),
    ),
    ...table(
      "Loss of score against the base (for groups that are the base without one component)",
      ["group", "loss", "component"],
      ablation.map(({ key, loss, impact }) => [printable(key, 40), signed(loss), impact]),
    ),
    ...(bestValue.key === null || bestValue.value === null
      ? []
      : [
          "",
          `Highest score for its cost: ${printable(bestValue.key, 60)} (${rounded(bestValue.value)} per USD)`,
        ]),
    ...table(
      "Probability of detecting a difference of a given size (Cliff's delta)",
      ["a", "b", "measure", "0.11", "0.28", "0.43"],
      power.map(({ a, b, metric, small, medium, large }) => [
        printable(a, 40),
        printable(b, 40),
        metric,
        ...[small, medium, large].map((chance) => (chance === null ? "—" : `${Math.round(100 * chance)}%`)),
      ]),
    ),
    ...table(
      "Agreement of judges (Krippendorff's alpha: 1 full agreement, 0 chance)",
      ["rubric", "runs", "ratings", "alpha"],
      judges.map(({ rubric, runs, ratings, alpha }) => [
        printable(rubric, 60),
        String(runs),
        String(ratings),
        alpha === null ? "—" : rounded(alpha),
      ]),
    ),
  ];
}

function table(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, MOST_ROWS);
  const alignments = head.map(() => "left" as const);
  const rest = rows.length - shown.length;
  return [
    "",
    title,
    ...textTable([head, ...shown], alignments).map((line) => `  ${line}`),
    ...(rest > 0 ? [`  … and ${rest} more; --format json has them all`] : []),
  ];
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Number(Math.abs(value).toPrecision(3))}`;
}
