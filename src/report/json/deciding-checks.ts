import { checksOf, type Layer, type Outcome } from "../../model/outcome.ts";

/** Checks of a verdict, from the engine or from JSON. */
export interface Judged<Check> {
  readonly outcome: Outcome;
  readonly layers: Readonly<Record<Layer, { readonly checks: readonly Check[] }>>;
}

/** Returns the checks that decided the verdict's outcome. */
export function decidingChecks<Check extends { readonly outcome: Outcome }>(
  verdict: Judged<Check>,
): readonly Check[] {
  return checksOf(verdict).filter((check) => check.outcome === verdict.outcome);
}
