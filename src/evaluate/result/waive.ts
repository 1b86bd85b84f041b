import { layers } from "../../model/outcome.ts";
import type { CheckResult } from "../../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../query/compiled.ts";
import type { Evaluation } from "../evaluate.ts";
import { expectedFailKey } from "./expect-failure.ts";
import { layerResult, verdictOutcome } from "./layer-result.ts";

type Waiver = CompiledSpec["waivers"][number];

/**
 * An evaluation under the waivers of its spec: a violation that one covers warns, whatever it was, and says who accepted it and why.
 * A waiver holds up to its last day; afterwards the violation counts again, and says so. `today` is `YYYY-MM-DD`; `complete`: whether the
 * run is.
 */
export function waive(
  evaluation: Evaluation,
  query: CompiledQuery,
  waivers: readonly Waiver[],
  today: string,
  complete = true,
): Evaluation {
  const own = waivers.filter((waiver) => isAbout(waiver, query));
  if (own.length === 0) return evaluation;
  const results = Object.fromEntries(
    layers.map((layer) => [
      layer,
      layerResult(evaluation.layers[layer].checks.map((check) => waived(check, own, today))),
    ]),
  ) as Evaluation["layers"];
  const hard = layers.some((layer) =>
    results[layer].checks.some((check) => check.outcome === "fail" && isHard(check, query)),
  );
  return {
    ...evaluation,
    layers: results,
    outcome: verdictOutcome(results, complete),
    hardFail: hard || results.correctness.outcome === "fail",
  };
}

function isAbout({ query: name }: Waiver, { id, text }: CompiledQuery): boolean {
  return name === undefined || name === id || name === text;
}

function waived(result: CheckResult, waivers: readonly Waiver[], today: string): CheckResult {
  if (result.outcome !== "fail" && result.outcome !== "warn") return result;
  if (result.check === expectedFailKey) return result;
  const covering = waivers.filter(
    ({ check }) => check === undefined || check === result.check || check === result.layer,
  );
  const holding = covering.find(({ expires }) => today <= expires);
  if (holding !== undefined) {
    const { owner, reason, expires } = holding;
    return {
      ...result,
      outcome: "warn",
      message: `waived until ${expires} by ${owner} (${reason}): ${result.message}`,
      waiver: { owner, reason, expires },
    };
  }
  const [expired] = covering;
  if (expired === undefined) return result;
  return {
    ...result,
    message: `${result.message} (the waiver of ${expired.owner} expired on ${expired.expires})`,
  };
}

function isHard({ check: key }: CheckResult, { checks }: CompiledQuery): boolean {
  return checks.some(({ check }) => check.key === key && check.hard === true);
}
