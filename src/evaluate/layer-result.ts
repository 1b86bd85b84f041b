import { type Outcome, outcomes } from "../model/outcome.ts";
import type { CheckResult, LayerResult } from "../model/verdict.ts";

/** A layer from its checks: the worst outcome decides, and the reason names the check that did. */
export function layerResult(checks: readonly CheckResult[]): LayerResult {
  const outcome = outcomeOf(checks);
  return { outcome, reason: reasonOf(outcome, checks), checks };
}

function outcomeOf(checks: readonly CheckResult[]): Outcome {
  let worst: Outcome = "skip";
  for (const { outcome } of checks) if (ranks[outcome] < ranks[worst]) worst = outcome;
  return worst;
}

const ranks = Object.fromEntries(outcomes.map((outcome, at) => [outcome, at])) as Record<Outcome, number>;

function reasonOf(outcome: Outcome, checks: readonly CheckResult[]): string {
  if (checks.length === 0) return "nothing asserted";
  let deciding = 0;
  let first: CheckResult | undefined;
  for (const check of checks) {
    if (check.outcome !== outcome) continue;
    deciding++;
    first ??= check;
  }
  if (outcome === "pass") return passed(deciding, checks.length - deciding);
  const more = deciding > 1 ? ` (and ${deciding - 1} more)` : "";
  return `${first?.check ?? ""}: ${first?.message ?? ""}${more}`;
}

function passed(count: number, skipped: number): string {
  const held = count === 1 ? "1 check holds" : `all ${count} checks hold`;
  return skipped === 0 ? held : `${held}, ${skipped} skipped`;
}
