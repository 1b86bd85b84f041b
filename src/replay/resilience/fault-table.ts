import { dollars } from "../../evaluate/rules/text.ts";
import { duration, printable } from "../../report/render/terminal/printable.ts";
import { faultOutcomes } from "./fault-outcome.ts";
import type { FaultRow } from "./resilience-row.ts";

/** Returns a table for each query, and a summary with the number of runs by outcome. */
export function faultTable(rows: readonly FaultRow[]): string {
  const queries = [...new Set(rows.map(({ queryId }) => queryId))];
  const tables = queries.map((id) =>
    tableOf(
      id,
      rows.filter(({ queryId }) => queryId === id),
    ),
  );
  const counts = [...faultOutcomes, "undecided" as const]
    .map((outcome) => ({ outcome, count: rows.filter((row) => row.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count} ${outcome}`);
  return `${tables.join("\n")}\n${counts.join(", ")}\n`;
}

function tableOf(id: string, rows: readonly FaultRow[]): string {
  const head = ["fault", "outcome", "model calls", "cost", "time", ""];
  const cells = rows.map(
    ({ fault, outcome, verdicts, modelCalls, costUsd, durationMs, why, expected, met }) => [
      fault ?? "none",
      outcome ?? (verdicts.join(", ") || "no verdict"),
      String(modelCalls),
      costUsd === null ? "unknown" : dollars(costUsd),
      durationMs === null ? "" : duration(durationMs),
      [printable(why, 100), met === false ? `expected: ${expected}` : ""].filter(Boolean).join("; "),
    ],
  );
  const widths = head.map((title, at) => Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`.trimEnd();
  return `${printable(id)}\n${[head, ...cells].map(line).join("\n")}\n`;
}
