import type { AgentRun } from "../../model/run.ts";
import { AssembledRun } from "../../runs/assembled-run.ts";
import type { TraceState } from "./trace-state.ts";

/** Returns the trace id in a run's id: the trace of the run's root span at the time when the run was first found. */
export function traceOfRun(runId: string): string {
  return runId.slice(0, runId.lastIndexOf("-"));
}

/** Remembers a run's id in the state of its trace; does nothing if the state is undefined. */
export function noteRunId(runId: string, state: TraceState | undefined): void {
  if (state !== undefined && !state.runIds.includes(runId)) state.runIds = [...state.runIds, runId];
}

/**
 * Returns the run with the id under which it was first found. Late spans can change a run's root, for example if an agent's span arrives
 * after the agent's calls. Late spans can also join separate runs. The joined run has the id of the first of these runs (by trace, then in
 * order of discovery), and replaces the others.
 * @param states states of the run's traces, in which the ids are remembered
 */
export function identifyRun(run: AgentRun, states: readonly TraceState[]): AgentRun {
  const earlier = states.every(({ runIds }) => runIds.length === 0) ? [] : idsWithin(run, states);
  const own = states.find(({ traceId }) => traceId === run.traceId);
  if (earlier.length === 0) {
    noteRunId(run.runId, own);
    return run;
  }
  const [kept = run.runId, ...others] = earlier;
  if (others.length > 0)
    for (const state of states) state.runIds = state.runIds.filter((id) => !others.includes(id));
  return withId(run, kept, earlier);
}

/** Returns the ids of earlier runs whose root is a span of this run. They are ordered by trace, then in order of discovery. */
function idsWithin(run: AgentRun, states: readonly TraceState[]): string[] {
  const known = states.flatMap(({ runIds }) => runIds);
  if (!(run instanceof AssembledRun)) return known.filter((id) => id === run.runId);
  const own = new Set(run.spans.map(({ traceId, spanId }) => `${traceId}-${spanId}`));
  return known.filter((id) => own.has(id));
}

function withId(run: AgentRun, runId: string, replaces: readonly string[]): AgentRun {
  if (!(run instanceof AssembledRun)) return { ...run, runId, replaces };
  run.runId = runId;
  run.replaces = replaces;
  return run;
}
