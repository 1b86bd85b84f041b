import type { GroupReport, MetricReport } from "../../statistics/groups/group.ts";
import { counted, printable } from "./printable.ts";

/** Metrics of judges and `scoring`, in display order; `rubric.ID` follows. */
const first: readonly string[] = ["score", "composite", "impl_rate", "goal_accuracy", "topic_adherence"];

/**
 * Returns the scores of a group's runs: a line each with mean, median, spread (sample standard deviation) and
 * interval of the mean.
 */
export function scoreLines(group: GroupReport): readonly string[] {
  const names = [...group.metrics.keys()];
  const scores = [...first, ...names.filter((name) => name.startsWith("rubric."))];
  return scores.flatMap((name) => scoreLine(group, name));
}

/** Returns the line of one score; empty if no run has it. */
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
