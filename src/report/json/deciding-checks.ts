import { checksOf, type Layer, type Outcome } from "../../model/outcome.ts";

/** Outcome and checks of a verdict, of the engine or parsed from JSON. */
export interface Judged<Check> {
  readonly outcome: Outcome;
  readonly layers: Readonly<Record<Layer, { readonly checks: readonly Check[] }>>;
}

/** Returns the checks that have the same outcome as the verdict. */
export function decidingChecks<Check extends { readonly outcome: Outcome }>(
  verdict: Judged<Check>,
): readonly Check[] {
  return checksOf(verdict).filter((check) => check.outcome === verdict.outcome);
}
