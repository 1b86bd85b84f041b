import type { BaselineEntry } from "../../baseline/baseline-index.ts";
import { snakeCased } from "../../json/snake-case.ts";
import { printable, type Theme } from "../terminal/printable.ts";

/** Returns the output of `baselines --format json`. */
export function baselinesJson(entries: readonly BaselineEntry[]): object {
  return {
    format_version: 1,
    baselines: entries.map(({ file, baseline: { run: _, verdict, ...baseline } }) => ({
      ...snakeCased(baseline),
      outcome: verdict?.outcome ?? null,
      file,
    })),
  };
}

const head = ["agent", "query", "version", "saved", "model", "correctness", "file"];

export function baselinesConsole(entries: readonly BaselineEntry[], theme: Theme): string {
  if (entries.length === 0) return "";
  const rows = entries.map(({ file, baseline }) => [
    printable(baseline.agent, 40),
    printable(baseline.queryId ?? baseline.query ?? "?", 40),
    `${printable(baseline.version, 40)}${baseline.variant > 1 ? `~${baseline.variant}` : ""}`,
    printable(baseline.capturedAt?.slice(0, 19).replace("T", " ") ?? "?", 30),
    printable(baseline.metadata.model ?? "?", 40),
    precheckText(baseline.metadata.precheckPassed),
    printable(file, 200),
  ]);
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === cells.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join("  ");
  return `${[theme.dim(line(head)), ...rows.map(line)].join("\n")}\n`;
}

function precheckText(passed: boolean | null): string {
  return passed === null ? "unknown" : passed ? "passed" : "failed";
}
