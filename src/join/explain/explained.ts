import type { Explanation } from "../../model/explanation.ts";
import type { AgentRun } from "../../model/run.ts";

/** A run that was read from telemetry, and can tell where. */
export interface Explained {
  /** For each fact of the run: where it was read, and what else was there and why it was not believed. */
  explain(): Explanation[];
}

export function isExplained(run: AgentRun): run is AgentRun & Explained {
  return "explain" in run;
}
