import type { Problem } from "./problem.ts";
import { isCertainName } from "./suggest.ts";

/** A replacement for the underlined text of a problem. */
export interface Fix {
  readonly problem: Problem;
  readonly before: string;
  readonly after: string;
}

/** Hints with a similar name. The name is a fix only if `isCertainName` accepts it. */
const nearNames: readonly RegExp[] = [/^did you mean `([^`]+)`\?$/, /^did you mean "([^"]+)"\?$/];
/** Hints with the exact replacement. A hint that matches neither `replacements` nor `nearNames` gives no fix. */
const replacements: readonly RegExp[] = [
  /^this is called `([^`]+)` here$/,
  /^write a list: (\[.*\])$/,
  /^put it in quotes: (".*")$/,
  /^without quotes: (\S+)$/,
  /^as a share of 1: (\S+)$/,
  /^`([^`]+)` means the same with every preset/,
];

/** Returns the fixes of all problems whose hint allows only one replacement. */
export function fixesOf(text: string, problems: readonly Problem[]): readonly Fix[] {
  const lines = text.split("\n");
  return problems.flatMap((problem) => {
    const line = lines[problem.line - 1];
    if (line === undefined) return [];
    const before = line.slice(problem.column - 1, problem.column - 1 + problem.length);
    const after = replacementOf(problem, before);
    if (after === undefined) return [];
    return before.length === problem.length && before !== after ? [{ problem, before, after }] : [];
  });
}

function replacementOf({ hint }: Problem, before: string): string | undefined {
  if (hint === null) return undefined;
  const name = captured(nearNames, hint);
  if (name !== undefined) return isCertainName(before, name) ? name : undefined;
  return captured(replacements, hint);
}

function captured(patterns: readonly RegExp[], hint: string): string | undefined {
  return patterns.map((pattern) => pattern.exec(hint)?.[1]).find((found) => found !== undefined);
}

/** Applies fixes. If fixes overlap, only the fix that is last in the text is applied. Comments and formatting are not changed. */
export function applyFixes(text: string, fixes: readonly Fix[]): string {
  const lines = text.split("\n");
  const backwards = [...fixes].sort(
    (a, b) => b.problem.line - a.problem.line || b.problem.column - a.problem.column,
  );
  let applied: Problem | undefined;
  for (const { problem, after } of backwards) {
    const overlaps = problem.line === applied?.line && problem.column + problem.length > applied.column;
    if (overlaps) continue;
    applied = problem;
    const line = lines[problem.line - 1] ?? "";
    const start = problem.column - 1;
    lines[problem.line - 1] = line.slice(0, start) + after + line.slice(start + problem.length);
  }
  return lines.join("\n");
}

/** Replaces tabs in indentation, which YAML forbids, by two spaces each. */
export function withoutTabs(text: string): string {
  return text.replaceAll(/^[ \t]+/gm, (indent) => indent.replaceAll("\t", "  "));
}
