import type { GroupReport, MetricReport } from "../../statistics/groups/group.ts";
import { counted, printable } from "./printable.ts";

/** Metrics of judges and `scoring` that are printed first, in this order. `rubric.ID` metrics follow. */
const first: readonly string[] = ["score", "composite", "impl_rate", "goal_accuracy", "topic_adherence"];

/**
 * Returns a line for each score: mean, median, sample standard deviation, and confidence interval of the
 * mean.
 */
export function scoreLines(group: GroupReport): readonly string[] {
  const names = [...group.metrics.keys()];
  const scores = [...first, ...names.filter((name) => name.startsWith("rubric."))];
  return scores.flatMap((name) => scoreLine(group, name));
}

/** Returns the line of a score as a list; an empty list if no run has the score. */
export function scoreLine({ metrics, passRate }: GroupReport, name: string): readonly string[] {
  const metric = metrics.get(name);
  if (metric === undefined || metric.mean === null) return [];
  return [
    `${printable(name, 60)}: ${described(metric, metric.mean, passRate.confidence)}, ${counted(metric.count, "run")}`,
  ];
}

function described({ median, sampleStdDev, interval }: MetricReport, mean: number, confidence: number) {
  const parts = [`mean ${rounded(mean)}`];
  if (median !== null && rounded(median) !== rounded(mean)) parts.push(`median ${rounded(median)}`);
  if (sampleStdDev !== null) parts.push(`spread ${rounded(sampleStdDev)}`);
  if (interval !== null) {
    const { low, high } = interval;
    parts.push(`${rounded(low)} to ${rounded(high)} at ${rounded(100 * confidence)} % confidence`);
  }
  return parts.join(", ");
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(3)));
}
