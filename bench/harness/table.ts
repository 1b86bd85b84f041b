import type { Result } from "./result.ts";

/** Minimum widths of the columns; a longer cell shifts the cells after it. */
const widths = [6, 31, 10, 13, 9, 6] as const;
const headings = ["goal", "figure", "median", "spread", "asked", "", "what"];

export const heading = line(headings);

/** A result as a row of the table. */
export function lineOf({ name, row, value, unit, goal, holds, spread, what }: Result): string {
  const held = holds === null ? "" : holds ? "holds" : "MISSED";
  const [low, high] = spread;
  return line([
    row ?? "",
    name,
    `${number(value)} ${unit}`.trimEnd(),
    `${number(low)}–${number(high)}`,
    goal ?? "",
    held,
    what,
  ]);
}

function line(cells: readonly string[]): string {
  return cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
}

export function number(value: number): string {
  if (Number.isNaN(value)) return "?";
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/**
 * Whether `--only` selects a figure. A name selects the figure of this name and all figures that start with it and a dot. Without names,
 * all figures are selected.
 */
export function isWanted(name: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((one) => name === one || name.startsWith(`${one}.`));
}

/** Like `isWanted`, but a figure can also be selected by its goal. */
export function isAsked(name: string, row: string | null, only: readonly string[]): boolean {
  return isWanted(name, only) || (row !== null && only.includes(row));
}
