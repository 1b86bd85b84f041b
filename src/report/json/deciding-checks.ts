import { checksOf, type Layer, type Outcome } from "../../model/outcome.ts";

/** The checks of a verdict, as an object of the engine or read from JSON. */
export interface Judged<Check> {
  readonly outcome: Outcome;
  readonly layers: Readonly<Record<Layer, { readonly checks: readonly Check[] }>>;
}

/** The checks that gave the verdict its outcome. */
export function decidingChecks<Check extends { readonly outcome: Outcome }>(
  verdict: Judged<Check>,
): readonly Check[] {
  return checksOf(verdict).filter((check) => check.outcome === verdict.outcome);
}
