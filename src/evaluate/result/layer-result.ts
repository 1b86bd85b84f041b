import { byLayer, type Layer, layers, type Outcome, worse } from "../../model/outcome.ts";
import type { CheckResult, LayerResult } from "../../model/verdict.ts";

/** Returns a verdict's outcome: the worst outcome of its layers. For an incomplete run, `warn` becomes `incomplete`. */
export function verdictOutcome(
  results: Readonly<Record<Layer, Pick<LayerResult, "outcome">>>,
  complete: boolean,
): Outcome {
  let outcome: Outcome = "skip";
  for (const layer of layers) outcome = worse(outcome, results[layer].outcome);
  return outcome === "warn" && !complete ? "incomplete" : outcome;
}

/**
 * Returns a layer's result. The outcome is the worst outcome of its checks. The reason is the message of the first check with this outcome
 * or, for a pass, the number of passed checks.
 */
export function layerResult(checks: readonly CheckResult[]): LayerResult {
  let outcome: Outcome = "skip";
  for (let at = 0; at < checks.length; at++) {
    const other = (checks[at] as CheckResult).outcome;
    if (other !== outcome) outcome = worse(outcome, other);
  }
  return { outcome, reason: reasonOf(outcome, checks), checks };
}

/** Returns layers to whose checks further results are added. */
export function withFurther(
  own: Readonly<Record<Layer, LayerResult>>,
  further: readonly CheckResult[],
): Readonly<Record<Layer, LayerResult>> {
  return byLayer((layer) => {
    const added = further.filter((result) => result.layer === layer);
    return added.length === 0 ? own[layer] : layerResult([...own[layer].checks, ...added]);
  });
}

function reasonOf(outcome: Outcome, checks: readonly CheckResult[]): string {
  if (checks.length === 0) return "this layer has no check";
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
  const held = count === 1 ? "1 check passed" : `all ${count} checks passed`;
  return skipped === 0 ? held : `${held}, ${skipped} skipped`;
}
