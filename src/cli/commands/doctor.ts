import { adapters } from "../../../adapters/index.ts";
import { Doctor } from "../../doctor/diagnosis.ts";
import { Survey } from "../../doctor/survey.ts";
import { doctorConsole } from "../../render/doctor-console.ts";
import { doctorJson } from "../../render/doctor-json.ts";
import { colourTheme, plainTheme } from "../../render/theme.ts";
import { replay } from "../engine/replay.ts";
import { ExitCode } from "../exit-code.ts";
import { type Io, wantsColour, write } from "../io.ts";
import { type ConfigFlags, loadSettings, loadSpecs } from "../settings.ts";

export interface DoctorOptions extends ConfigFlags {
  readonly spec: readonly string[];
  readonly format: "console" | "json";
}

/** Exit 2 when there is no run, input cannot be read, or a check of the spec lacks evidence; else 0. */
export async function doctor(dumps: readonly string[], options: DoctorOptions, io: Io): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const specs = options.spec.length === 0 ? [] : await loadSpecs(options.spec, io, config);
  const survey = new Survey(adapters);
  const physician = new Doctor(survey);
  const { invalid } = await replay(dumps, {
    config,
    stdin: io.stdin,
    onTrace: (trace) => survey.add(trace),
    onRun: (run) => physician.add(run),
  });
  const diagnosis = physician.diagnose(specs);
  const theme = wantsColour(io.stdout, io.env) ? colourTheme : plainTheme;
  await write(
    io.stdout,
    options.format === "json"
      ? `${JSON.stringify(doctorJson(diagnosis))}\n`
      : doctorConsole(diagnosis, theme),
  );
  for (const { file, line, reason } of invalid) {
    await write(io.stderr, `${file}${line === null ? "" : `:${line}`}: ${reason}\n`);
  }
  if (diagnosis.runs === 0) await write(io.stderr, "no agent run in the input\n");
  const lacking = diagnosis.specs.some(({ checks }) =>
    checks.some(({ support }) => support === "unsupported" || support === "partly"),
  );
  return invalid.length > 0 || diagnosis.runs === 0 || lacking ? ExitCode.couldNotTell : ExitCode.passed;
}
