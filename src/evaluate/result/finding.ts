import type { JsonValue } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Reason } from "../../model/verdict.ts";
import type { Finding } from "../checks/check.ts";
import { remedyFor } from "./remedies.ts";

/** Returns a finding that the rule holds. */
export function pass(value: JsonValue, message: string): Finding {
  return { outcome: "pass", value, message };
}

/**
 * Returns a finding that the rule is violated; `spanIds` are the evidence. Reasons are an argument, because
 * copying findings costs more than creating them.
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

/** Returns a violation that missing spans cannot undo, for a check whose other violations they can undo. */
export function finallyViolated(
  value: JsonValue,
  message: string,
  spanIds: readonly string[] = [],
  reasons?: readonly Reason[],
): Finding {
  if (reasons === undefined) return { outcome: "violated", value, message, spanIds, final: true };
  return { outcome: "violated", value, message, spanIds, reasons, final: true };
}

/** Returns a finding that there is nothing to judge, with the reason. */
export function skip(message: string, value: JsonValue = null): Finding {
  return { outcome: "skip", value, message };
}

/** Marks a finding that a compiled check returns repeatedly. */
export function known(finding: Finding): Finding {
  return { ...finding, known: true };
}

/** Findings for smaller numbers are cached, because counts of calls, loops and errors are usually small. */
const MOST_KNOWN = 64;

/** Memoises `make` for small numbers. */
export function knownByNumber(make: (number: number) => Finding): (number: number) => Finding {
  const made: (Finding | undefined)[] = [];
  return (number) => (number < MOST_KNOWN ? (made[number] ??= known(make(number))) : make(number));
}

/** Returns a finding that evidence is missing: the field of the run, and the remedy. */
export function incomplete(field: string, message: string, run: AgentRun, value: JsonValue = null): Finding {
  return { outcome: "incomplete", value, message, missing: [field], remedy: remedyFor(field, run) };
}
