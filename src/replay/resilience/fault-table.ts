import { groupBy } from "../../support/structures/group-by.ts";
import { textTable } from "../../report/render/terminal/text-table.ts";
import { dollars } from "../../evaluate/rules/text.ts";
import { duration, printable } from "../../report/render/terminal/printable.ts";
import { faultOutcomes } from "./fault-outcome.ts";
import type { FaultRow } from "./resilience-row.ts";

/** Returns a table for each query, and a summary with the number of runs by outcome. */
export function faultTable(rows: readonly FaultRow[]): string {
  const tables = Array.from(
    groupBy(rows, ({ queryId }) => queryId),
    ([id, own]) => tableOf(id, own),
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
  const lines = textTable(
    [head, ...cells],
    head.map(() => "left"),
  );
  return `${printable(id)}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}
