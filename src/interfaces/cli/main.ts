import { dirname } from "node:path";
import { Command, CommanderError } from "commander";
import { findConfig } from "../../config/find/find-config.ts";
import { escapeControlsInValue } from "../../support/structures/control-characters.ts";
import { version } from "../../support/process/version.ts";
import {
  declareCoverage,
  declareDrift,
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
} from "./declare/declare.ts";
import {
  declareBacktest,
  declareCalibrate,
  declareInit,
  declarePromote,
  declarePropose,
} from "./declare/declare-authoring.ts";
import { declareBaselines, declareDiff, declareSave } from "./declare/declare-baselines.ts";
import { declareMcp, declareSession } from "./declare/declare-mcp.ts";
import { declareModels } from "./declare/declare-models.ts";
import { declarePull } from "./declare/declare-pull.ts";
import { declareResilience } from "./declare/declare-resilience.ts";
import { declareRecord } from "./declare/declare-record.ts";
import type { Declare } from "./declare/option-values.ts";
import { ExitCode, UserError } from "../../support/process/exit-code.ts";
import { type Io, processIo, write } from "../../support/process/io.ts";

/** Runs one command line and sets the process's exit code. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<void> {
  process.exitCode = await run(argv, io);
}

/** Runs one command line and returns the exit code. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = ExitCode.passed;
  const setCode = (result: ExitCode): void => {
    code = result;
  };
  const program = createProgram(io, setCode, argv[2]);
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

/** Uses the project's configuration if the command line names none. */
function takeConfig(action: Command, io: Io): void {
  const { config } = action.opts<{ config?: readonly string[] | false }>();
  if (config === false) action.setOptionValueWithSource("config", [], "cli");
  if (config === undefined || config === false || config.length > 0) return;
  const found = findConfig(io.cwd, (message) =>
    io.stderr.write(`warning: ${escapeControlsInValue(message)}\n`),
  );
  if (found === undefined) return;
  action.setOptionValueWithSource("config", [found], "implied");
  action.setOptionValueWithSource("configFolder", dirname(found), "implied");
}

/** Command groups in the order of the help. */
const groups: readonly (readonly [
  heading: string,
  readonly (readonly [name: string, declare: Declare])[],
])[] = [
  [
    "Evaluate:",
    [
      ["test", declareTest],
      ["diff", declareDiff],
      ["report", declareReport],
      ["backtest", declareBacktest],
      ["save", declareSave],
      ["baselines", declareBaselines],
      ["merge", declareMerge],
      ["export-metrics", declareExportMetrics],
    ],
  ],
  [
    "Understand:",
    [
      ["inspect", declareInspect],
      ["doctor", declareDoctor],
      ["coverage", declareCoverage],
      ["drift", declareDrift],
      ["strength", declareStrength],
      ["judge-audit", declareJudgeAudit],
    ],
  ],
  [
    "Author:",
    [
      ["init", declareInit],
      ["promote", declarePromote],
      ["propose", declarePropose],
      ["calibrate", declareCalibrate],
      ["validate", declareValidate],
      ["schema", declareSchema],
    ],
  ],
  [
    "Operate:",
    [
      ["serve", declareServe],
      ["record", declareRecord],
      ["pull", declarePull],
      ["models", declareModels],
      ["resilience", declareResilience],
      ["config", declareConfig],
      ["mcp", declareMcp],
      ["session", declareSession],
    ],
  ],
];

const commandNames: ReadonlySet<string> = new Set(
  groups.flatMap(([, commands]) => commands.map(([name]) => name)),
);

/** Names that people try for what another command does. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["explain", "inspect DUMP --explain"],
  ["run", "test --exec 'COMMAND {query}' --spec FILE"],
  ["eval", "test DUMP --spec FILE"],
  ["check", "test DUMP --spec FILE"],
  ["lint", "validate FILE"],
  ["show", "inspect DUMP"],
  ["start", "serve"],
  ["replay", "test --exec 'COMMAND {query}' --spec FILE --models replay:DUMP"],
]);

function meantCommand(text: string): string {
  const meant = otherNames.get(/unknown command '([^']*)'/.exec(text)?.[1] ?? "");
  return meant === undefined ? "" : `(did you mean tracejury ${meant}?)\n`;
}

export function isCommand(name: string | undefined): boolean {
  return name !== undefined && commandNames.has(name);
}

/**
 * Returns the program with all its commands, or with only one. Declaring all options takes a tenth of a short
 * command's time. `done` receives the exit code.
 */
export function createProgram(io: Io, done: (code: ExitCode) => void, only?: string): Command {
  const program = new Command("tracejury")
    .description("An OpenTelemetry collector that judges AI agents.")
    .version(version, "-V, --version")
    // Options after a command belong to the command, for example `save --version NAME`.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError("(run with --help for the options and an example)")
    .configureOutput({
      writeOut: (text) => void io.stdout.write(escapeControlsInValue(text)),
      writeErr: (text) => void io.stderr.write(escapeControlsInValue(text)),
      outputError: (text, print) => print(`${text}${meantCommand(text)}`),
    });
  program.hook("preAction", (_, action) => takeConfig(action, io));
  for (const [heading, commands] of groups) {
    program.commandsGroup(heading);
    for (const [name, declare] of commands) if (!isCommand(only) || name === only) declare(program, io, done);
  }
  program.addHelpText(
    "after",
    "\ntracejury COMMAND --help shows the options and an example.\nDocumentation: docs/commands.md, and the page of a running serve (http://127.0.0.1:4319/)",
  );
  return program;
}
