import type { Layer } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { LayerResult } from "../../model/verdict.ts";
import type { BoundCheck, CompiledQuery } from "../query/compiled.ts";
import type { Soften } from "../result/soften.ts";
import type { CheckContext } from "../checks/check.ts";

/** A run after the deterministic checks of a query, before its judges. */
export interface Assessment {
  readonly run: AgentRun;
  readonly contexts: Readonly<Record<Layer, CheckContext>>;
  /** Results of the layers so far, in the order of the registry. */
  readonly layers: Readonly<Record<Layer, LayerResult>>;
  /** Judge checks that have not been evaluated yet. */
  readonly judged: readonly BoundCheck[];
  /** The project's own checks that have not run yet. */
  readonly user: readonly BoundCheck[];
  /** The check `scoring.min_score`, if the spec has one. A judge may still decide this check. */
  readonly score: BoundCheck | undefined;
  /** `scoring` of the query; undefined if no score is requested. */
  readonly scoring: CompiledQuery["scoring"];
  /** Applies waivers and `expected_fail` to results; undefined if there are none. */
  readonly soften: Soften | undefined;
  /** Whether a check failed, so that judges are skipped. */
  readonly failed: boolean;
  /** Whether a check was violated that neither a waiver nor `expected_fail` covers. */
  readonly hard: boolean;
}
