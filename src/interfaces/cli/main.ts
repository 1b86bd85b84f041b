import { dirname } from "node:path";
import { Command, CommanderError } from "commander";
import { findConfig } from "../../config/find/find-config.ts";
import { escapeControlsInValue } from "../../support/structures/control-characters.ts";
import { version } from "../../support/process/version.ts";
import { authorCommands } from "./declare/author-commands.ts";
import { declareCommand } from "./declare/declare-command.ts";
import { evaluateCommands } from "./declare/evaluate-commands.ts";
import { operateCommands } from "./declare/operate-commands.ts";
import { understandCommands } from "./declare/understand-commands.ts";
import { ExitCode, type Io, processIo, UserError, write } from "../../support/process/io.ts";

/** After an error, the process ends after this many milliseconds, even if something, such as a server, is still open. */
const LEFT_OPEN_MS = 3_000;

/** Runs one command line, and sets the exit code of the process. After an error, the process ends even if something is still open. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<void> {
  const { code, isError } = await outcomeOf(argv, io);
  process.exitCode = code;
  if (isError) setTimeout(() => process.exit(), LEFT_OPEN_MS).unref();
}

/** Runs one command line, and returns the exit code. Errors are printed on stderr, not thrown. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  return (await outcomeOf(argv, io)).code;
}

async function outcomeOf(
  argv: readonly string[],
  io: Io,
): Promise<{ readonly code: ExitCode; readonly isError: boolean }> {
  let code: ExitCode = ExitCode.passed;
  const setCode = (result: ExitCode): void => {
    code = result;
  };
  const program = createProgram(io, setCode, argv[2]);
  try {
    await program.parseAsync([...argv]);
    return { code, isError: false };
  } catch (error) {
    return { code: await report(error, io), isError: true };
  }
}

async function report(error: unknown, io: Io): Promise<ExitCode> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.passed : ExitCode.undecided;
  if (error instanceof UserError) {
    const fix = error.hint === undefined ? "" : `  fix: ${error.hint}\n`;
    await write(io.stderr, `error: ${error.message}\n${fix}`);
    return ExitCode.undecided;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  await write(io.stderr, `internal error: ${detail}\n`);
  return ExitCode.undecided;
}

/** If the command line names no configuration, adds the project's configuration file to the options. */
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

const groups = [
  ["Evaluate:", evaluateCommands],
  ["Understand:", understandCommands],
  ["Author:", authorCommands],
  ["Operate:", operateCommands],
] as const;

/** Returns the first word of a command's name, for example `config` for `config print`. */
function firstWord({ name }: { readonly name: string }): string {
  return name.replace(/ .*/, "");
}

const commandNames: ReadonlySet<string> = new Set(groups.flatMap(([, commands]) => commands.map(firstWord)));

/** Commands of other tools that users try, with Tracejury's command for each. */
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
 * Returns the program with all commands, or with one command. Declaring only one saves time: declaring the options of all commands takes a
 * tenth of the time of a short command. `done` receives the exit code after a command has ended.
 */
export function createProgram(io: Io, done: (code: ExitCode) => void, only?: string): Command {
  const program = new Command("tracejury")
    .description("An OpenTelemetry collector that judges AI agents.")
    .version(version, "-V, --version")
    // An option after the name of a command belongs to the command, and not to the program. Example: `save --version NAME`.
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
    for (const command of commands) {
      if (!isCommand(only) || firstWord(command) === only) declareCommand(program, command, io, done);
    }
  }
  program.addHelpText(
    "after",
    "\ntracejury COMMAND --help shows the options and an example.\nDocumentation: docs/commands.md, and the page of a running serve (http://127.0.0.1:4319/)",
  );
  return program;
}
