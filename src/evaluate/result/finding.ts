import type { JsonValue } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Reason } from "../../model/verdict.ts";
import type { Finding } from "../checks/check.ts";
import { remedyFor } from "./remedies.ts";

/** The rule holds. */
export function pass(value: JsonValue, message: string): Finding {
  return { outcome: "pass", value, message };
}

/** The rule is violated; `spanIds` are the evidence. Reasons are passed in, because copying findings is dearer than making them. */
export function violated(
  value: JsonValue,
  message: string,
  spanIds: readonly string[] = [],
  reasons?: readonly Reason[],
): Finding {
  if (reasons === undefined) return { outcome: "violated", value, message, spanIds };
  return { outcome: "violated", value, message, spanIds, reasons };
}

/** A violation that no span still to come can undo, in a check where others can. */
export function finallyViolated(
  value: JsonValue,
  message: string,
  spanIds: readonly string[] = [],
  reasons?: readonly Reason[],
): Finding {
  if (reasons === undefined) return { outcome: "violated", value, message, spanIds, final: true };
  return { outcome: "violated", value, message, spanIds, reasons, final: true };
}

/** Nothing to judge, and why. */
export function skip(message: string, value: JsonValue = null): Finding {
  return { outcome: "skip", value, message };
}

/** A finding that a prepared check gives over and over. */
export function known(finding: Finding): Finding {
  return { ...finding, known: true };
}

/** Numbers below this are formatted over and over: how many calls, loops, errors. */
const MOST_KNOWN = 64;

/** Memoises `make` for small numbers. */
export function knownByNumber(make: (number: number) => Finding): (number: number) => Finding {
  const made: (Finding | undefined)[] = [];
  return (number) => (number < MOST_KNOWN ? (made[number] ??= known(make(number))) : make(number));
}

/** The evidence is missing: a field of the run, and what to do about it. */
export function incomplete(field: string, message: string, run: AgentRun, value: JsonValue = null): Finding {
  return { outcome: "incomplete", value, message, missing: [field], remedy: remedyFor(field, run) };
}
