import { isFallen, type RunCounts } from "../../statistics/compare/fallen-rate.ts";
import type { Side } from "../side.ts";
import type { Difference } from "./difference.ts";

/**
 * Returns a difference if the pass rate of the newer runs is significantly lower than that of the older runs.
 * Otherwise returns undefined.
 */
export function fallenRate(before: readonly Side[], after: readonly Side[]): Difference | undefined {
  const [old, now] = [countsOf(before), countsOf(after)];
  if (!isFallen(old, now)) return undefined;
  const said = ({ failed, runs }: RunCounts): string => `${failed} of ${runs} runs`;
  return {
    type: "REGRESSION",
    severity: "error",
    layer: "correctness",
    message: `${said(now)} fail, ${said(old)} before`,
    before: old.failed / old.runs,
    after: now.failed / now.runs,
  };
}

function countsOf(sides: readonly Side[]): RunCounts {
  const outcomes = sides.flatMap(({ judged }) => judged?.outcome ?? []);
  const failed = outcomes.filter((outcome) => outcome === "fail").length;
  const passed = outcomes.filter((outcome) => outcome === "pass" || outcome === "warn").length;
  return { failed, runs: failed + passed };
}
