import type { JsonValue } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Reason } from "../../model/verdict.ts";
import type { Finding } from "../checks/check.ts";
import { remedyFor } from "./remedies.ts";

export function pass(value: JsonValue, message: string): Finding {
  return { outcome: "pass", value, message };
}

/**
 * Returns the finding that a check is violated. Reasons are an argument, because copying a finding is slower
 * than creating it.
 * @param spanIds ids of the spans that are the evidence
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

/** Returns a violation that missing spans cannot undo. Other violations of the same check can be undone. */
export function finallyViolated(
  value: JsonValue,
  message: string,
  spanIds: readonly string[] = [],
  reasons?: readonly Reason[],
): Finding {
  if (reasons === undefined) return { outcome: "violated", value, message, spanIds, final: true };
  return { outcome: "violated", value, message, spanIds, reasons, final: true };
}

/** Returns the finding that the check has nothing to evaluate, with the reason. */
export function skip(message: string, value: JsonValue = null): Finding {
  return { outcome: "skip", value, message };
}

/** Marks a finding that a compiled check returns for many runs. */
export function known(finding: Finding): Finding {
  return { ...finding, known: true };
}

/** Number below which findings are cached. Counts of calls, loops and errors are usually small. */
const MOST_KNOWN = 64;

/** Returns `make` with a cache of its findings for numbers below `MOST_KNOWN`. */
export function knownByNumber(make: (number: number) => Finding): (number: number) => Finding {
  const made: (Finding | undefined)[] = [];
  return (number) => (number < MOST_KNOWN ? (made[number] ??= known(make(number))) : make(number));
}

/**
 * Returns the finding that evidence is missing, with a remedy.
 * @param field field of the run that is missing
 */
export function incomplete(field: string, message: string, run: AgentRun, value: JsonValue = null): Finding {
  return { outcome: "incomplete", value, message, missing: [field], remedy: remedyFor(field, run) };
}
