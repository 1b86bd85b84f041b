import { textTable } from "../terminal/text-table.ts";
import type { BaselineEntry } from "../../baseline/baseline-index.ts";
import { snakeCased } from "../../json/snake-case.ts";
import { printable, type Theme } from "../terminal/printable.ts";

/** Returns the output of `baselines --format json`. */
export function baselinesJson(entries: readonly BaselineEntry[]): object {
  return {
    format_version: 1,
    baselines: entries.map(({ file, baseline }) => {
      const { run: _, verdict, agent, queryId, query, ...others } = baseline;
      const saved = snakeCased({ agent, queryId, query, ...others });
      return { ...saved, outcome: verdict?.outcome ?? null, file };
    }),
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
  const [titles = "", ...lines] = textTable(
    [head, ...rows],
    head.map(() => "left"),
  );
  return `${[theme.dim(titles), ...lines].join("\n")}\n`;
}

function precheckText(passed: boolean | null): string {
  return passed === null ? "unknown" : passed ? "passed" : "failed";
}
