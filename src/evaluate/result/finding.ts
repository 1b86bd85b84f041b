import type { JsonValue } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Reason } from "../../model/verdict.ts";
import type { Finding } from "../checks/check.ts";
import { remedyFor } from "./remedies.ts";

export function pass(value: JsonValue, message: string): Finding {
  return { outcome: "pass", value, message };
}

/**
 * Returns a violation. Reasons are a parameter, because creating an object is faster than copying one.
 * @param spanIds ids of the spans that prove the violation
 */
export function violated(
  value: JsonValue,
  message: string,
  spanIds: readonly string[] = [],
  reasons?: readonly Reason[],
): Finding {
  if (reasons === undefined) return { outcome: "violated", value, message, spanIds };
  return { outcome: "violated", value, message, spanIds, reasons };
}

/** Returns a violation that later spans cannot undo, although they can undo other violations of the check. */
export function finallyViolated(
  value: JsonValue,
  message: string,
  spanIds: readonly string[] = [],
  reasons?: readonly Reason[],
): Finding {
  if (reasons === undefined) return { outcome: "violated", value, message, spanIds, final: true };
  return { outcome: "violated", value, message, spanIds, reasons, final: true };
}

/** Returns a finding that the check has nothing to evaluate, and why. */
export function skip(message: string, value: JsonValue = null): Finding {
  return { outcome: "skip", value, message };
}

/** Marks a finding as constant: the compiled check returns this object for many runs. */
export function known(finding: Finding): Finding {
  return { ...finding, known: true };
}

/** Exclusive upper bound of the numbers whose findings are cached, because counts of calls, loops and errors are usually small. */
const MOST_KNOWN = 64;

/** Returns `make` with a cache for numbers below `MOST_KNOWN`. */
export function knownByNumber(make: (number: number) => Finding): (number: number) => Finding {
  const made: (Finding | undefined)[] = [];
  return (number) => (number < MOST_KNOWN ? (made[number] ??= known(make(number))) : make(number));
}

/**
 * Returns a finding that evidence is missing, and the remedy.
 * @param field missing field of the run
 */
export function incomplete(field: string, message: string, run: AgentRun, value: JsonValue = null): Finding {
  return { outcome: "incomplete", value, message, missing: [field], remedy: remedyFor(field, run) };
}
