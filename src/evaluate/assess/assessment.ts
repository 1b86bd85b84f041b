import type { Layer } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { LayerResult } from "../../model/verdict.ts";
import type { BoundCheck, CompiledQuery } from "../query/compiled.ts";
import type { Soften } from "../result/soften.ts";
import type { CheckContext } from "../checks/check.ts";

/** A run after the deterministic checks of a query, and before user checks and judges. */
export interface Assessment {
  readonly run: AgentRun;
  readonly contexts: Readonly<Record<Layer, CheckContext>>;
  /** Results of the deterministic checks of each layer, in the order of the registry. */
  readonly layers: Readonly<Record<Layer, LayerResult>>;
  /** Checks that need a judge and have not been evaluated yet. */
  readonly judged: readonly BoundCheck[];
  /** The project's own checks that have not run yet. */
  readonly user: readonly BoundCheck[];
  /** The check `scoring.min_score`, if the query has the check. A judge may still decide this check. */
  readonly score: BoundCheck | undefined;
  /** `scoring` of the query; undefined if the query has no score. */
  readonly scoring: CompiledQuery["scoring"];
  /** Applies waivers and `expected_fail` to results; undefined if the query has neither. */
  readonly soften: Soften | undefined;
  /** Whether a layer failed. If so, judges are skipped. */
  readonly failed: boolean;
  /** Whether a check failed that fails the run regardless of `severity:`. */
  readonly hard: boolean;
}
