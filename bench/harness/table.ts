import type { Result } from "./result.ts";

/** The results as lines of a table. */
export function table(results: readonly Result[]): string {
  const rows = results.map(({ name, value, unit, goal, holds, spread, what }) => [
    name,
    `${number(value)} ${unit}`,
    `${number(spread[0])}–${number(spread[1])}`,
    goal ?? "",
    holds === null ? "" : holds ? "holds" : "MISSED",
    what,
  ]);
  const all = [["figure", "median", "spread", "goal", "", "what"], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")).join("\n");
}

function number(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
