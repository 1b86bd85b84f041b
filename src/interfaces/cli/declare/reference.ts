import type { Argument, Command, Option } from "commander";
import { dumps } from "./option-values.ts";

/**
 * Returns the command-line reference as Markdown: each command with its arguments, options, defaults and an
 * example.
 */
export function renderCommandReference(program: Command): string {
  const commands = leaves(program);
  const without = commands.filter(({ options }) => !options.some(({ flags }) => commonOptions.has(flags)));
  const exceptions = without.map((command) => `\`${titleOf(command)}\``).join(", ");
  const shared = sharedOf(commands);
  const table = [...shared.values()].map((row) => `| ${row} |`).join("\n");
  const sections = commands.map((command) => sectionOf(command, shared));
  return `${intro(exceptions, table)}\n${sections.join("\n")}`;
}

/**
 * Returns the table rows of options that several commands describe in the same words, by the option's long
 * name.
 */
function sharedOf(commands: readonly Command[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const option of commands.flatMap(optionsOf)) {
    const rows = counts.get(option.long ?? "") ?? new Map<string, number>();
    counts.set(option.long ?? "", rows.set(optionRow(option), (rows.get(optionRow(option)) ?? 0) + 1));
  }
  const shared = Array.from(counts, ([long, rows]) => {
    const [[row, count] = ["", 0]] = [...rows].toSorted(([, one], [, other]) => other - one);
    return { long, row, count };
  });
  return new Map(
    shared.filter(({ long, count }) => count > 1 && long !== "--format").map(({ long, row }) => [long, row]),
  );
}

/** Returns all commands below a command that have no subcommands themselves, such as `config print`. */
function leaves(command: Command): readonly Command[] {
  return command.commands.flatMap((one) => (one.commands.length > 0 ? leaves(one) : [one]));
}

function sectionOf(command: Command, shared: ReadonlyMap<string, string>): string {
  const lines = [
    `## ${titleOf(command)}`,
    "",
    sentence(command.description()),
    "",
    "```bash",
    ...examplesOf(command),
    "```",
    "",
    ...ownRows(command, shared),
    ...alsoShared(command, shared),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the name of a command without the name of the program. */
function titleOf(command: Command): string {
  return nameOf(command).replace(/^tracejury /, "");
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Returns a table of the arguments and options that are not shared with other commands. */
function ownRows(command: Command, shared: ReadonlyMap<string, string>): readonly string[] {
  const rows = [
    ...command.registeredArguments
      .filter(({ description }) => description !== "" && description !== dumps)
      .map((one) => `\`${cell(argumentText(one))}\` | ${cell(one.description)}`),
    ...optionsOf(command)
      .filter((option) => !isFormat(option) && !isShared(option, shared))
      .map(optionRow),
  ];
  return rows.length === 0
    ? []
    : ["| argument or option | |", "|---|---|", ...rows.map((row) => `| ${row} |`)];
}

/** Returns a sentence that lists the shared options of a command, and its formats. */
function alsoShared(command: Command, shared: ReadonlyMap<string, string>): readonly string[] {
  const words = [
    ...command.registeredArguments.filter(({ description }) => description === dumps).map(argumentText),
    ...optionsOf(command)
      .filter((option) => isShared(option, shared))
      .map(({ long, flags }) => long ?? flags),
  ].map((word) => `\`${word}\``);
  const formats = optionsOf(command)
    .filter(isFormat)
    .map(({ description }) => `\`--format\` (${description.replaceAll(" | ", ", ")})`);
  const all = [...words, ...formats];
  if (all.length === 0) return [];
  const which = all.length === 1 ? "this [shared option]" : "these [shared options]";
  const accepts = `\`tracejury ${titleOf(command)}\` also accepts ${which}(#shared-options)`;
  return ["", wrapped(`${accepts}: ${all.join(", ")}.`)];
}

function optionsOf(command: Command): readonly Option[] {
  return command.options.filter(({ hidden, flags }) => !hidden && !commonOptions.has(flags));
}

function isShared(option: Option, shared: ReadonlyMap<string, string>): boolean {
  return shared.get(option.long ?? "") === optionRow(option);
}

function isFormat({ long, description }: Option): boolean {
  return long === "--format" && / \| /.test(description);
}

function optionRow(option: Option): string {
  return `\`${cell(option.flags)}\` | ${cell(option.description)}${fallback(option)}`;
}

/** Wraps a paragraph at 100 columns. */
function wrapped(text: string): string {
  return text.replaceAll(/(.{1,100})(?: |$)/g, "$1\n").trimEnd();
}

const commonOptions: ReadonlySet<string> = new Set(["--config <file>", "--no-config", "--set <key=value>"]);

function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function fallback({ defaultValue, mandatory }: Option): string {
  if (mandatory && isEmpty(defaultValue)) return " (required)";
  return isEmpty(defaultValue) ? "" : ` (default: \`${cell(String(defaultValue))}\`)`;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Returns the example at the end of a command's `--help`. */
function examplesOf(command: Command): readonly string[] {
  let help = "";
  command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
  const [, after = ""] = help.split(/^Example:\n/m);
  return after
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

const intro = (
  exceptions: string,
  sharedRows: string,
): string => `<!-- Made from src/interfaces/cli/declare/*.ts by npm run generate. -->

# Commands

After this page you can find the command for a task, its options and its exit codes.
\`tracejury COMMAND --help\` prints the options of a command and an example.

\`\`\`sh exit=1
tracejury test test/fixtures/runs/rag-*.jsonl --spec specs/rag-agent.yaml --judge off --format json > result.json
\`\`\`

Results go to standard output, messages and progress to standard error. Output has no colour if
standard output is not a terminal, or if \`NO_COLOR\` is set.

### Exit codes

| exit code | meaning |
|---|---|
| 0 | passed; warnings are allowed |
| 1 | a check failed, a run ended in an error, a forbidden tool was called, a \`reliability:\` gate failed, or an option sets exit code 1 for this case (\`--fail-on\`, \`--on-incomplete fail\`, \`--on-missing fail\`) |
| 2 | undecided: wrong usage of the command, an invalid spec or input (1 in \`validate\`), a failed judge or another internal failure, incomplete evidence, or a query without a run |

If several exit codes apply, 1 takes precedence over 2, and 2 over 0.

### Shared options

A *dump* is recorded OTLP telemetry: a file, a folder, a glob, \`-\` for standard input, the admin
address of a running \`serve\`, or a source of [pull](pull.md).

| option | |
|---|---|
| \`<dump...>\` | dumps |
| \`--config <file>\` | configuration file; repeat to merge several files ([configuration.md](configuration.md)). Default: \`tracejury.yaml\` in the working directory or the nearest folder above, up to the folder with \`.git\` |
| \`--no-config\` | ignore the \`tracejury.yaml\` of the project |
| \`--set <key=value>\` | set a configuration key, such as \`receive.http=127.0.0.1:0\` |
| \`--format <format>\` | format of the output; each command lists its formats, and the first format in the list is the default |
${sharedRows}

${wrapped(`All commands have \`--config\`, \`--no-config\` and \`--set\`, except ${exceptions}.`)}

### Compile cache

Tracejury caches its compiled code in \`$XDG_CACHE_HOME/tracejury\` or \`~/.cache/tracejury\` (macOS:
\`~/Library/Caches/tracejury\`, Windows: \`%LOCALAPPDATA%\\tracejury\`), so the next start needs less CPU
time. On Linux and macOS, Tracejury uses the folder only if it is the user's own and no other user
can write to it. \`NODE_DISABLE_COMPILE_CACHE=1\` disables the cache.
`;
