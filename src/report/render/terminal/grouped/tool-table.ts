import { printable, type Theme } from "../printable.ts";
import { sequenceDiff } from "../../diff/sequence-diff.ts";
import { brokenSequence, toolDiff } from "../../diff/tool-diff.ts";
import type { CheckJson, VerdictJson } from "../../../json/verdict-schema.ts";

const MOST_COMPARED = 200;
const MOST_ROWS = 16;
const WIDEST = 40;

/**
 * Returns the expected tools beside the called tools. If the spec expects no order, each line has a tool and
 * its number of calls.
 */
export function toolTable(
  verdict: VerdictJson,
  called: readonly (string | null)[],
  theme: Theme,
): readonly string[] {
  const sequence = brokenSequence(verdict);
  if (sequence !== null) return ["", ...toolDiff(sequence, called, theme)];
  const expected = expectedTools(verdict);
  const forbidden = forbiddenTools(verdict);
  const counts = new Map<string, number>();
  for (const name of called.slice(0, MOST_COMPARED))
    counts.set(name ?? "(unnamed)", (counts.get(name ?? "(unnamed)") ?? 0) + 1);
  const noneAllowed = checkOf(verdict, "max_tool_calls")?.limit === 0;
  const rows = expected.length > 0 ? sequenceDiff(expected, distinct(expected, counts)) : [];
  const listed =
    rows.length > 0
      ? rows
      : [...counts.keys()].map((name) => ({
          how: isFlagged(name) ? ("extra" as const) : ("same" as const),
          name,
        }));
  function isFlagged(name: string): boolean {
    return forbidden.has(name);
  }
  const width = Math.min(WIDEST, Math.max(10, ...expected.map((name) => name.length))) + 3;
  const calledText = (name: string): string => {
    const times = counts.get(name) ?? 0;
    return `${printable(name, WIDEST)}${times > 1 ? `  ×${times}` : ""}`;
  };
  const calledWidth = Math.max(...listed.map(({ name }) => calledText(name).length)) + 4;
  const lines = listed.slice(0, MOST_ROWS).map(({ how, name }, at) => {
    const text = calledText(name);
    const left =
      rows.length === 0 ? (at === 0 && noneAllowed ? "no tools" : "") : how === "extra" ? "" : name;
    if (how === "missing")
      return theme.bad(`   −  ${printable(left, WIDEST).padEnd(width)}`) + theme.dim("not called");
    if (forbidden.has(name))
      return theme.bad(`   −  ${left.padEnd(width)}${text.padEnd(calledWidth)}forbidden`);
    return `      ${printable(left, WIDEST).padEnd(width)}${text}`;
  });
  if (lines.length === 0) return [];
  const rest = listed.length - lines.length;
  return [
    "",
    theme.dim(`      ${"expected".padEnd(width)}called`),
    ...lines,
    ...(rest > 0 ? [theme.dim(`      … and ${rest} more`)] : []),
  ];
}

/** Returns each called tool once. Expected tools come first, in the order of the spec. */
function distinct(expected: readonly string[], counts: ReadonlyMap<string, number>): readonly string[] {
  const known = expected.filter((name) => counts.has(name));
  return [...known, ...[...counts.keys()].filter((name) => !expected.includes(name))];
}

function checkOf({ layers }: VerdictJson, name: string): CheckJson | undefined {
  return [...layers.correctness.checks, ...layers.path.checks].find(({ check }) => check === name);
}

function expectedTools(verdict: VerdictJson): readonly string[] {
  const limit = checkOf(verdict, "expected_tools")?.limit;
  return Array.isArray(limit) ? limit.filter((name) => typeof name === "string") : [];
}

function forbiddenTools(verdict: VerdictJson): ReadonlySet<string> {
  const reasons = checkOf(verdict, "forbidden_tools")?.reasons ?? [];
  return new Set(reasons.flatMap(({ actual }) => actual ?? []));
}
