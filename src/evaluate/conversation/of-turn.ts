import type { CheckResult } from "../../model/verdict.ts";

/** Returns the result with the number of its turn, from 1. */
export function ofTurn(turn: number, result: CheckResult): CheckResult {
  return { ...result, turn, message: `turn ${turn}: ${result.message}` };
}
