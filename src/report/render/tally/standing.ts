import type { Outcome } from "../../../model/outcome.ts";
import type { Relaxation } from "./exit-code.ts";
import type { ReportedVerdict } from "../findings/reported.ts";
import type { TestResult } from "../json/result.ts";
import type { VerdictJson } from "../../json/verdict-schema.ts";
import { countsAlone, isAccepted } from "./tally.ts";

/** Effect of a verdict on the exit code: none, 1 or 2. `doubtful` is an undecided verdict that the user accepts. */
export type Standing = "passed" | "warned" | "doubtful" | "skipped" | "failed" | "error";

/** How verdicts and checks count in a result, by its rules and its reliability gates. */
export function standingIn(result: TestResult): (reported: ReportedVerdict, outcome?: Outcome) => Standing {
  const alone = countsAlone(result.groups);
  const { rules } = result;
  const { known } = rules;
  return (reported, outcome = reported.verdict.outcome) => {
    const old = known?.compare(reported.verdict) === "covered";
    if (old && outcome !== "pass" && outcome !== "skip") return "warned";
    // Undecided checks do not count if an expected failure is decided.
    if (isExpectedFailure(reported.verdict) && outcome !== "pass" && outcome !== "skip") return "warned";
    switch (outcome) {
      case "pass":
        return "passed";
      case "skip":
        return "skipped";
      case "error":
        return "error";
      case "fail":
        return alone(reported) ? "failed" : "warned";
      case "warn":
        return rules.failOnWarn && !isAccepted(reported.verdict) ? "failed" : "warned";
      case "incomplete":
        return relaxed(rules.onIncomplete);
    }
  };
}

/** Whether the run failed as its query's `expected_fail` predicts. */
export function isExpectedFailure({ expected_fail: expected, outcome }: VerdictJson): boolean {
  return expected === true && outcome === "warn";
}

/** The effect of a could-not-tell under the user's setting. */
export function relaxed(rule: Relaxation): Standing {
  return rule === "error" ? "error" : rule === "fail" ? "failed" : "doubtful";
}
