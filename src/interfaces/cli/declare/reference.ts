import type { Argument, Command, Option } from "commander";

/** The reference of the command line as Markdown: each command with its arguments, options, defaults and an example. */
export function renderCommandReference(program: Command): string {
  const sections = leaves(program).map(sectionOf);
  return `${intro}\n${sections.join("\n")}`;
}

/** Commands that do something: `config print`, not `config`. */
function leaves(command: Command): readonly Command[] {
  return command.commands.flatMap((one) => (one.commands.length > 0 ? leaves(one) : [one]));
}

function sectionOf(command: Command): string {
  const name = nameOf(command);
  const lines = [
    `## ${name.replace(/^tracejury /, "")}`,
    "",
    sentence(command.description()),
    "",
    "```sh",
    ...examplesOf(command),
    "```",
    "",
    ...rows(command),
  ];
  return `${lines.join("\n")}\n`;
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function rows(command: Command): readonly string[] {
  const options = command.options.filter(({ hidden }) => !hidden);
  const described = command.registeredArguments.filter(({ description }) => description !== "");
  if (options.length + described.length === 0) return [];
  return [
    "| argument or option | default | |",
    "|---|---|---|",
    ...described.map((one) => `| \`${cell(argumentText(one))}\` | | ${cell(one.description)} |`),
    ...options.map((one) => `| \`${cell(one.flags)}\` |${fallback(one)} | ${cell(one.description)} |`),
  ];
}

function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function fallback({ defaultValue, mandatory }: Option): string {
  if (mandatory && isEmpty(defaultValue)) return " required";
  return isEmpty(defaultValue) ? "" : ` \`${cell(String(defaultValue))}\``;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/** The example that `--help` ends with. */
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

const intro = `<!-- Made from src/interfaces/cli/declare*.ts by npm run generate. -->

# Commands

\`tracejury <command> --help\` says the same. What a program should read (\`--format json\`) goes to standard output and nothing else does;
messages and progress go to standard error. Colour is off when that is no terminal, and with \`NO_COLOR\`.

Exit codes, everywhere: **0** passed, warnings allowed · **1** a correctness failure, a forbidden tool, or a gate that was set · **2** could not
tell: bad usage, an invalid spec or input, a judge or something else that failed, incomplete evidence, queries without a run. 1 wins over 2, 2
over 0.

\`--config FILE\` and \`--set a.b=VALUE\` give what [configuration.md](configuration.md) describes; what a spec may ask for is in
[spec.md](spec.md).

A command keeps its compiled code in \`$XDG_CACHE_HOME/tracejury\` or \`~/.cache/tracejury\` (macOS: \`~/Library/Caches/tracejury\`, Windows:
\`%LOCALAPPDATA%\\tracejury\`), when only the user can write there, and starts in half the CPU the next time. \`NODE_DISABLE_COMPILE_CACHE=1\`
turns that off.
`;
