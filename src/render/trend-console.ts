import { dollars, grouped } from "../evaluate/rules/text.ts";
import type { ChangeSize } from "../statistics/change-points/change-size.ts";
import type { Coincidence } from "../statistics/change-points/circumstances.ts";
import type { ExplainedChange, TrendMeasure } from "../statistics/change-points/trend.ts";
import { counted, duration, printable } from "./terminal/printable.ts";
import type { Theme } from "./terminal/theme.ts";
import type { ExplainedTrend } from "./trend-json.ts";

/** A group of runs, such as those of one query, over time. */
export interface GroupTrend {
  readonly key: string;
  readonly trend: ExplainedTrend;
}

const BARS = "▁▂▃▄▅▆▇█";
const MOST_BARS = 40;
const binNames = new Map([
  [3_600_000, "hour"],
  [86_400_000, "day"],
]);

const names: Record<TrendMeasure, string> = {
  pass_rate: "pass rate",
  cost_usd: "cost",
  latency_ms: "latency",
  total_tokens: "tokens",
};

/** `report --trend` for people: each group's measures as a line of bars, and when they changed. */
export function trendConsole(groupBy: string, groups: readonly GroupTrend[], theme: Theme): string {
  if (groups.length === 0) return "no judged run to report\n";
  const lines = [`Changes over time by ${printable(groupBy)}`];
  for (const { key, trend } of groups) {
    const unit = binNames.get(trend.binMs) ?? "week";
    lines.push("", `${printable(key, 60)}  ${theme.dim(`${counted(trend.runs, "run")}, a bar a ${unit}`)}`);
    for (const { measure, points, mean, changes } of trend.measures) {
      const shown = bars(points.map((point) => point.mean));
      lines.push(`  ${names[measure].padEnd(9)}  ${shown}  ${theme.dim(`mean ${value(measure, mean)}`)}`);
      for (const change of changes) lines.push(...changeLines(measure, change, theme));
    }
  }
  const count = groups.reduce(
    (sum, { trend }) => sum + trend.measures.reduce((inner, { changes }) => inner + changes.length, 0),
    0,
  );
  lines.push("", count === 0 ? "nothing changed beyond chance" : `${counted(count, "change")} beyond chance`);
  return `${lines.join("\n")}\n`;
}

function bars(means: readonly number[]): string {
  const shown = means.slice(-MOST_BARS);
  const least = Math.min(...shown);
  const most = Math.max(...shown);
  const step = most > least ? (BARS.length - 1) / (most - least) : 0;
  return shown.map((mean) => BARS[Math.round((mean - least) * step)] ?? "").join("");
}

function changeLines(measure: TrendMeasure, change: ExplainedChange, theme: Theme): string[] {
  const { before, after, atUnixMs, lowUnixMs, highUnixMs, coincidences } = change;
  const isWorse = (change.direction === "down") === (measure === "pass_rate");
  const sentence = changeSentence(measure, change);
  const lines = [
    `    ${isWorse ? theme.bad("✗") : theme.good("✓")} ${sentence} ${isoMinute(atUnixMs)}`,
    theme.dim(
      `      between ${isoMinute(lowUnixMs)} and ${isoMinute(highUnixMs)} UTC; ${counted(before.runs, "run")} before, ${after.runs} after`,
    ),
  ];
  return [...lines, ...coincidences.map((one) => `      then, too: ${coincidenceText(one)}`)];
}

/** `pass rate fell from 94 % to 81 %, by 13 points (7 to 19), since`. */
function changeSentence(
  measure: TrendMeasure,
  { before, after, size, direction }: Pick<ExplainedChange, "before" | "after" | "size" | "direction">,
): string {
  const moved = direction === "up" ? "rose" : "fell";
  // Means of costs and times follow their outliers: the middle run says more.
  const side = measure === "pass_rate" ? "mean" : "median";
  return `${names[measure]} ${moved} from ${value(measure, before[side])} to ${value(measure, after[side])}${sizeText(measure, size)} since`;
}

function sizeText(measure: TrendMeasure, { scale, estimate, low, high }: ChangeSize): string {
  const amount = (of: number): string => {
    if (scale === "ratio") return signed(100 * of, " %");
    return measure === "pass_rate" ? signed(100 * of, " points") : signed(of, "");
  };
  const range = low === null || high === null ? "" : `; ${amount(low)} to ${amount(high)}`;
  return ` (${amount(estimate)}${range})`;
}

function signed(amount: number, unit: string): string {
  const digits = Math.abs(amount) >= 10 ? 0 : 1;
  return `${amount < 0 ? "−" : "+"}${Math.abs(amount).toFixed(digits)}${unit}`;
}

function value(measure: TrendMeasure, of: number): string {
  if (measure === "pass_rate") return `${(100 * of).toFixed(1).replace(/\.0$/, "")} %`;
  if (measure === "cost_usd") return dollars(of);
  return measure === "latency_ms" ? duration(of) : grouped(Math.round(of));
}

/** `service.version 1.4.0 → 1.5.0 (0 % → 96 % of runs)`. */
function coincidenceText({ what, from, to, shareBefore, shareAfter }: Coincidence): string {
  const shares = `(${Math.round(100 * shareBefore)} % → ${Math.round(100 * shareAfter)} % of runs)`;
  const names = [from, to].flatMap((name) => (name === null ? [] : [printable(name, 60)])).join(" → ");
  if (what !== "tool") return `${what} ${names} ${shares}`;
  return `tool ${names} is called ${to === null ? "less" : "more"} often ${shares}`;
}

function isoMinute(unixMs: number): string {
  return new Date(unixMs).toISOString().slice(0, 16).replace("T", " ");
}
