import type { Place } from "../node.ts";

/** An error or warning in a file of the user. Lines and columns count from 1; line 0 and column 0 mean the whole file. */
export interface Problem {
  /** Code, such as "spec/unknown-key" and "yaml/syntax". */
  readonly code: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Number of underlined characters, at least 1. */
  readonly length: number;
  /** One sentence: what is wrong, with the found and the expected value. */
  readonly message: string;
  /** How to fix the problem, or what is probably meant; null if this is not known. */
  readonly hint: string | null;
  readonly severity: "error" | "warning";
}

/** Creates an error at a position of a document. */
export function problemAt(place: Place, code: string, message: string, hint: string | null = null): Problem {
  return { code, ...place, message, hint, severity: "error" };
}

/** Creates a warning for valid text that is probably a mistake. */
export function warningAt(place: Place, code: string, message: string, hint: string | null = null): Problem {
  return { ...problemAt(place, code, message, hint), severity: "warning" };
}

/** Creates an error about a whole file, such as an unreadable file. */
export function fileProblem(
  file: string,
  code: string,
  message: string,
  hint: string | null = null,
): Problem {
  return problemAt({ file, line: 0, column: 0, length: 1 }, code, message, hint);
}

/** Returns each problem once. Files are in the order of their first problem; problems of a file are in the order of lines and columns. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const files = new Map<string, number>();
  const unique = new Map<string, Problem>();
  for (const problem of problems) {
    if (!files.has(problem.file)) files.set(problem.file, files.size);
    unique.set([problem.file, problem.line, problem.column, problem.message].join("\0"), problem);
  }
  const rank = (problem: Problem) => files.get(problem.file) ?? 0;
  return [...unique.values()].sort(
    (a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column || (a.message < b.message ? -1 : 1),
  );
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === "error");
}
