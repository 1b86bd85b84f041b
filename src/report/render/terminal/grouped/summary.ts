import { notJudgedLine } from "../not-judged-line.ts";
import { counted } from "../printable.ts";
import type { TestResult } from "../../json/result.ts";
import { judgeLine } from "../judge-line.ts";
import { savingLine } from "../saving-line.ts";
import type { Theme } from "../theme.ts";

/** Returns lines with the number of verdicts by outcome, and the exit code. */
export function summaryLines(result: TestResult, theme: Theme): readonly string[] {
  const { summary, exit, tally } = result;
  const counts: readonly (readonly [number, string, (text: string) => string])[] = [
    [summary.failed, "failed", theme.bad],
    [summary.errors, summary.errors === 1 ? "error" : "errors", theme.unsure],
    [summary.incomplete, "incomplete", theme.unsure],
    [summary.warnings, summary.warnings === 1 ? "warning" : "warnings", theme.unsure],
    [summary.passed, "passed", theme.good],
    [summary.skipped, "skipped", theme.dim],
  ];
  const shown = counts.filter(([count]) => count > 0).map(([count, word, show]) => show(`${count} ${word}`));
  const verdicts = `${counted(summary.total, "verdict")}${shown.length > 0 ? `: ${shown.join(", ")}` : ""}`;
  const lines = [
    `${verdicts} · ${counted(summary.runs, "run")}, ${summary.unmatched} unmatched, ${summary.ambiguous} ambiguous · ${counted(summary.missing, "missing query", "missing queries")}`,
  ];
  if (tally.unknownIds > 0)
    lines.push(
      theme.dim(
        `${counted(tally.unknownIds, "run")} with a query id that the spec lacks: matched by the text of the query, or by "*"`,
      ),
    );
  const notJudged = notJudgedLine(tally.notJudged, summary.total, "verdicts");
  if (notJudged !== null) lines.push(theme.unsure(notJudged));
  const judges = judgeLine(result.judging);
  if (judges !== null) lines.push(theme.dim(judges));
  const why = exit.reasons.length === 0 ? "" : `: ${exit.reasons.join(", ")}`;
  const show = exit.code === 0 ? theme.good : exit.code === 1 ? theme.bad : theme.unsure;
  lines.push(show(`exit ${exit.code}${why}`));
  // A test with exit code 2 must be repeated, so recorded answers saved nothing.
  if (result.models !== undefined && result.models.runs > 0 && exit.code !== 2)
    lines.push(theme.dim(savingLine(result.models)));
  return lines;
}
