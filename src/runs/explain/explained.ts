import type { Explanation } from "../../model/explanation.ts";
import type { AgentRun } from "../../model/run.ts";
import type { SpanView } from "../../model/telemetry/span-view.ts";

/** A run that was read from telemetry, and can tell where. */
export interface Explained {
  /** For each fact of the run: where it was read, and what else was there and why it was not believed. */
  explain(): Explanation[];
  /** Those that it was read from, some of them perhaps twice. */
  readonly spans: Iterable<SpanView>;
}

export function isExplained(run: AgentRun): run is AgentRun & Explained {
  return "explain" in run;
}
