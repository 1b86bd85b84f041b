import type { CalibratedLimit, CalibratedQuery } from "../../../authoring/calibrate.ts";
import { grouped } from "../../../evaluate/rules/text.ts";
import { snakeCased } from "../../json/snake-case.ts";
import { counted, printable, type Theme } from "../terminal/printable.ts";

export function calibrateJson(queries: readonly CalibratedQuery[]): object {
  return { format_version: 1, queries: snakeCased(queries) };
}

/**
 * Returns the console output of `calibrate`: a table for each query, with current limits, observed values and
 * proposed limits.
 */
export function calibrateConsole(queries: readonly CalibratedQuery[], theme: Theme): string {
  if (queries.length === 0) return "no run matches a query of the spec\n";
  const sections = queries.map(({ spec, queryId, runs, limits }) =>
    [
      `${printable(spec)} · ${printable(queryId)} (${counted(runs, "run")})`,
      theme.dim(
        `   ${"limit".padEnd(18)}${"written".padStart(12)}${"seen".padStart(12)}${"proposed".padStart(12)}`,
      ),
      ...limits.map((limit) => row(limit, theme)),
    ].join("\n"),
  );
  return `${sections.join("\n\n")}\n`;
}

function row({ key, written, observed, proposed, fit }: CalibratedLimit, theme: Theme): string {
  const cell = (value: number | null): string => (value === null ? "—" : shown(value)).padStart(12);
  const text = `   ${key.padEnd(18)}${cell(written)}${cell(observed)}${cell(proposed)}  ${fit}`;
  if (fit === "tight") return theme.bad(text);
  return fit === "loose" ? theme.unsure(text) : fit === "fits" ? theme.good(text) : theme.dim(text);
}

function shown(value: number): string {
  return value !== 0 && Math.abs(value) < 1 ? String(Number(value.toPrecision(3))) : grouped(value);
}
