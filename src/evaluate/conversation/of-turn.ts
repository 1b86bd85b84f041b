import type { CheckResult } from "../../model/verdict.ts";

/** The same result, said of a turn, counted from 1. */
export function ofTurn(turn: number, result: CheckResult): CheckResult {
  return { ...result, turn, message: `turn ${turn}: ${result.message}` };
}
