import type { ExitRules } from "../../src/report/render/tally/exit-code.ts";
import { type Findings, testResult, type TestResult } from "../../src/report/render/json/result.ts";

/** Rules of `test` without options. */
const strictRules: ExitRules = {
  onIncomplete: "error",
  onMissing: "error",
  failOnWarn: false,
  skipInvalid: false,
};

/** A result with the given findings. By default it has one run and one query. */
export function resultOf(found: Partial<Findings>, rules: Partial<ExitRules> = {}): TestResult {
  const findings: Findings = {
    version: "0.0.0",
    specs: [{ file: "specs/rag-agent.yaml", hash: "0123456789ab", agent: "rag-agent" }],
    runs: 1,
    queries: 1,
    verdicts: [],
    missing: [],
    unmatched: [],
    ambiguous: [],
    invalidInput: [],
    ...found,
  };
  return testResult(findings, { ...strictRules, ...rules });
}
