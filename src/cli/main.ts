import { Command, CommanderError } from "commander";
import { escapeControlsInValue } from "../model/control-characters.ts";
import { version } from "../version.ts";
import {
  declareCoverage,
  declareDoctor,
  declareJudgeAudit,
  declareMerge,
  declareInspect,
  declareExportMetrics,
  declareReport,
  declareConfig,
  declareSchema,
  declareServe,
  declareStrength,
  declareTest,
  declareValidate,
} from "./declare.ts";
import { declareBacktest, declareCalibrate, declareInit, declarePromote } from "./declare-authoring.ts";
import { declareBaselines, declareDiff, declareSave } from "./declare-baselines.ts";
import { declareMcp } from "./declare-mcp.ts";
import { bornYoung } from "../limits/garbage.ts";
import { ExitCode, UserError } from "./exit-code.ts";
import { type Io, processIo, write } from "./io.ts";

/** Runs one command line, to which the process belongs, and sets the process's exit code. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<void> {
  bornYoung();
  process.exitCode = await run(argv, io);
}

/** The same, giving the exit code to the caller. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = ExitCode.passed;
  const program = createProgram(io, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...argv]);
    return code;
  } catch (error) {
    return await report(error, io);
  }
}

async function report(error: unknown, io: Io): Promise<ExitCode> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.passed : ExitCode.couldNotTell;
  if (error instanceof UserError) {
    const fix = error.hint === undefined ? "" : `  fix: ${error.hint}\n`;
    await write(io.stderr, `error: ${error.message}\n${fix}`);
    return ExitCode.couldNotTell;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  await write(io.stderr, `internal error: ${detail}\n`);
  return ExitCode.couldNotTell;
}

/** All commands there are; `done` is told the exit code of the one that ran. */
export function createProgram(io: Io, done: (code: ExitCode) => void): Command {
  const program = new Command("tracejury")
    .description("An OpenTelemetry collector that judges AI agents.")
    .version(version, "-V, --version")
    // `save --version NAME` is not the program's own option.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError("(run with --help for the options and an example)")
    .configureOutput({
      writeOut: (text) => void io.stdout.write(escapeControlsInValue(text)),
      writeErr: (text) => void io.stderr.write(escapeControlsInValue(text)),
    });
  for (const declare of [
    declareServe,
    declareTest,
    declareMerge,
    declareSave,
    declareBaselines,
    declareDiff,
    declareBacktest,
    declareCalibrate,
    declarePromote,
    declareInit,
    declareReport,
    declareExportMetrics,
    declareJudgeAudit,
    declareStrength,
    declareCoverage,
    declareInspect,
    declareDoctor,
    declareValidate,
    declareConfig,
    declareSchema,
    declareMcp,
  ]) {
    declare(program, io, done);
  }
  return program;
}
