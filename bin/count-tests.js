#!/usr/bin/env node
// Prints `N passed, N failed` from vitest's JSON report; exits with code 1 if a test failed, or if there is no report or no test in the
// report.
import { readFileSync } from "node:fs";

const file = process.argv[2] ?? ".vitest/results.json";
try {
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(file, "utf8"));
  const failed = Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0);
  console.log(`${numPassedTests} passed, ${failed} failed`);
  process.exit(numPassedTests > 0 && failed === 0 ? 0 : 1);
} catch (error) {
  console.error(`no test report in ${file}: ${error instanceof Error ? error.message : String(error)}`);
  console.log("0 passed, 1 failed");
  process.exit(1);
}
