import type { TrendMeasure } from "../../statistics/change-points/trend.ts";
import {
  changeSentence,
  coincidenceText,
  isoMinute,
  isWorse,
  measured,
  measureNames,
} from "./change-text.ts";
import { counted, printable, type Theme } from "../terminal/printable.ts";
import type { TrendJson } from "./trend-json.ts";

/** Trend of one group of runs. By default, each query is a group. */
export interface GroupTrend {
  readonly key: string;
  readonly trend: TrendJson;
}

const BARS = "▁▂▃▄▅▆▇█";
const MOST_BARS = 40;
const binNames = new Map([
  [3_600_000, "hour"],
  [86_400_000, "day"],
]);

/**
 * Returns the console output of `report --trend`. Each measure of a group has a bar chart in one line,
 * followed by the measure's changes.
 */
export function trendConsole(groupBy: string, groups: readonly GroupTrend[], theme: Theme): string {
  if (groups.length === 0) return "no judged run to report\n";
  const lines = [`Changes over time by ${printable(groupBy)}`];
  for (const { key, trend } of groups) {
    const unit = binNames.get(trend.bin_ms) ?? "week";
    lines.push(
      "",
      `${printable(key, 60)}  ${theme.dim(`${counted(trend.runs, "run")}, one bar per ${unit}`)}`,
    );
    for (const { measure, points, mean, changes } of trend.measures) {
      const shown = bars(points.map((point) => point.mean));
      lines.push(
        `  ${measureNames[measure].padEnd(9)}  ${shown}  ${theme.dim(`mean ${measured(measure, mean)}`)}`,
      );
      for (const change of changes) lines.push(...changeLines(measure, change, theme));
    }
  }
  const count = groups.reduce(
    (sum, { trend }) => sum + trend.measures.reduce((inner, { changes }) => inner + changes.length, 0),
    0,
  );
  lines.push("", count === 0 ? "no significant change" : counted(count, "significant change"));
  return `${lines.join("\n")}\n`;
}

function bars(means: readonly number[]): string {
  const shown = means.slice(-MOST_BARS);
  const least = Math.min(...shown);
  const most = Math.max(...shown);
  const step = most > least ? (BARS.length - 1) / (most - least) : 0;
  return shown.map((mean) => BARS[Math.round((mean - least) * step)] ?? "").join("");
}

type Change = TrendJson["measures"][number]["changes"][number];

function changeLines(measure: TrendMeasure, change: Change, theme: Theme): string[] {
  const { before, after, also_changed: others } = change;
  const sentence = changeSentence(measure, change);
  const lines = [
    `    ${isWorse(measure, change) ? theme.bad("✗") : theme.good("✓")} ${sentence} ${isoMinute(change.at_unix_ms)}`,
    theme.dim(
      `      between ${isoMinute(change.low_unix_ms)} and ${isoMinute(change.high_unix_ms)} UTC; ${counted(before.runs, "run")} before, ${after.runs} after`,
    ),
  ];
  return [...lines, ...others.map((one) => `      at the same time: ${coincidenceText(one)}`)];
}
