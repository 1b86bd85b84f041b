import { derivedOnce } from "../../support/structures/bounded-memo.ts";
import { byLayer, type Layer } from "../../model/outcome.ts";
import type { CheckResult } from "../../model/verdict.ts";
import type { BoundCheck, CompiledQuery } from "../query/compiled.ts";
import type { Finding, CompiledCheck } from "../checks/check.ts";
import { prepare, prepareOnce } from "./compile-check.ts";
import { minScoreKey } from "../quantities/score.ts";

/**
 * Compiled deterministic checks of one query and layer, as parallel arrays: index i is the same check in each array. Runs of different
 * queries alternate, so a query's checks are rarely in the CPU cache, and arrays load faster than objects.
 */
export interface LayerPlan {
  readonly asks: readonly CompiledCheck[];
  readonly bounds: readonly BoundCheck[];
  /** For each check, the last constant finding (`Finding.known`) for a complete run. `results` has the check result of this finding. */
  readonly findings: (Finding | undefined)[];
  readonly results: (CheckResult | undefined)[];
}

/** Compiled checks of a query. The plan is cached as long as the query exists. */
export interface Plan {
  /** Deterministic checks, in the order of the registry. */
  readonly layers: Readonly<Record<Layer, LayerPlan>>;
  readonly judged: readonly BoundCheck[];
  readonly user: readonly BoundCheck[];
  /** The check `scoring.min_score`; undefined if the query has no such check. */
  readonly score: BoundCheck | undefined;
}

export const planOf: (query: CompiledQuery) => Plan = derivedOnce(makePlan);

function makePlan(query: CompiledQuery): Plan {
  const evaluated = query.checks.filter(({ check }) => check.qualifier !== true);
  const deterministic = evaluated.filter(({ check }) => check.judged !== true && check.user === undefined);
  const ofLayer = (layer: Layer): LayerPlan => {
    const bounds = deterministic.filter(({ check }) => check.layer === layer);
    return {
      asks: bounds.map((bound) => readyFor(bound, query)),
      bounds,
      findings: bounds.map(() => undefined),
      results: bounds.map(() => undefined),
    };
  };
  return {
    layers: byLayer(ofLayer),
    judged: evaluated.filter(({ check }) => check.judged === true),
    user: evaluated.filter(({ check }) => check.judged !== true && check.user !== undefined),
    score: deterministic.find(({ check }) => check.key === minScoreKey),
  };
}

/** Returns the compiled check of a query. If compilation fails, the returned check throws the compilation error for each run. */
function readyFor(
  bound: BoundCheck,
  { settings, preset, isFilled }: Pick<CompiledQuery, "settings" | "preset" | "isFilled">,
): CompiledCheck {
  const layer = settings[bound.check.layer];
  try {
    return isFilled === true ? prepareOnce(bound, layer, preset) : prepare(bound, layer, preset);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
