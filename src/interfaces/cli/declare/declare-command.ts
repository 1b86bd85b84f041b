import { Argument, type Command, Option } from "commander";
import type { ExitCode, Io } from "../../../support/process/io.ts";
import { choice, choicesOf, list, many, type Parser, type Value } from "./option-values.ts";

/** A command of the program, with a table of its arguments and options. */
export interface DeclaredCommand {
  /** Name on the command line. The name of a subcommand includes the group, such as `config print`. */
  readonly name: string;
  readonly about: string;
  /**
   * A line for each argument, option and heading (such as `Input:`). At least two spaces separate the flags
   * from the description. `!` marks a required option.
   */
  readonly table: string;
  /** Parsers and defaults, by the name of the argument or option. An entry replaces the entry with the same name in `commonValues`. */
  readonly values?: Values;
  readonly example: string;
  /** Loads the code of the command when it is called, so that `--help` starts fast. */
  readonly load: () => Promise<(...words: never[]) => Promise<ExitCode>>;
}

type Values = Readonly<Record<string, Value>>;

/** Options of every command that reads the configuration. */
export const configOptions = `
  --config <file>    configuration file; repeat to merge several files
  --no-config        ignore the tracejury.yaml of the project
  --set <key=value>  set a configuration key, such as receive.http=127.0.0.1:0`;

/** Parsers and defaults of options that have the same meaning in all commands. */
const commonValues: Values = {
  config: many,
  set: many,
  spec: many,
  query: many,
  tags: list,
  judge: choice,
  redact: [choice, "secrets"],
  format: [choice, "console"],
  "on-incomplete": [choice, "error"],
  "on-missing": [choice, "error"],
};

const subcommandGroups: ReadonlyMap<string, string> = new Map([
  ["models", "work with recorded model answers: pack | serve"],
  ["config", "work with the configuration: print"],
]);

/** Adds a command to the program. `done` receives the exit code after the command has ended. */
export function declareCommand(
  program: Command,
  { name, about, table, values = {}, example, load }: DeclaredCommand,
  io: Io,
  done: (code: ExitCode) => void,
): void {
  const [first = "", second] = name.split(" ");
  const command = second === undefined ? program.command(first) : groupOf(program, first).command(second);
  command.description(about);
  for (const line of table.split("\n")) {
    const [, mark, flags = line.trim(), text = ""] = /^ *(! )?(\S.*?) {2,}(.*)$/.exec(line) ?? [];
    if (flags.startsWith("-")) addOption(command, flags, text, mark !== undefined, values);
    else if (flags.endsWith(":")) command.optionsGroup(flags);
    else if (flags !== "") addArgument(command, flags, text, values);
  }
  command.addHelpText("after", `\nExample:\n  ${example}\n`).action(async (...words) => {
    const act = (await load()) as (...words: readonly unknown[]) => Promise<ExitCode>;
    // Commander passes the command itself as the last argument.
    done(await act(...words.slice(0, -1), io));
  });
}

function groupOf(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  return known ?? program.command(name).description(subcommandGroups.get(name) ?? "");
}

function addArgument(command: Command, flags: string, text: string, values: Values): void {
  const argument = new Argument(flags, text);
  const { parse } = settingOf(values[argument.name()], text);
  command.addArgument(parse === undefined ? argument : argument.argParser(parse));
}

function addOption(command: Command, flags: string, text: string, isRequired: boolean, values: Values): void {
  const option = new Option(flags, text).makeOptionMandatory(isRequired);
  const { parse, otherwise } = settingOf(values[option.name()] ?? commonValues[option.name()], text);
  if (parse !== undefined) option.argParser(parse);
  command.addOption(isRequired ? option : option.default(otherwise));
}

function settingOf(
  value: Value | undefined,
  text: string,
): { readonly parse?: Parser<unknown>; readonly otherwise?: unknown } {
  if (value === undefined) return {};
  if (typeof value === "string") return { otherwise: value };
  const [parse, otherwise] = typeof value === "object" ? value : [value, undefined];
  return { parse: parse === choice ? choicesOf(text) : (parse as Parser<unknown>), otherwise };
}
