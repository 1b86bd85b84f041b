import type { Layer } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { LayerResult } from "../../model/verdict.ts";
import type { BoundCheck, CompiledQuery } from "../query/compiled.ts";
import type { Soften } from "../result/soften.ts";
import type { CheckContext } from "../checks/check.ts";

/** Results of a query's deterministic checks for one run, as input of user checks and judges. */
export interface Assessment {
  readonly run: AgentRun;
  readonly contexts: Readonly<Record<Layer, CheckContext>>;
  /** Results of the deterministic checks of each layer, in the order of the registry. */
  readonly layers: Readonly<Record<Layer, LayerResult>>;
  /** Judge checks, which have not run yet. */
  readonly judged: readonly BoundCheck[];
  /** User checks (commands or modules of the project), which have not run yet. */
  readonly user: readonly BoundCheck[];
  /** The check `scoring.min_score`, whose result can change when a judge rates the output. Undefined if the query has no `scoring`. */
  readonly score: BoundCheck | undefined;
  /** `scoring` of the query; undefined if the query has no score. */
  readonly scoring: CompiledQuery["scoring"];
  /** Changes failures that `expected_fail` or a waiver allows to warnings; undefined if the query has neither. */
  readonly soften: Soften | undefined;
  /** True if a layer failed. If true, judges are skipped. */
  readonly failed: boolean;
  /** True if a check with `hard: true` failed. A failed `hard` check fails the run whatever `severity:` says. */
  readonly hard: boolean;
}
