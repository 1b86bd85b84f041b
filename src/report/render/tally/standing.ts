import type { Outcome } from "../../../model/outcome.ts";
import type { Relaxation } from "./exit-code.ts";
import { decidedOf, type ReportedVerdict } from "../findings/reported.ts";
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
  return (reported, outcome = decidedOf(reported).outcome) => {
    if (outcome === "pass") return "passed";
    if (outcome === "skip") return "skipped";
    if (outcome === "warn" && !rules.failOnWarn) return "warned";
    if (known?.compare(reported.verdict) === "covered") return "warned";
    // What else could not be determined does not count where the failure is decided, and expected.
    if (isExpectedFailure(reported.verdict)) return "warned";
    switch (outcome) {
      case "error":
        return "error";
      case "fail":
        return alone(reported) ? "failed" : "warned";
      case "warn":
        return isAccepted(reported.verdict) ? "warned" : "failed";
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
