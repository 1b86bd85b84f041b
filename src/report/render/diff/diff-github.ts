import type { Difference } from "../../baseline/differences/difference.ts";
import type { DiffReport, QueryDiff } from "../../baseline/diff.ts";
import { printable } from "../terminal/printable.ts";
import { workflowCommand } from "../formats/workflow-command.ts";

/** GitHub displays at most ten warnings of a step. */
const MOST_WARNINGS = 10;

/**
 * Returns GitHub workflow commands. Each error, and each of the first ten warnings, is an annotation at the query's line in the spec. If
 * the exit code is not 0, another annotation has the reason.
 */
export function diffGithub(report: DiffReport, exitCode: number): string {
  const found = report.queries.flatMap((diff) =>
    diff.differences.map((difference) => ({ diff, difference })),
  );
  const errors = found.filter(({ difference }) => difference.severity === "error");
  const warnings = found.filter(({ difference }) => difference.severity === "warn");
  const lines = [...errors, ...warnings.slice(0, MOST_WARNINGS)].map(({ diff, difference }) =>
    annotation(report, diff, difference),
  );
  const rest = warnings.length - MOST_WARNINGS;
  if (rest > 0)
    lines.push(workflowCommand("notice", {}, `${rest} more warnings are in the output of the diff`));
  if (exitCode !== 0) {
    const regressed = report.queries.filter((diff) => diff.regressed).map(({ queryId }) => queryId);
    const failing = report.failingOnlyInCompare.map(
      (name) => `${printable(name, 60)} (not in the older version)`,
    );
    const worse = [...regressed, ...failing];
    const other = exitCode === 1 ? "differences found (--fail-on)" : "not every query could be compared";
    const message = worse.length > 0 ? `regressed: ${worse.join(", ")}` : other;
    lines.push(
      workflowCommand("error", { title: `Tracejury: ${report.baseline} → ${report.compare}` }, message),
    );
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** The level is `error` for an error of a regressed query, otherwise `warning`. */
function annotation(report: DiffReport, diff: QueryDiff, { type, severity, message }: Difference): string {
  const { source } = diff;
  const place = source === null ? {} : { file: source.file, line: source.line, col: source.column };
  const title = `${type} · ${printable(diff.agent)} · ${printable(diff.queryId, 60)} (${report.baseline} → ${report.compare})`;
  const level = severity === "error" && diff.regressed ? "error" : "warning";
  return workflowCommand(level, { ...place, title }, message);
}
