import { defaultTraceTimeouts } from "../../assemble/timeouts/trace-timeouts.ts";
import { DEMO_ATTRIBUTE } from "../../model/demo-attribute.ts";
import type { AgentRun } from "../../model/run.ts";
import { createEngine, type EngineOptions } from "../../replay/engine.ts";
import type { Archive } from "../../store/archive.ts";
import { readTelemetry } from "../../store/read/read-telemetry.ts";

/** Maximum number of runs: enough to include each instrumentation, and few enough to read at once. */
const MOST_RUNS = 100;

/** Reads the newest runs again from their stored telemetry. */
export async function replayNewestRuns(
  archive: Archive,
  options: Pick<EngineOptions, "dialects" | "onTrace" | "onRun">,
): Promise<void> {
  const { pipeline } = createEngine({
    timeouts: defaultTraceTimeouts,
    quietMs: Infinity,
    attributes: [],
    prices: {},
    seed: 1,
    ...options,
  });
  const page = await archive.runs({}, MOST_RUNS, null);
  for (const { run_id: runId } of page?.items ?? []) {
    for (const part of (await archive.telemetry(runId)) ?? []) {
      const batch = readTelemetry(part);
      if (batch !== undefined) pipeline.accept(batch, 0);
    }
  }
  pipeline.drain("eof", 0);
}

/** Returns the runs without the example runs of `npm start`; all runs if there are only examples. */
export function withoutExamples(runs: readonly AgentRun[]): readonly AgentRun[] {
  const own = runs.filter(({ attributes }) => !attributes.has(DEMO_ATTRIBUTE));
  return own.length === 0 ? runs : own;
}
