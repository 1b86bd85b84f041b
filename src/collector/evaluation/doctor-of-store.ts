import type { Archive } from "../../store/archive.ts";
import { Doctor } from "../../authoring/doctor/diagnosis.ts";
import { Survey } from "../../authoring/doctor/survey.ts";
import { doctorJson } from "../../report/render/json/doctor-json.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { DialectTable } from "../../runs/dialect-table.ts";
import { adaptersWith } from "../../replay/engine.ts";
import { replayNewestRuns } from "./newest-runs.ts";

/** Runs `doctor` on the telemetry of the newest stored runs. */
export async function doctorOfStore(
  archive: Archive,
  specs: readonly CompiledSpec[],
  dialects: readonly DialectTable[],
): Promise<object> {
  const survey = new Survey(adaptersWith(dialects));
  const doctor = new Doctor(survey);
  await replayNewestRuns(archive, {
    dialects,
    onTrace: (trace) => survey.add(trace),
    onRun: (run) => doctor.add(run),
  });
  return doctorJson(doctor.diagnose(specs));
}
