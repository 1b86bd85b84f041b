import type { Problem } from "./problem.ts";

/** Replacement for the underlined text of a problem. */
export interface Fix {
  readonly problem: Problem;
  readonly before: string;
  readonly after: string;
}

/** Hints that name the very text to write; other hints leave a choice to the author. */
const replacements: readonly RegExp[] = [
  /^did you mean `([^`]+)`\?$/,
  /^did you mean "([^"]+)"\?$/,
  /^this is called `([^`]+)` here$/,
  /^write a list: (\[.*\])$/,
  /^put it in quotes: (".*")$/,
  /^without quotes: (\S+)$/,
  /^as a share of 1: (\S+)$/,
  /^`([^`]+)` means the same with every preset/,
];

/** Certain fixes of a file's problems: those whose hint is the text to write. */
export function fixesOf(text: string, problems: readonly Problem[]): readonly Fix[] {
  const lines = text.split("\n");
  return problems.flatMap((problem) => {
    const after = replacementOf(problem);
    const line = lines[problem.line - 1];
    if (after === undefined || line === undefined) return [];
    const before = line.slice(problem.column - 1, problem.column - 1 + problem.length);
    return before.length === problem.length && before !== after ? [{ problem, before, after }] : [];
  });
}

function replacementOf({ hint }: Problem): string | undefined {
  if (hint === null) return undefined;
  return replacements.map((pattern) => pattern.exec(hint)?.[1]).find((found) => found !== undefined);
}

/** The text with fixes in it, comments and formatting as they were. Of two that overlap the first is made. */
export function applyFixes(text: string, fixes: readonly Fix[]): string {
  const lines = text.split("\n");
  const backwards = [...fixes].sort(
    (a, b) => b.problem.line - a.problem.line || b.problem.column - a.problem.column,
  );
  for (const { problem, after } of backwards) {
    const line = lines[problem.line - 1] ?? "";
    const start = problem.column - 1;
    lines[problem.line - 1] = line.slice(0, start) + after + line.slice(start + problem.length);
  }
  return lines.join("\n");
}

/** Tabs at the beginning of lines as two blanks each: YAML allows none there. */
export function withoutTabs(text: string): string {
  return text.replaceAll(/^[ \t]+/gm, (indent) => indent.replaceAll("\t", "  "));
}
