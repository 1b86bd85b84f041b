import type { JsonValue } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Finding } from "../checks/check.ts";
import { remedyFor } from "./remedies.ts";

export function pass(value: JsonValue, message: string): Finding {
  return { outcome: "pass", value, message };
}

/** Evidence of a violation, such as the ids of the spans that prove it, and whether later spans cannot undo it. */
export type Proof = Pick<Finding, "spanIds" | "reasons" | "faults" | "final">;

export function violated(value: JsonValue, message: string, proof: Proof = {}): Finding {
  return { outcome: "violated", value, message, ...proof };
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

/** Returns `make` with a cache for whole numbers from 0 below `MOST_KNOWN`. */
export function knownByNumber(make: (number: number) => Finding): (number: number) => Finding {
  const made: (Finding | undefined)[] = [];
  return (number) =>
    number >= 0 && number < MOST_KNOWN && Number.isInteger(number)
      ? (made[number] ??= known(make(number)))
      : make(number);
}

/**
 * Returns a finding that evidence is missing, and the remedy.
 * @param field missing field of the run
 */
export function incomplete(field: string, message: string, run: AgentRun, value: JsonValue = null): Finding {
  return { outcome: "incomplete", value, message, missing: [field], remedy: remedyFor(field, run) };
}

/** Returns the ids of the spans of calls, retrievals or steps; those without a span are left out. */
export function spanIdsOf(parts: readonly { readonly spanId: string | null }[]): readonly string[] {
  return parts.flatMap(({ spanId }) => (spanId === null ? [] : [spanId]));
}
