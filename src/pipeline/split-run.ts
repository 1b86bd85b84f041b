import { plainRun } from "../model/plain-run.ts";
import type { AgentRun } from "../model/run.ts";

/** A run of which spans are known to be elsewhere: not complete, whatever there is of it looks like. */
export function splitRun(run: AgentRun): AgentRun {
  const why = "spans of the trace went to another process: route by trace id";
  return {
    ...plainRun(run),
    complete: false,
    closeReason: "split",
    missing: [...run.missing, { what: "run", why }],
  };
}
