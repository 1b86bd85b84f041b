import { faultsOf } from "../../../evaluate/result/faults.ts";
import { normaliseText } from "../../../match/rules/normalise.ts";
import type { Outcome } from "../../../model/outcome.ts";
import { queryUnitOfJson } from "../../json/query-unit.ts";
import type { CheckJson, VerdictJson } from "../../json/verdict-schema.ts";

/**
 * Returns a key for the runs that are compared between two results, called a unit. The key consists of spec and query id, with two
 * exceptions. For `"*"`, the key also contains the run's text. For a table row whose text matched exactly, the key contains the row's text
 * instead of the id, because ids change when a row is added. Returns null for a `"*"` run with an unknown text.
 */
export function findingUnit(verdict: VerdictJson): string | null {
  const { row, query, match, spec } = verdict;
  const isFixed = match.how === "exact" || match.how === "normalised";
  if (row !== undefined && query !== null && isFixed) return keyOf(spec, "row", normaliseText(query));
  return queryUnitOfJson(verdict);
}

/**
 * Returns one key for each cause of a check's violation. Returns null if the result does not contain the
 * causes.
 */
export function findingKeys(unit: string, check: CheckJson): readonly string[] | null {
  const faults = faultsOf(check);
  if (faults === null) return null;
  const place = findingPlace(unit, check);
  return (faults.length === 0 ? [""] : faults).map((fault) => keyOf(place, fault));
}

/**
 * Returns the key of a check in a unit. A violated check and an undecided check have different keys. The
 * cause is not part of the key.
 */
export function findingPlace(unit: string, { check, turn, outcome }: CheckJson): string {
  return keyOf(unit, check, turn ?? 0, kindOf(outcome));
}

function kindOf(outcome: Outcome): string {
  return outcome === "incomplete" || outcome === "error" ? outcome : "violated";
}

export function keyOf(...parts: readonly (string | number | null)[]): string {
  return JSON.stringify(parts);
}
