import type { JsonValue } from "../../model/json.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { CheckResult, Reason } from "../../model/verdict.ts";
import { foldName } from "../rules/fold-name.ts";

/** The parts of a check result, new or read from a file, from which the causes of a violation are derived. */
export interface Faulty {
  readonly check: string;
  readonly outcome: Outcome;
  readonly value: JsonValue;
  readonly limit: JsonValue;
  readonly message: string;
  readonly missing: readonly string[];
  readonly reasons?: readonly Reason[] | undefined;
  readonly judge: { readonly rubric: string } | null;
  readonly faults?: readonly string[] | undefined;
}

/** Maximum number of reasons in a result. A result with exactly the maximum may have had more reasons. */
const MOST_REASONS = 16;

/**
 * Returns the causes of a violation, such as called forbidden tools or missing terms. Two results with equal causes are the same finding.
 * Returns an empty list if the check as a whole is the cause, as for a budget. Returns null if the causes are unknown, as in results of
 * earlier versions.
 */
export function faultsOf(result: Faulty): readonly string[] | null {
  const { faults, outcome, missing, judge } = result;
  if (faults !== undefined) return faults;
  switch (outcome) {
    case "pass":
    case "skip":
      return [];
    case "incomplete":
      return missing.toSorted();
    case "error":
      return judge === null ? [] : [judge.rubric];
    case "fail":
    case "warn":
      return faultsOfViolation(result);
  }
}

/**
 * Returns a result with its causes in `faults`, if so far only the message contains the causes. Call this function before the message
 * changes.
 */
export function keepingFaults(result: CheckResult): CheckResult {
  const faults = faultsOf(result);
  const { faults: _, ...rest } = result;
  const isSaid =
    faults === null || JSON.stringify(faultsOf({ ...rest, message: "" })) === JSON.stringify(faults);
  return isSaid ? result : { ...result, faults };
}

function faultsOfViolation({
  check,
  value,
  limit,
  message,
  reasons = [],
  judge,
}: Faulty): readonly string[] | null {
  if (judge !== null) return [judge.rubric];
  if (check === "forbidden_tools") return isTexts(value) ? value.map(foldName) : null;
  if (check === "run_status" || check.startsWith("checks.")) return [withoutNumbers(message)];
  if (reasons.length > 0) return reasons.length < MOST_REASONS ? reasons.map(faultOfReason) : null;
  if (check === "any_expected_in_answer") return [JSON.stringify(limit)];
  if (typeof limit === "string") return [limit];
  if (isTexts(limit) && limit.length === 1) return limit;
  return typeof limit === "object" && limit !== null ? null : [];
}

/** Returns the cause in a reason. Omits the step and unexpected arguments, which differ from run to run. */
function faultOfReason({ code, expected, actual }: Reason): string {
  const names = code.startsWith("CALL_") ? [expected ?? nameOfCall(actual)] : [expected, actual];
  return [code, ...names.filter((name) => name !== null)].join(" ");
}

/** Returns the tool's name in the text of a call: `refund` for `refund({"order":12})`. */
function nameOfCall(call: string | null): string | null {
  return call === null ? null : (call.split("(", 1)[0] ?? call);
}

function isTexts(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** Replaces numbers in an error message by `#`, because ids, ports and times differ from run to run. */
function withoutNumbers(message: string): string {
  return message.replaceAll(/[\da-f]{8,}|\d+(?:[.,:]\d+)*/gi, "#");
}
