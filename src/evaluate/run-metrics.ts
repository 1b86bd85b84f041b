import type { AgentRun } from "../model/run.ts";

/** Quantities that several checks and the verdict's `metrics` share; each computed once, on first use. */
export interface RunMetrics {
  readonly run: AgentRun;
  /** Names of the tools used, in order; a call whose name is unknown is null. */
  readonly toolNames: readonly (string | null)[];
}
