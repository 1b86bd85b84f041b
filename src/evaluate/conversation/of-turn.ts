import type { CheckResult } from "../../model/verdict.ts";

/** The same result with its turn, counted from 1. */
export function ofTurn(turn: number, result: CheckResult): CheckResult {
  return { ...result, turn, message: `turn ${turn}: ${result.message}` };
}
