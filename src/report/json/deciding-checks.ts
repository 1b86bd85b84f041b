import type { CheckJson, VerdictJson } from "./verdict-schema.ts";

/** The checks that gave the verdict its outcome. */
export function decidingChecks({ layers, outcome }: VerdictJson): readonly CheckJson[] {
  const all = [...layers.correctness.checks, ...layers.path.checks, ...layers.cost.checks];
  return all.filter((check) => check.outcome === outcome);
}
