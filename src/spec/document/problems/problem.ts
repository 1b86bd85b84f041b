import type { Place } from "../node.ts";

/** One thing that is wrong, or doubtful, in a file people write. Line and column count from 1; 0 when the file as a whole is meant. */
export interface Problem {
  /** Reads like a path: `spec/unknown-key`, `yaml/syntax`. */
  readonly code: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** How many characters the caret line underlines; at least 1. */
  readonly length: number;
  /** Found and expected value in one sentence. */
  readonly message: string;
  /** Replacement text; null if no fix is certain. */
  readonly hint: string | null;
  readonly severity: "error" | "warning";
}

/** A problem at a place of a document. */
export function problemAt(place: Place, code: string, message: string, hint: string | null = null): Problem {
  return { code, ...place, message, hint, severity: "error" };
}

/** The same, for what is legal but probably not meant. */
export function warningAt(place: Place, code: string, message: string, hint: string | null = null): Problem {
  return { ...problemAt(place, code, message, hint), severity: "warning" };
}

/** A problem with a file as a whole, such as one that cannot be read. */
export function fileProblem(
  file: string,
  code: string,
  message: string,
  hint: string | null = null,
): Problem {
  return problemAt({ file, line: 0, column: 0, length: 1 }, code, message, hint);
}

/** Each problem once, by file in order of first mention, then line and column. */
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
