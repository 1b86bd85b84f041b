import type { Config } from "../../../config/config.ts";
import type { JudgedRun } from "../../../pipeline/judge-run.ts";
import type { CompiledSpec } from "../../../evaluate/query/compiled.ts";
import { type Io, UserError } from "../../../support/process/io.ts";
import { recordedRuns } from "./chosen-run.ts";

/**
 * Reads a run again from its redacted fixture, and judges it without judge models.
 * @throws UserError if the fixture does not contain the run
 */
export async function asRecorded(
  dump: string,
  { run }: JudgedRun,
  spec: CompiledSpec,
  config: Config,
  io: Io,
): Promise<JudgedRun> {
  const { judged } = await recordedRuns([dump], spec, config, io);
  const same = judged.find((one) => one.run.runId === run.runId);
  if (same !== undefined) return same;
  throw new UserError(
    `run ${run.runId} is not in its redacted dump, because redaction changed the telemetry, so no test can be made from it`,
    "promote it with --redact secrets or --redact none",
  );
}
