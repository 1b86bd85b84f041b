import type { Place } from "../node.ts";

/**
 * An error or warning in a file that people write. Lines and columns count from 1; line and column 0 mean
 * the whole file.
 */
export interface Problem {
  /** Code of the problem as a path: `spec/unknown-key`, `yaml/syntax`. */
  readonly code: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Number of underlined characters; at least 1. */
  readonly length: number;
  /** One sentence with the value that was found and the value that is expected. */
  readonly message: string;
  /** How to fix the problem; null if no fix is certain. */
  readonly hint: string | null;
  readonly severity: "error" | "warning";
}

/** Creates a problem at a position of a document. */
export function problemAt(place: Place, code: string, message: string, hint: string | null = null): Problem {
  return { code, ...place, message, hint, severity: "error" };
}

/** Creates a warning for valid text that is probably a mistake. */
export function warningAt(place: Place, code: string, message: string, hint: string | null = null): Problem {
  return { ...problemAt(place, code, message, hint), severity: "warning" };
}

/** Creates a problem that concerns a whole file, such as an unreadable file. */
export function fileProblem(
  file: string,
  code: string,
  message: string,
  hint: string | null = null,
): Problem {
  return problemAt({ file, line: 0, column: 0, length: 1 }, code, message, hint);
}

/**
 * Returns each problem once. Files are in the order in which they first occur; problems of a file are sorted
 * by line and column.
 */
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
