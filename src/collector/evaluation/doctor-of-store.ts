import type { Archive } from "../../store/archive.ts";
import { defaultTraceTimeouts } from "../../assemble/timeouts/trace-timeouts.ts";
import { Doctor } from "../../authoring/doctor/diagnosis.ts";
import { Survey } from "../../authoring/doctor/survey.ts";
import { doctorJson } from "../../report/render/json/doctor-json.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import { readTelemetry } from "../../store/read/read-telemetry.ts";
import type { DialectTable } from "../../runs/dialect-table.ts";
import { adaptersWith, createEngine } from "../../replay/engine.ts";

/** Enough runs to see what each instrumentation writes, few enough to be read while somebody waits. */
const MOST_RUNS = 100;

/** What the telemetry of the last stored runs can show, as `doctor` says it of a dump. */
export async function doctorOfStore(
  archive: Archive,
  specs: readonly CompiledSpec[],
  dialects: readonly DialectTable[],
): Promise<object> {
  const survey = new Survey(adaptersWith(dialects));
  const doctor = new Doctor(survey);
  const { pipeline } = createEngine({
    timeouts: defaultTraceTimeouts,
    quietMs: Infinity,
    attributes: [],
    prices: {},
    dialects,
    seed: 1,
    onTrace: (trace) => survey.add(trace),
    onRun: (run) => doctor.add(run),
  });
  const page = await archive.runs({}, MOST_RUNS, null);
  for (const { run_id: runId } of page?.items ?? []) {
    for (const part of (await archive.telemetry(runId)) ?? []) {
      const batch = readTelemetry(part);
      if (batch !== undefined) pipeline.accept(batch, 0);
    }
  }
  pipeline.drain("eof", 0);
  return doctorJson(doctor.diagnose(specs));
}
