import { faultsOf } from "../../../evaluate/result/faults.ts";
import { normaliseText } from "../../../match/rules/normalise.ts";
import type { Outcome } from "../../../model/outcome.ts";
import { queryUnitOfJson } from "../../json/query-unit.ts";
import type { CheckJson, VerdictJson } from "../../json/verdict-schema.ts";

/**
 * Returns the unit for comparing findings of two results: the query. For `"*"` it is the run's text, and for
 * a table the row's text, because ids shift when a row is added. Null if the text is unknown.
 */
export function findingUnit(verdict: VerdictJson): string | null {
  const { row, query, match, spec } = verdict;
  const isFixed = match.how === "exact" || match.how === "normalised";
  if (row !== undefined && query !== null && isFixed) return keyOf(spec, "row", normaliseText(query));
  return queryUnitOfJson(verdict);
}

/** Returns keys of a check's violations in one unit; `null` if the result lacks the cause. */
export function findingKeys(unit: string, check: CheckJson): readonly string[] | null {
  const faults = faultsOf(check);
  if (faults === null) return null;
  const place = findingPlace(unit, check);
  return (faults.length === 0 ? [""] : faults).map((fault) => keyOf(place, fault));
}

/**
 * Returns the key of a check in a unit, without the cause. An undecided check has another key than a violated
 * one.
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
