import { fingerprintOf } from "../problems/fingerprint.ts";
import { type ReportedProblem, reportedProblems } from "../problems/reported-problems.ts";
import type { TestResult } from "../json/result.ts";

/**
 * Returns GitLab's code quality report, a JSON array. Problems with the same rule, file, query and message,
 * apart from numbers in the message, are one entry.
 */
export function gitlabReport(result: TestResult): string {
  const findings = new Map<string, object>();
  for (const problem of reportedProblems(result)) {
    const [fingerprint, issue] = finding(problem, result);
    if (!findings.has(fingerprint)) findings.set(fingerprint, issue);
  }
  return `${JSON.stringify([...findings.values()], null, 2)}\n`;
}

const severities: Readonly<Record<ReportedProblem["level"], string>> = {
  error: "major",
  warning: "minor",
  note: "info",
};

function finding(problem: ReportedProblem, { specs }: TestResult): readonly [fingerprint: string, object] {
  const { rule, message, title, level, source } = problem;
  const path = source?.file ?? specs[0]?.file ?? "tracejury";
  const fingerprint = fingerprintOf(problem, path);
  const issue = {
    description: `${title}: ${message}`,
    check_name: rule,
    fingerprint,
    severity: severities[level],
    location: { path, lines: { begin: source?.line ?? 1 } },
  };
  return [fingerprint, issue];
}
