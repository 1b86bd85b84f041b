import { sha256 } from "../../../support/structures/sha256.ts";
import { type Problem, problemsOf } from "../problems/problems.ts";
import type { TestResult } from "../json/result.ts";

/** GitLab's code quality report: a JSON array, a finding for each place of a spec and message, in the order of the problems. */
export function gitlabReport(result: TestResult): string {
  const findings = new Map<string, object>();
  for (const problem of problemsOf(result)) findings.set(...finding(problem, result));
  return `${JSON.stringify([...findings.values()], null, 2)}\n`;
}

/** The same over runs of the same spec, so that GitLab shows what is new. */
function finding(problem: Problem, { specs }: TestResult): readonly [fingerprint: string, object] {
  const { rule, spec, queryId, message, title, level, source } = problem;
  const path = source?.file ?? specs[0]?.file ?? "tracejury";
  const fingerprint = sha256(JSON.stringify([rule, path, spec, queryId, message]));
  const issue = {
    description: `${title}: ${message}`,
    check_name: rule,
    fingerprint,
    severity: level === "error" ? "major" : "minor",
    location: { path, lines: { begin: source?.line ?? 1 } },
  };
  return [fingerprint, issue];
}
