import type { Archive } from "../../store/archive.ts";
import { Doctor } from "../../authoring/doctor/diagnosis.ts";
import { Survey } from "../../authoring/doctor/survey.ts";
import { doctorJson } from "../../report/render/json/doctor-json.ts";
import { createMatcher } from "../../match/matcher.ts";
import type { Trace } from "../../assemble/trace.ts";
import type { AgentRun } from "../../model/run.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { DialectTable } from "../../runs/dialect-table.ts";
import { adaptersWith } from "../../replay/engine.ts";
import { replayNewestRuns, withoutExamples } from "./newest-runs.ts";

/**
 * Runs `tracejury doctor` on the telemetry of the newest stored runs, with the specs for their agents. Ignores the example runs of `npm
 * start` if there are other runs.
 */
export async function doctorOfStore(
  archive: Archive,
  specs: readonly CompiledSpec[],
  dialects: readonly DialectTable[],
): Promise<object> {
  const traces: Trace[] = [];
  const runs: AgentRun[] = [];
  await replayNewestRuns(archive, {
    dialects,
    onTrace: (trace) => traces.push(trace),
    onRun: (run) => runs.push(run),
  });
  const own = withoutExamples(runs);
  const examples = new Set(runs.filter((run) => !own.includes(run)).flatMap((run) => run.traceIds));
  const survey = new Survey(adaptersWith(dialects));
  for (const trace of traces) if (!examples.has(trace.traceId)) survey.add(trace);
  const doctor = new Doctor(survey);
  for (const run of own) doctor.add(run);
  const matcher = createMatcher(specs);
  const isAbout = (spec: CompiledSpec, run: AgentRun): boolean => {
    const found = matcher.match(run, spec);
    return found.kind !== "unmatched" || found.cause !== "other-agent";
  };
  return doctorJson(doctor.diagnose(specs.filter((spec) => own.some((run) => isAbout(spec, run)))));
}
