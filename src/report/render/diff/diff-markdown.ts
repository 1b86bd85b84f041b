import type { DiffReport, QueryDiff } from "../../baseline/diff.ts";
import type { Change } from "../../baseline/differences/tiers.ts";
import { dollars, grouped } from "../../../evaluate/rules/text.ts";
import { withinTolerance } from "./diff-console.ts";
import { code, plain } from "../formats/markdown-text.ts";
import { counted } from "../terminal/printable.ts";

/** Hidden text in the pull request comment. By this text, a later diff finds the comment that it replaces. */
const DIFF_MARKER = "<!-- tracejury-diff -->";

const MOST_QUERIES = 50;
const MOST_DIFFERENCES = 20;
const LONGEST = 60_000;

/** Returns the output of `diff` as a Markdown comment for a pull request. Regressed queries come first. */
export function diffMarkdown(report: DiffReport, exitCode: number): string {
  const changed = report.queries.filter(({ differences }) => differences.length > 0);
  const word = ["✅ nothing regressed", "❌ failed", "❓ undecided"][exitCode] ?? "";
  const head = `## Tracejury diff: ${word}\n\n${code(report.baseline)} → ${code(report.compare)}: ${counted(report.queries.length, "query", "queries")} compared, **${changed.length}** changed, **${changed.filter((diff) => diff.regressed).length}** regressed, **${changed.filter((diff) => diff.improved).length}** improved`;
  const sections = [...changed.filter((diff) => diff.regressed), ...changed.filter((diff) => !diff.regressed)]
    .slice(0, MOST_QUERIES)
    .map(section);
  const rest = changed.length > MOST_QUERIES ? [`… and ${changed.length - MOST_QUERIES} more`] : [];
  const only = [
    ...onlyIn(report.baseline, report.onlyInBaseline),
    ...onlyIn(report.compare, report.onlyInCompare),
    ...report.failingOnlyInCompare.map(
      (name) => `❌ ${code(name, 90)} fails; the older version has no run of this query`,
    ),
  ];
  return `${[DIFF_MARKER, head, ...sections, ...rest, ...only].join("\n\n").slice(0, LONGEST)}\n`;
}

function section(diff: QueryDiff): string {
  const { tiers, differences } = diff;
  const { correctness, path, cost } = tiers.layers;
  const table = [
    `| correctness | ${correctness.before ?? "—"} | ${correctness.after ?? "—"} | |`,
    `| path | ${path.before ?? "—"} | ${path.after ?? "—"} | |`,
    ...rows(tiers.path),
    `| cost | ${cost.before ?? "—"} | ${cost.after ?? "—"} | |`,
    ...rows(tiers.cost),
  ];
  const shown = differences.slice(0, MOST_DIFFERENCES).map(({ type, severity, message }) => {
    const sign = severity === "error" ? "❌" : severity === "warn" ? "⚠️" : "ℹ️";
    return `- ${sign} ${code(type)} ${plain(message, 500)}`;
  });
  const lost = diff.lost.length === 0 ? [] : [`- ❓ unknown in the newer run: ${diff.lost.join(", ")}`];
  const open = diff.regressed ? " open" : "";
  const title = `<details${open}><summary>${diff.regressed ? "❌" : diff.improved ? "✅" : "🔀"} ${code(diff.query ?? diff.queryId, 90)} ${plain(diff.agent)}</summary>`;
  return [
    title,
    "",
    "| | before | after | |",
    "|---|--:|--:|--:|",
    ...table,
    "",
    ...lost,
    ...shown,
    "",
    "</details>",
  ].join("\n");
}

/** Returns a table row for each measure whose displayed values differ, and one row that names all unchanged measures. */
function rows(measures: Readonly<Record<string, Change>>): readonly string[] {
  const entries = Object.entries(measures);
  const isEqual = (name: string, { direction, before, after }: Change): boolean =>
    direction === "same" && valueText(name, before) === valueText(name, after);
  const same = entries.filter(([name, change]) => isEqual(name, change));
  return [
    ...entries.flatMap(([name, change]) => (isEqual(name, change) ? [] : [row(name, change)])),
    ...(same.length === 0
      ? []
      : [`| unchanged: ${same.map(([name]) => name.replaceAll("_", " ")).join(", ")} | | | |`]),
  ];
}

function row(name: string, { before, after, percent, direction }: Change): string {
  const percentage =
    percent === null || percent === 0 ? "" : `${percent > 0 ? "+" : "−"}${Math.abs(percent).toFixed(1)} %`;
  const moved = direction === "same" ? `${percentage} (${withinTolerance})` : percentage;
  return `| ${name.replaceAll("_", " ")} | ${valueText(name, before)} | ${valueText(name, after)} | ${moved} |`;
}

function valueText(name: string, value: number | null): string {
  if (value === null) return "—";
  if (name === "cost_usd") return plain(dollars(value));
  return grouped(name === "latency_ms" ? Math.round(value) : value);
}

function onlyIn(version: string, names: readonly string[]): string[] {
  return names.length === 0
    ? []
    : [`Only in ${code(version)}: ${names.map((name) => code(name)).join(", ")}`];
}
