import type { Layer } from "../model/outcome.ts";
import type { AgentRun } from "../model/run.ts";
import type { CheckResult } from "../model/verdict.ts";
import type { BoundCheck } from "../spec/compiled.ts";
import type { CheckContext } from "./check.ts";

/** A run after the deterministic checks of a query, before its judges. */
export interface Assessment {
  readonly run: AgentRun;
  readonly contexts: Readonly<Record<Layer, CheckContext>>;
  /** Results so far, by layer, in the order written. */
  readonly results: Readonly<Record<Layer, readonly CheckResult[]>>;
  /** Judge checks, yet to be asked. */
  readonly judged: readonly BoundCheck[];
  /** A check failed: the judges need not be asked. */
  readonly failed: boolean;
  /** A check that nothing softens was violated. */
  readonly hard: boolean;
}
