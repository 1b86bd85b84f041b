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
  /** The layers so far, their results in the order of the registry. */
  readonly layers: Readonly<Record<Layer, LayerResult>>;
  /** Judge checks that are not evaluated yet. */
  readonly judged: readonly BoundCheck[];
  /** Checks of the project's own, yet to be run. */
  readonly user: readonly BoundCheck[];
  /** `scoring.min_score`, if written: a judge may still decide it. */
  readonly score: BoundCheck | undefined;
  /** `scoring` as written; undefined where no score is requested. */
  readonly scoring: CompiledQuery["scoring"];
  /** Softens results by waivers and `expected_fail`; undefined for none. */
  readonly soften: Soften | undefined;
  /** A check failed, so judges are skipped. */
  readonly failed: boolean;
  /** A check that nothing softens was violated. */
  readonly hard: boolean;
}
