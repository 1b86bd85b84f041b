import { dollars, grouped, signedDollars } from "../../../evaluate/rules/text.ts";
import type { ChangeSize } from "../../statistics/change-points/change-size.ts";
import type { SnakeCased } from "../../json/snake-case.ts";
import type { Coincidence } from "../../statistics/change-points/circumstances.ts";
import type { ExplainedChange, TrendMeasure } from "../../statistics/change-points/trend.ts";
import { duration, printable } from "../terminal/printable.ts";

export const measureNames: Record<TrendMeasure, string> = {
  pass_rate: "pass rate",
  cost_usd: "cost",
  latency_ms: "latency",
  total_tokens: "tokens",
};

/**
 * Whether the change makes the runs worse: a lower pass rate, or a higher cost, latency or number of tokens.
 */
export function isWorse(measure: TrendMeasure, { direction }: Pick<ExplainedChange, "direction">): boolean {
  return (direction === "down") === (measure === "pass_rate");
}

/**
 * Describes a change up to the word before its time: `pass rate fell from 94 % to 81 % (−13 points; −19 points to −7.0 points) since`. The
 * parentheses contain the size of the change and its confidence interval.
 */
export function changeSentence(
  measure: TrendMeasure,
  { before, after, size, direction }: Pick<ExplainedChange, "before" | "after" | "size" | "direction">,
): string {
  const moved = direction === "up" ? "rose" : "fell";
  // Cost, latency and tokens are reported as medians, because outliers distort a mean.
  const side = measure === "pass_rate" ? "mean" : "median";
  return `${measureNames[measure]} ${moved} from ${measured(measure, before[side])} to ${measured(measure, after[side])}${sizeText(measure, size)} since`;
}

function sizeText(measure: TrendMeasure, { scale, estimate, low, high }: ChangeSize): string {
  const amount = (of: number): string => {
    if (scale === "ratio") return signed(100 * of, " %");
    if (measure === "pass_rate") return signed(100 * of, " points");
    return measure === "cost_usd" ? signedDollars(of) : signed(of, "");
  };
  const range = low === null || high === null ? "" : `; ${amount(low)} to ${amount(high)}`;
  return ` (${amount(estimate)}${range})`;
}

function signed(amount: number, unit: string): string {
  const digits = Math.abs(amount) >= 10 ? 0 : 1;
  return `${amount < 0 ? "−" : "+"}${Math.abs(amount).toFixed(digits)}${unit}`;
}

/** Formats a mean or median with the unit of the measure. */
export function measured(measure: TrendMeasure, of: number): string {
  if (measure === "pass_rate") return `${(100 * of).toFixed(1).replace(/\.0$/, "")} %`;
  if (measure === "cost_usd") return dollars(of);
  return measure === "latency_ms" ? duration(of) : grouped(Math.round(of));
}

/**
 * Describes an attribute that changed at the same time, such as `service.version 1.4.0 → 1.5.0 (0 % → 96 % of
 * runs)`.
 */
export function coincidenceText(change: SnakeCased<Coincidence>): string {
  const { what, from, to, share_before: before, share_after: after } = change;
  const shares = `(${Math.round(100 * before)} % → ${Math.round(100 * after)} % of runs)`;
  const names = [from, to].flatMap((name) => (name === null ? [] : [printable(name, 60)])).join(" → ");
  if (what !== "tool") return `${what} ${names} ${shares}`;
  return `tool ${names} is called in ${to === null ? "fewer" : "more"} runs ${shares}`;
}

/** Formats a time in UTC without seconds, such as `2026-11-17 08:00`. */
export function isoMinute(unixMs: number): string {
  return new Date(unixMs).toISOString().slice(0, 16).replace("T", " ");
}
