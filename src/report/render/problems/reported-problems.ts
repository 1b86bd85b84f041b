import type { TestResult } from "../json/result.ts";
import { printable } from "../terminal/printable.ts";
import { type Problem, problem, problemsOf } from "./problems.ts";

/**
 * A problem or a note. A note is about runs or checks without a verdict, and does not affect the exit code.
 */
export type ReportedProblem = Omit<Problem, "level"> & { readonly level: Problem["level"] | "note" };

const MOST_REASONS = 20;
const LONGEST_REASON = 400;

/**
 * Yields problems and notes for formats that programs read. If the exit code is not 0 but no problem is an
 * error, yields an error with the reasons of the exit code.
 */
export function* reportedProblems(result: TestResult): Generator<ReportedProblem> {
  let hasError = false;
  for (const one of problemsOf(result)) {
    hasError ||= one.level === "error";
    yield one;
  }
  const { code, reasons } = result.exit;
  if (code !== 0 && !hasError)
    yield problem("exit_code", `exit code ${code}`, printable(reasons.join(", "), LONGEST_REASON));
  yield* notesOf(result);
}

/** Returns a note for each check that an option left out, and for each reason why runs match no query. */
export function notesOf({ tally, unmatched, summary }: TestResult): readonly ReportedProblem[] {
  const leftOut = tally.notJudged.map(({ check, reason, verdicts }) =>
    note("not_judged", printable(check), `in ${verdicts} of ${summary.total} verdicts: ${reason}`),
  );
  const counts = new Map<string, number>();
  for (const { reason } of unmatched) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const kinds = [...counts].sort((a, b) => b[1] - a[1]);
  const shown = kinds
    .slice(0, MOST_REASONS)
    .map(([reason, count]) => `${count} of ${summary.runs} runs: ${reason}`);
  const more = kinds.length - shown.length;
  const texts = more > 0 ? [...shown, `${more} more reasons`] : shown;
  return [
    ...leftOut,
    ...texts.map((text) => note("unmatched_run", "runs without a query", printable(text, LONGEST_REASON))),
  ];
}

function note(rule: string, title: string, message: string): ReportedProblem {
  return { ...problem(rule, title, message), level: "note" };
}
