import type { Result } from "./result.ts";

/** The results as lines of a table. */
export function table(results: readonly Result[]): string {
  const rows = results.map(({ name, row, value, unit, goal, holds, spread, what }) => [
    row ?? "",
    name,
    `${number(value)} ${unit}`.trimEnd(),
    `${number(spread[0])}–${number(spread[1])}`,
    goal ?? "",
    holds === null ? "" : holds ? "holds" : "MISSED",
    what,
  ]);
  const all = [["", "figure", "median", "spread", "goal", "", "what"], ...rows];
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")).join("\n");
}

function number(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Whether a figure is among those asked for: all when none is named; a name stands for itself and for what begins with it and a point. */
export function isWanted(name: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((one) => name === one || name.startsWith(`${one}.`));
}
