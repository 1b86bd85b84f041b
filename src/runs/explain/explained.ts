import type { Explanation } from "../../model/explanation.ts";
import type { AgentRun } from "../../model/run.ts";
import type { SpanView } from "../../model/telemetry/span-view.ts";

/** A run with the sources of its facts. */
export interface Explained {
  /** For each fact of the run: its source, and other sources with the reason for their rejection. */
  explain(): Explanation[];
  /** The spans of the run. */
  readonly spans: Iterable<SpanView>;
}

export function isExplained(run: AgentRun): run is AgentRun & Explained {
  return "explain" in run;
}
