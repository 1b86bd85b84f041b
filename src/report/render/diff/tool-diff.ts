import { printable, type Theme } from "../terminal/printable.ts";
import { sequenceDiff } from "./sequence-diff.ts";
import type { VerdictJson } from "../../json/verdict-schema.ts";

/**
 * Returns the expected tool sequence if the check `expected_tool_sequence` warned or failed, otherwise null.
 */
export function brokenSequence({ layers }: VerdictJson): readonly string[] | null {
  const broken = layers.path.checks.find(
    ({ check, outcome }) => check === "expected_tool_sequence" && (outcome === "warn" || outcome === "fail"),
  );
  const limit = broken?.limit;
  return Array.isArray(limit) && limit.every((name) => typeof name === "string") ? limit : null;
}

const MOST_COMPARED = 200;
const MOST_SHOWN = 24;
const NARROWEST = 12;
const WIDEST = 40;

/**
 * Returns the expected and the actual tool calls in two columns. Consecutive extra calls of one tool share a
 * line.
 */
export function toolDiff(
  expected: readonly string[],
  tools: readonly (string | null)[],
  theme: Theme,
): readonly string[] {
  const called = tools.slice(0, MOST_COMPARED).map((name) => name ?? "(unnamed)");
  const wanted = expected.slice(0, MOST_COMPARED);
  const rows = folded(sequenceDiff(wanted, called));
  const width = Math.min(WIDEST, Math.max(NARROWEST, ...wanted.map((name) => name.length)) + 2);
  const lines = rows.slice(0, MOST_SHOWN).map(({ how, name, count }) => {
    const text = printable(name, WIDEST) + (count > 1 ? ` ×${count}` : "");
    if (how === "same") return `                  ${text.padEnd(width)}${text}`;
    if (how === "missing") return theme.bad(`                - ${text}`);
    return theme.unsure(`                + ${" ".repeat(width)}${text}`);
  });
  const rest = rows.length - lines.length + (tools.length - called.length);
  return [
    theme.dim(`   tools          ${"expected".padEnd(width)}happened`),
    ...lines,
    ...(rest > 0 ? [theme.dim(`                  … and ${rest} more`)] : []),
  ];
}

type Row = Pick<ReturnType<typeof sequenceDiff>[number], "how" | "name"> & { readonly count: number };

function folded(lines: ReturnType<typeof sequenceDiff>): readonly Row[] {
  const rows: Row[] = [];
  for (const { how, name } of lines) {
    const last = rows.at(-1);
    if (how === "extra" && last?.how === "extra" && last.name === name) {
      rows[rows.length - 1] = { ...last, count: last.count + 1 };
    } else rows.push({ how, name, count: 1 });
  }
  return rows;
}
